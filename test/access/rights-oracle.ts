import type { Exposure, ToolExposure } from '../../lib/tool.ts';

/** One row of the rights table; undefined where the configuration does not speak at that level. */
export interface Case {
  server: Exposure;
  serverUser: Exposure | undefined;
  tool: ToolExposure | undefined;
  toolUser: ToolExposure | undefined;
  who: 'named' | 'in group' | 'unknown' | 'anonymous';
}

/** The right by the reference's sentences, one after the other, as plainly as they can be written. */
export function oracle({ server, serverUser, tool, toolUser, who }: Case): ToolExposure {
  const known = who === 'named' || who === 'in group';
  let answer: ToolExposure = server;
  if (known && serverUser !== undefined) answer = serverUser;
  if (tool !== undefined) answer = tool;
  if (known && toolUser !== undefined) answer = toolUser;
  return answer;
}
