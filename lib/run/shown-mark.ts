import type { CatalogueView } from '../registry/contract.ts';
import { notFound } from './unknown-function.ts';

/** A mark of a missing function, also of one that a script's script called: what is before the name, and the name. */
const MISSING = /^((?:code\.run\("[\w-]+"\): )*)there is no function ([\w.$-]+): /;

/**
 * The mark of kept code (`invalid`) as one caller may read it. It was made for whoever ran the code, and its advice names
 * the functions that one could call: this caller gets their own.
 */
export function shownMark(invalid: string, view: CatalogueView): string {
  if (!invalid.includes('there is no function ')) return invalid;
  const [, inside = '', asked = ''] = MISSING.exec(invalid) ?? [];
  const [namespace = '', ...rest] = asked.split('.');
  const name = rest.join('.');
  if (namespace === '') return 'it calls a function that is not there';
  const back = view.functions.some(
    (tool) => tool.namespace === namespace && (tool.snakeName === name || tool.camelName === name),
  );
  return `${inside}${back ? `there was no function ${asked} when it last ran` : notFound({ namespace, name }, asked, view)}`;
}
