/** Characters of a name that an error or a line of the log repeats: more than any name has that could be meant. */
const MAX_SHOWN_CHARS = 200;

/** A name as somebody gave it, for a text that repeats it: megabytes of it would go to a model, or into the log. */
export function shownName(name: string): string {
  if (name.length <= MAX_SHOWN_CHARS) return name;
  return `${name.slice(0, MAX_SHOWN_CHARS - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}
