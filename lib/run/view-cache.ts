import type { CatalogueView } from '../registry/contract.ts';

/** Views remembered at once; the longest unused goes first. */
const MAX_VIEWS = 32;

/** Remembers what was computed from a view by the view's key, so that callers who see the same share it. */
export function createViewCache<T>(build: (view: CatalogueView) => T): (view: CatalogueView) => T {
  const known = new Map<string, T>();
  return (view) => {
    const earlier = known.get(view.key);
    const value = earlier ?? build(view);
    if (earlier !== undefined) known.delete(view.key);
    known.set(view.key, value);
    if (known.size > MAX_VIEWS) known.delete(known.keys().next().value!);
    return value;
  };
}
