/** Escape sequences of terminals (CSI, OSC and the two-character ones). */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is being removed
const ANSI = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\-_])/g;

/** Controls, direction overrides, zero-width and other invisible characters: never part of an honest description. */
const INVISIBLE = /\p{C}|[\u2028\u2029\u115f\u1160\u3164\uffa0]|\u034f/gu;

/** What could end a comment, a long bracket or a code fence in one of the languages, each with a harmless likeness. */
const BREAKOUTS: [RegExp, string][] = [
  [/\*\//g, '* /'],
  [/\/\*/g, '/ *'],
  [/\]\]/g, '] ]'],
  [/\[\[/g, '[ ['],
  [/(\]|\[)(=+)(\]|\[)/g, '$1 $2 $3'],
  [/`{3,}/g, "'''"],
  [/~{3,}/g, "'''"],
  [/<!--/g, '<! --'],
];

/**
 * An upstream's text as one line that cannot break out of a comment, a fence or a terminal in any of the languages.
 * Line breaks become spaces.
 */
export function safeLine(text: string): string {
  let line = text.replace(ANSI, '').replace(/\s+/g, ' ').replace(INVISIBLE, '').trim();
  for (const [pattern, likeness] of BREAKOUTS) line = line.replace(pattern, likeness);
  return line;
}

/** Where a sentence ends: a stop followed by space, not after a one-letter or common abbreviation. */
const SENTENCE_END = /(?<!\b(?:e\.g|i\.e|etc|vs|cf|approx|incl|resp|no|fig|[A-Za-z]))[.!?](?=\s|$)/g;

/** The sentences of one line. */
export function sentencesOf(line: string): string[] {
  const ends = [...line.matchAll(SENTENCE_END)].map((match) => match.index + 1);
  return [...ends, line.length].map((end, at) => line.slice(ends[at - 1] ?? 0, end).trim()).filter(Boolean);
}

/** The first half of a surrogate pair whose second was cut off. */
const HALF_PAIR = /[\ud800-\udbff]$/;

/** Cuts at the last sentence end that fits, else at a word, in at most `max` characters. */
export function cutAtSentence(text: string, max: number): string {
  if (text.length <= max) return text;
  const head = text.slice(0, max);
  const ends = [...head.matchAll(SENTENCE_END)].map((match) => match.index + 1);
  const last = ends.at(-1);
  if (last !== undefined && last >= max / 3) return head.slice(0, last);
  const words = head.replace(/\s+\S*$/, '');
  return `${words.length < max ? words : head.slice(0, -1).replace(HALF_PAIR, '')}…`;
}

/** A first line shorter than this, followed by a capital, is a heading of its own and not a wrapped sentence. */
const WRAP_COLUMN = 60;

/** The first sentence of an upstream's description as one safe line of at most `max` characters. */
export function firstSentence(description: string, max: number): string {
  const paragraph = description.trim().split(/\n\s*\n/, 1)[0] ?? '';
  const [first = '', ...rest] = paragraph.split(/\r?\n/);
  const own = first.length < WRAP_COLUMN && rest.length > 0 && !/^\s*\p{Ll}/u.test(rest[0] ?? '');
  const line = safeLine(own ? first : paragraph);
  const end = line.search(SENTENCE_END);
  return cutAtSentence(end >= 0 ? line.slice(0, end + 1) : line, max);
}
