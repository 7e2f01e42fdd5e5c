/** A fenced block of a Markdown text that a test marks with `<!-- test: NAME ARGUMENT -->` on the line above it. */
export interface MarkedBlock {
  name: string;
  argument: string;
  /** The fence's info string: `sh`, `js`, … */
  language: string;
  text: string;
}

/** The marked blocks of a Markdown text, in order. */
export function markedBlocks(markdown: string): MarkedBlock[] {
  const pattern = /<!-- test: (\S+) ?(.*?) ?-->\n```(\w+)\n([\s\S]*?)\n```/g;
  return [...markdown.matchAll(pattern)].map(([, name, argument, language, text]) => ({
    name: name ?? '',
    argument: argument ?? '',
    language: language ?? '',
    text: text ?? '',
  }));
}
