import type { Tool } from '../../lib/tool.ts';

/** Textbook BM25 (k1 1.2, b 0.75) over name and description as one bag of words: what our search is measured against. */
export function plainBm25(tools: readonly Tool[]): (query: string) => Tool[] {
  const words = (text: string) => text.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  const documents = tools.map((tool) => words(`${tool.definition.name} ${tool.definition.description ?? ''}`));
  const average = documents.reduce((sum, document) => sum + document.length, 0) / documents.length;
  const frequency = new Map<string, number>();
  for (const document of documents) {
    for (const word of new Set(document)) frequency.set(word, (frequency.get(word) ?? 0) + 1);
  }
  return (query) =>
    documents
      .map((document, at) => {
        let score = 0;
        for (const word of words(query)) {
          const times = document.filter((other) => other === word).length;
          const df = frequency.get(word) ?? 0;
          const idf = Math.log(1 + (documents.length - df + 0.5) / (df + 0.5));
          score += (idf * times * 2.2) / (times + 1.2 * (0.25 + (0.75 * document.length) / average));
        }
        return { tool: tools[at]!, score };
      })
      .filter(({ score }) => score > 0)
      .sort((one, other) => other.score - one.score)
      .map(({ tool }) => tool);
}
