import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Attribute, Item, Table } from '../dynamodb.ts';
import { CodeModeError } from '../errors.ts';
import { applyChange, type CodeContent } from './apply-change.ts';
import {
  checkName,
  checkRoomForRecord,
  checkRoomForVersion,
  checkSizes,
  MAX_KEPT,
  searchedPart,
} from './code-limits.ts';
import type { CodeRecord, CodeStore, CodeSummary } from './contract.ts';
import type { BodyStore } from './s3.ts';
import { scopeKey } from './scope-key.ts';
import { newestFirst } from './summary.ts';

/** How often a save starts again because another one of the same record came between. */
const SAVE_ATTEMPTS = 40;

/** How often a read starts again because the record was changed or deleted before its texts were fetched. */
const READ_ATTEMPTS = 3;

/** Milliseconds, at most, between two attempts to save; chosen at random. */
const RETRY_MS = 100;

/** Digits of a version's number in its key, so that the order of keys is the order of numbers. */
const VERSION_DIGITS = 8;

/** The partition that names the scopes. */
const SCOPES = 'code';

/**
 * What a record's item holds: a list reads them all, so long texts are elsewhere. The code is in S3 under `body`, absent for
 * a skill; of long instructions the item has the part that searches compare, and S3 the whole under `instructionsBody`.
 */
interface RecordItem extends Item, Omit<CodeRecord, 'code' | 'name'> {
  codeLen: number;
  body?: string;
  instructionsBody?: string;
  version: number;
  /** Same for all versions of one record; a record of the same name after a deletion has another. */
  lineage: string;
  [attribute: string]: Attribute;
}

/**
 * Keeps code in the one table, bodies in S3. Bodies are written first and the record then points to it in one conditional
 * write: a crash between leaves the old record whole and an unused body.
 */
