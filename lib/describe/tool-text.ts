import type { Tool } from '../tool.ts';
import { cutAtSentence, firstSentence, safeLine } from './safe-text.ts';

/** Of a description in a brief sheet or a search result, characters. */
const BRIEF_CHARS = 160;
/** Of a description in a full sheet, characters. */
const FULL_CHARS = 1200;

/** A tool's description, else its title, as one safe line; empty when it has neither. */
export function descriptionOf(tool: Tool, detail: 'brief' | 'full'): string {
  const { description, title, annotations } = tool.definition;
  const text = [description, title, annotations?.['title']].find((one) => typeof one === 'string' && one.trim());
  if (typeof text !== 'string') return '';
  return detail === 'brief' ? firstSentence(text, BRIEF_CHARS) : cutAtSentence(safeLine(text), FULL_CHARS);
}

/** The tool's own name at its server, where ours differs: ` [read-file]`; empty otherwise. */
export function ownName(tool: Tool, shown: string): string {
  return tool.definition.name === shown ? '' : ` [${safeLine(tool.definition.name)}]`;
}

/** Server and tool a function stands for, for a line that stands alone. */
export function sourceOf(tool: Tool): string {
  return `[${safeLine(tool.server)}: ${safeLine(tool.definition.name)}]`;
}
