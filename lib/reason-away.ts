/** Why a server cannot be called, from its `error`: without the words that it is not available, for a text that says so. */
export function reasonAway(server: string, error: string): string {
  const known = `Server "${server}" is not available: `;
  return (error.startsWith(known) ? error.slice(known.length) : error).replace(/\.$/, '');
}
