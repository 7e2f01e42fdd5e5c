import { isJsonObject } from '../json.ts';
import type { Tool } from '../tool.ts';

/** The texts of one function that are searched, by how much they tell. */
export interface SearchedText {
  name: string;
  title: string;
  /** First sentence. */
  summary: string;
  /** The rest of the description. */
  description: string;
  /** Names and accepted values of parameters. */
  parameters: string;
  server: string;
}

/** Of one description, characters searched. */
const MAX_DESCRIPTION_CHARS = 1000;
/** Of one tool's schema, properties looked at. */
const MAX_PARAMETERS = 100;

/** What is searched of a function. */
export function textOfTool(tool: Tool): SearchedText {
  const { title, description = '', annotations, inputSchema } = tool.definition;
  const { summary, rest } = divided(description.slice(0, MAX_DESCRIPTION_CHARS));
  return {
    name: tool.definition.name,
    title: [title, annotations?.['title']].find((one) => typeof one === 'string') ?? '',
    summary,
    description: rest,
    parameters: parameterWords(inputSchema).join(' '),
    server: tool.namespace === tool.server ? tool.server : `${tool.namespace} ${tool.server}`,
  };
}

function divided(description: string): { summary: string; rest: string } {
  const end = description.search(/[.!?]\s|\n/);
  return end < 0
    ? { summary: description, rest: '' }
    : { summary: description.slice(0, end), rest: description.slice(end) };
}

function parameterWords(schema: unknown): string[] {
  const words: string[] = [];
  const visit = (node: unknown, depth: number): void => {
    if (!isJsonObject(node) || words.length > MAX_PARAMETERS || depth > 3) return;
    if (Array.isArray(node['enum'])) for (const value of node['enum']) if (typeof value === 'string') words.push(value);
    visit(node['items'], depth + 1);
    if (!isJsonObject(node['properties'])) return;
    for (const [name, property] of Object.entries(node['properties'])) {
      words.push(name);
      visit(property, depth + 1);
    }
  };
  visit(schema, 0);
  return words;
}
