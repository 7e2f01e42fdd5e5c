import { identifierOf, namespaceOf } from '../config/namespace.ts';
import type { Config } from '../config/schema.ts';
import { isDeprecated } from '../deprecated.ts';
import { nearest } from '../nearest.ts';
import type { Catalogue, CatalogueView } from '../registry/contract.ts';
import type { CallReply } from '../sandbox/contract.ts';
import { stemOf, wordsOf } from '../search/words.ts';
import type { Tool } from '../tool.ts';
import { forbidden } from './call-tool.ts';
import { unavailable } from './settled-catalogue.ts';

/** Functions of a namespace listed where nothing is near. */
const MAX_LISTED = 8;

/** Functions named where a bare name could mean several. */
const MAX_MEANT = 3;

/** What a script called that is not among its functions; `name` is empty for an unknown namespace. */
export interface UnknownName {
  namespace: string;
  name: string;
}

/**
 * Answers a call of a name the script does not have: `forbidden` where it exists but is closed to this caller,
 * `upstream_unavailable` where its server has not been listed yet (a stored script is not to blame then), else
 * `function_not_found` with the nearest real one.
 */
export function answerUnknown(unknown: UnknownName, catalogue: Catalogue, view: CatalogueView): CallReply {
  const { namespace, name } = unknown;
  const asked = name === '' ? namespace : `${namespace}.${name}`;
  const server = catalogue.servers.find((candidate) => candidate.namespace === namespace);
  // Go asks for a whole namespace, by its import.
  const closed = name === '' && !view.functions.some((tool) => tool.namespace === namespace);
  const own = view.functions.some((tool) => tool.namespace === namespace && isNamed(tool, name));
  const exists = !own && server?.tools.some((tool) => closed || isNamed(tool, name));
  if (exists) return { ok: false, code: 'forbidden', message: forbidden(asked, 'code').message, tool: asked };

  const seen = view.servers.some((candidate) => candidate.namespace === namespace);
  if (server && server.tools.length === 0 && server.state !== 'connected') {
    // Who may not know of the server learns nothing of it but that: its functions may be open to them when it is back.
    const why = seen ? unavailable(server) : 'it cannot be called now; try again later';
    const message = `${asked}: ${why}`;
    return { ok: false, code: 'upstream_unavailable', message, tool: asked };
  }
  return { ok: false, code: 'function_not_found', message: notFound(unknown, asked, view), tool: asked };
}

/**
 * The functions an unknown name stands for beyond doubt: a direct tool's name (`os__read_file`), a function without its
 * namespace (`read_file`), or one under its server's name where the alias counts (`filesystem.read_file`).
 */
function plainlyMeant({ namespace, name }: UnknownName, { servers, functions }: CatalogueView): Tool[] {
  const bare = name === '' ? namespace : name;
  const named = functions.filter((tool) => isNamed(tool, bare));
  if (name === '') {
    const direct = functions.filter(({ directName }) => identifierOf(directName) === bare);
    return direct.length > 0 ? direct : named;
  }
  const renamed = servers.find(({ server }) => server === namespace || identifierOf(server) === namespace);
  return renamed ? named.filter((tool) => tool.namespace === renamed.namespace) : [];
}

/**
 * Whether a function is gone for everybody, by the message of its call: what a server lists for one user only may be there
 * for another.
 */
export function goneForAll({ upstream }: Config, message: string): boolean {
  const personal = upstream.filter(({ catalogue }) => catalogue === 'per_user').map(namespaceOf);
  return !personal.some((namespace) => new RegExp(`there is no function ${namespace}\\b`).test(message));
}

/** `os.raed_file → os.read_file`, or what there is instead. */
export function notFound({ namespace, name }: UnknownName, asked: string, view: CatalogueView): string {
  // Of equals the first is taken, so that a deprecated one is named only where no other is as near.
  const functions = [...view.functions.filter((tool) => !isOld(tool)), ...view.functions.filter(isOld)];
  const own = functions.filter((tool) => tool.namespace === namespace);
  const camel = /^[A-Z]/.test(name);
  const spelled = (tool: Tool): string => (camel ? tool.camelName : tool.snakeName);
  const marked = (text: string, tool: Tool | undefined) => (tool && isOld(tool) ? `${text} (deprecated)` : text);
  if (own.length > 0) {
    // Another language's spelling of it is unknown here, so this language's is the other.
    const other = own.find((tool) => isNamed(tool, name));
    const near = other ? otherName(other, name) : nearest(name.replaceAll('-', '_'), own.map(spelled));
    if (near !== undefined) {
      const found = own.find((tool) => isNamed(tool, near));
      return `there is no function ${asked}: ${asked} → ${marked(`${namespace}.${near}`, found)}`;
    }
    const listed = own
      .toSorted(bySharedWords(name))
      .slice(0, MAX_LISTED)
      .map((tool) => `${namespace}.${spelled(tool)}`);
    const more = own.length > MAX_LISTED ? `, and ${own.length - MAX_LISTED} more` : '';
    return `there is no function ${asked}: ${namespace} has ${listed.join(', ')}${more}`;
  }
  const meant = plainlyMeant({ namespace, name }, { ...view, functions }).slice(0, MAX_MEANT);
  if (meant.length > 0) {
    const names = meant.map((tool) => marked(`${tool.namespace}.${spelled(tool)}`, tool));
    return `there is no function ${asked}: ${asked} → ${names.join(' or ')}`;
  }
  const near = nearest(
    `${namespace}.${name}`,
    functions.map((tool) => `${tool.namespace}.${spelled(tool)}`),
  );
  if (near !== undefined) return `there is no function ${asked}: ${asked} → ${near}`;
  const namespaces = [...new Set(view.functions.map((tool) => tool.namespace))];
  const known = namespaces.length === 0 ? 'no server is connected' : `the namespaces are ${namespaces.join(', ')}`;
  return `there is no function ${asked}: ${known}; get_functions_description lists what there is`;
}

function isOld({ definition }: Tool): boolean {
  return isDeprecated(definition.description);
}

function isNamed({ snakeName, camelName }: Tool, name: string): boolean {
  return snakeName === name || camelName === name;
}

function otherName({ snakeName, camelName }: Tool, name: string): string {
  return name === camelName ? snakeName : camelName;
}

/** Puts first the functions whose names have most words in common with this one, as a renamed one has. */
function bySharedWords(name: string): (one: Tool, other: Tool) => number {
  const stems = (text: string) => wordsOf(text).map(stemOf);
  const asked = new Set(stems(name));
  const shared = ({ snakeName }: Tool) => stems(snakeName).filter((stem) => asked.has(stem)).length;
  return (one, other) => shared(other) - shared(one);
}
