import type { CatalogueView } from '../../lib/registry/contract.ts';
import type { ToolDefinition } from '../../lib/tool.ts';
import { RECORDED, type TestServer, viewOf } from './recorded-catalogues.ts';

/** Invented servers' subjects: each makes the recorded tools into another server's. */
const SUBJECTS = `invoice customer order payment shipment ticket project sprint calendar contact campaign lead contract
  employee payroll asset inventory warehouse supplier product review coupon subscription device sensor alert metric
  dashboard report survey course student grade lesson patient appointment prescription claim policy vehicle route
  driver booking hotel flight guest menu recipe table reservation article author channel playlist track podcast photo
  album game match team player league season venue event speaker session badge`.split(/\s+/);

/**
 * Servers with as many tools as asked for: the recorded ones, `first` before the others, then the same under other
 * subjects.
 */
export function viewOfMany(count: number, first?: string): CatalogueView {
  const recorded = RECORDED.toSorted((one, other) => Number(other.alias === first) - Number(one.alias === first));
  const servers: (TestServer & { tools: ToolDefinition[] })[] = [];
  let left = count;
  for (let at = 0; left > 0; at++) {
    const like = recorded[at % recorded.length]!;
    const round = Math.floor(at / recorded.length);
    const tools = (like.tools ?? []).slice(0, left).map((tool) => (round === 0 ? tool : about(tool, round)));
    const name = round === 0 ? like.alias : `${like.alias}_${subjectOf(round)}`;
    servers.push({ server: name, alias: name, tools });
    left -= tools.length;
  }
  return viewOf(servers);
}

function subjectOf(round: number): string {
  const again = Math.floor((round - 1) / SUBJECTS.length);
  return `${SUBJECTS[(round - 1) % SUBJECTS.length]}${again > 0 ? again + 1 : ''}`;
}

function about(tool: ToolDefinition, round: number): ToolDefinition {
  const subject = subjectOf(round);
  const description = `${tool.description ?? ''} Works on every ${subject} of the account.`;
  return { ...tool, name: `${subject}_${tool.name}`, description };
}
