// expect-value: ["undefined","undefined","undefined"]
function Run(): string[] {
  const all = globalThis as unknown as Record<string, unknown>;
  return ['process', 'require', 'fetch'].map((name: string): string => typeof all[name]);
}
