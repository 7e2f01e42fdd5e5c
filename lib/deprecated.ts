/** Of a text, characters looked at. */
const MAX_CHARS = 2000;

/**
 * A mark of deprecation, not a word about deprecated things: it begins a sentence or stands in brackets, or the text
 * says it of the tool itself.
 */
const MARK =
  /(?:^|[.!?:;–—] ?|[([*] ?|- )deprecated\b ?(?:[:.,;!)\]*–—-]|$|in favou?r\b|since\b|use\b)|\b(?:this|the) (?:tool|function|method|endpoint|command|action|operation) (?:is|has been|was) (?:now )?deprecated\b/i;

/** Whether a tool's description, or a sentence of it, says that the tool is deprecated. */
export function isDeprecated(description: string | undefined): boolean {
  const text = (description ?? '').slice(0, MAX_CHARS);
  return /deprecated/i.test(text) && MARK.test(text.replace(/\s+/g, ' ').trim());
}
