import { isDeprecated } from '../deprecated.ts';
import type { Tool } from '../tool.ts';
import { cutAtSentence, firstSentence, safeLine, sentencesOf } from './safe-text.ts';

/** Of a description in a brief sheet or a search result, characters. */
const BRIEF_CHARS = 160;
/** Of that, for the sentence that marks a deprecated tool, characters. */
const MARK_CHARS = 80;
/** Of a description in a full sheet, characters. */
const FULL_CHARS = 1200;

/** A tool's description, else its title, as one safe line; empty when it has neither. */
export function descriptionOf(tool: Tool, detail: 'brief' | 'full'): string {
  const { description, title, annotations } = tool.definition;
  const text = [description, title, annotations?.['title']].find((one) => typeof one === 'string' && one.trim());
  if (typeof text !== 'string') return '';
  return detail === 'brief' ? briefOf(text) : cutAtSentence(safeLine(text), FULL_CHARS);
}

/** The first sentence, and the one that marks a deprecated tool: whoever chooses a function needs both. */
function briefOf(text: string): string {
  const first = firstSentence(text, BRIEF_CHARS);
  if (!isDeprecated(text) || isDeprecated(first)) return first;
  const said = sentencesOf(safeLine(text)).find(isDeprecated) ?? 'Deprecated.';
  const mark = cutAtSentence(said, MARK_CHARS);
  return `${firstSentence(text, BRIEF_CHARS - mark.length - 1)} ${mark}`;
}

/** The tool's own name at its server, where ours differs: ` [read-file]`; empty otherwise. */
export function ownName(tool: Tool, shown: string): string {
  return tool.definition.name === shown ? '' : ` [${safeLine(tool.definition.name)}]`;
}

/** Server and tool a function stands for, for a line that stands alone. */
export function sourceOf(tool: Tool): string {
  return `[${safeLine(tool.server)}: ${safeLine(tool.definition.name)}]`;
}