export function createAwsStore(table: Table, bodies: BodyStore, bounds = MAX_KEPT): CodeStore {
  const find = async (scope: string, name: string) =>
    (await table.get(recordsOf(scope), name)) as RecordItem | undefined;

  /** The record with its texts; tried again where one went away together with the record that named it. */
  async function read(scope: string, name: string, version?: string): Promise<CodeRecord | undefined> {
    for (let turn = 1; turn <= READ_ATTEMPTS; turn += 1) {
      const current = await find(scope, name);
      const item = current && version !== undefined ? await earlier(scope, name, current, version) : current;
      if (!current || !item) return undefined;
      const [code, instructions] = await Promise.all([codeOf(item), instructionsOf(item)]);
      if (code !== undefined && instructions !== undefined) {
        return { ...recordOf(item, name, { code, instructions }), runs: current.runs };
      }
    }
    throw new CodeModeError('internal', `The code of "${name}" is missing from the storage: save it again.`);
  }

  const codeOf = async ({ body }: RecordItem) => (body === undefined ? '' : bodies.get(body));
  const instructionsOf = async ({ instructions, instructionsBody }: RecordItem) =>
    instructionsBody === undefined ? instructions : bodies.get(instructionsBody);

  async function earlier(scope: string, name: string, current: RecordItem, version: string) {
    if (version === String(current.version)) return current;
    if (!/^[1-9]\d{0,7}$/.test(version) || Number(version) > current.version) return undefined;
    const item = await table.get(versionsOf(scope, name), versionKey(Number(version)));
    return item?.['lineage'] === current.lineage ? (item as RecordItem) : undefined;
  }

  /** One attempt to save; undefined where another save came between. */
  async function saveOnce(scope: string, name: string, change: Parameters<CodeStore['save']>[2], now: number) {
    const old = await find(scope, name);
    if (!old) checkRoomForRecord((await table.query(recordsOf(scope))).length, bounds);
    /** The text as it was. A new one may take the place of what is damaged. */
    const textBefore = async (of: typeof codeOf, replacement: string | undefined) => {
      if (!old) return '';
      const damaged = (error: unknown) => {
        if (replacement === undefined) throw error;
        return undefined;
      };
      return (await of(old).catch(damaged)) ?? '';
    };
    const [oldCode, oldInstructions] = await Promise.all([
      textBefore(codeOf, change.code),
      textBefore(instructionsOf, change.instructions),
    ]);
    const before = old && recordOf(old, name, { code: oldCode, instructions: oldInstructions });
    const { after, newVersion } = applyChange(before, change, now);
    const { code, instructions, ...fields } = after;
    const part = searchedPart(instructions);
    const putTexts = () =>
      Promise.all([
        code === '' ? undefined : bodies.put(scope, name, code),
        part === instructions ? undefined : bodies.put(scope, name, instructions),
      ]);
    if (old && newVersion) checkRoomForVersion(name, old.version - 1, bounds);
    const [body, instructionsBody] = await putTexts();
    if (!old) await table.put({ pk: SCOPES, sk: scopeKey(scope), scope });
    if (old && newVersion) {
      const { runs: _, invalid: __, expiresAt: ___, ...kept } = old;
      await table.put({ ...kept, pk: versionsOf(scope, name), sk: versionKey(old.version) } as Item);
    }
    const item = {
      ...fields,
      instructions: part,
      instructionsBody,
      body,
      codeLen: Buffer.byteLength(code),
      version: (old?.version ?? 0) + (newVersion || !old ? 1 : 0),
      lineage: old?.lineage ?? randomUUID(),
      revision: randomUUID(),
    };
    const { new: answered } = await replace(scope, name, item, old?.revision);
    // Where the answer was lost, the SDK's next attempt is refused because of our own write.
    const saved = answered ?? (await find(scope, name));
    if (saved?.['revision'] !== item.revision) return undefined;
    // A deletion under way may have taken the body between the two writes.
    if (!old) await putTexts();
    return recordOf(saved as RecordItem, name, { code, instructions });
  }

  /** Writes all but the runs, which others count meanwhile, while the record still is at `revision` (absent: is not). */
  function replace(scope: string, name: string, item: Record<string, Attribute>, revision: string | undefined) {
    const fields = { savedBy: undefined, updatedBy: undefined, invalid: undefined, ...item };
    const present = Object.entries(fields).filter(([, value]) => value !== undefined);
    const absent = Object.keys(fields).filter((field) => !present.some(([name]) => name === field));
    const sets = present.map(([field]) => `#${field} = :${field}`);
    if (revision === undefined) sets.push('#runs = :zero');
    return table.update(recordsOf(scope), name, {
      expression: `SET ${sets.join(', ')}${absent.length > 0 ? ` REMOVE ${absent.map((field) => `#${field}`).join(', ')}` : ''}`,
      condition: revision === undefined ? 'attribute_not_exists(pk)' : '#revision = :before',
      names: Object.fromEntries(
        [...Object.keys(fields), ...(revision === undefined ? ['runs'] : [])].map((field) => [`#${field}`, field]),
      ),
      values: {
        ...Object.fromEntries(present.map(([field, value]) => [`:${field}`, value])),
        ...(revision === undefined ? { ':zero': 0 } : { ':before': revision }),
      },
    });
  }

  return {
    async scopes() {
      return (await table.query(SCOPES)).map((item) => String(item['scope']));
    },

    async list(scope) {
      const items = (await table.query(recordsOf(scope))) as RecordItem[];
      return items.map(summaryOfItem).sort(newestFirst);
    },

    async get(scope, name, version) {
      checkName(name);
      return read(scope, name, version);
    },

    async versions(scope, name) {
      checkName(name);
      const current = await find(scope, name);
      if (!current) return [];
      const items = (await table.query(versionsOf(scope, name))) as RecordItem[];
      return items
        .filter((item) => item.lineage === current.lineage && item.version < current.version)
        .map((item) => ({ version: String(item.version), savedAt: item.updatedAt, codeLen: item.codeLen }));
    },

    async save(scope, name, change, now) {
      checkName(name);
      checkSizes(change);
      for (let turn = 1; turn <= SAVE_ATTEMPTS; turn += 1) {
        const saved = await saveOnce(scope, name, change, now);
        if (saved) return saved;
        await sleep(Math.random() * RETRY_MS);
      }
      throw new CodeModeError(
        'internal',
        `"${name}" could not be saved: too many others save it now. Try again shortly.`,
      );
    },

    async countRun(scope, name) {
      checkName(name);
      await table.update(recordsOf(scope), name, {
        expression: 'ADD #runs :one REMOVE #invalid',
        condition: 'attribute_exists(pk)',
        names: { '#runs': 'runs', '#invalid': 'invalid' },
        values: { ':one': 1 },
      });
    },

    async markInvalid(scope, name, reason, revision) {
      checkName(name);
      await table.update(recordsOf(scope), name, {
        expression: reason === undefined ? 'REMOVE #invalid' : 'SET #invalid = :reason',
        condition: '#revision = :revision',
        names: { '#invalid': 'invalid', '#revision': 'revision' },
        values: { ':revision': revision, ':reason': reason },
      });
    },

    async delete(scope, name) {
      checkName(name);
      const old = await find(scope, name);
      if (!old || !(await table.delete(recordsOf(scope), name))) return false;
      for (const { pk, sk } of await table.query(versionsOf(scope, name))) {
        const same = {
          condition: '#lineage = :lineage',
          names: { '#lineage': 'lineage' },
          values: { ':lineage': old.lineage },
        };
        await table.delete(pk, sk, same);
      }
      await bodies.deleteAll(scope, name);
      return true;
    },
  };
}

function recordsOf(scope: string): string {
  return `code#${scopeKey(scope)}`;
}

function versionsOf(scope: string, name: string): string {
  return `code#${scopeKey(scope)}#${name}`;
}

function versionKey(version: number): string {
  return String(version).padStart(VERSION_DIGITS, '0');
}

function recordOf(item: RecordItem, name: string, texts: Pick<CodeRecord, 'code' | 'instructions'>): CodeRecord {
  return { name, ...contentOf(item), ...texts, runs: item.runs, revision: item.revision };
}

function contentOf(item: RecordItem): Omit<CodeContent, 'code'> {
  const { description, language, entry, instructions, createdAt, updatedAt, savedBy, updatedBy, invalid } = item;
  return {
    description,
    language,
    entry,
    instructions,
    createdAt,
    updatedAt,
    ...(savedBy !== undefined && { savedBy }),
    ...(updatedBy !== undefined && { updatedBy }),
    ...(invalid !== undefined && { invalid }),
  };
}

function summaryOfItem(item: RecordItem): CodeSummary {
  return {
    name: item.sk,
    ...contentOf(item),
    runs: item.runs,
    revision: item.revision,
    codeLen: item.codeLen,
    hasCode: item.codeLen > 0,
    hasInstructions: item.instructions !== '',
  };
}
