import type { Tool, ToolDefinition } from '../../lib/tool.ts';
import { RECORDED, recordedTools, serverOf } from './recorded-catalogues.ts';

/** Invented servers' subjects: each makes the recorded tools into another server's. */
const SUBJECTS = `invoice customer order payment shipment ticket project sprint calendar contact campaign lead contract
  employee payroll asset inventory warehouse supplier product review coupon subscription device sensor alert metric
  dashboard report survey course student grade lesson patient appointment prescription claim policy vehicle route
  driver booking hotel flight guest menu recipe table reservation article author channel playlist track podcast photo
  album game match team player league season venue event speaker session badge`.split(/\s+/);

/** As many tools as asked for: the recorded ones, then the same under other subjects, spread over many servers. */
export function manyTools(count: number): Tool[] {
  const recorded = RECORDED.flatMap(({ file, alias }) => serverOf(alias, alias, recordedTools(file)).tools);
  const tools = recorded.slice(0, count);
  for (let at = 0; tools.length < count; at++) {
    const like = recorded[at % recorded.length]!;
    const subject = SUBJECTS[Math.floor(at / recorded.length) % SUBJECTS.length]!;
    const round = Math.floor(at / recorded.length / SUBJECTS.length);
    const definition: ToolDefinition = {
      ...like.definition,
      name: `${subject}_${like.definition.name}${round > 0 ? `_v${round + 1}` : ''}`,
      description: `${like.definition.description ?? ''} Works on every ${subject} of the account.`,
    };
    const alias = `${like.namespace}_${subject}`;
    tools.push(...serverOf(alias, alias, [definition]).tools);
  }
  return tools;
}
