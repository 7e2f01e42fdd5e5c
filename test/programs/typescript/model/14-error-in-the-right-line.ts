// expect-error: runtime: 6 |   return missing.name;
type Found = { name: string } | null;
function Run(): string {
  const found: Found = null;
  const missing = found as unknown as { name: string };
  return missing.name;
}
