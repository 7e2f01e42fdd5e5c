// expect-value: {"ok": true}
export async function Run() {
  const echoed = await tools.echo({ ok: true });
  return echoed;
}
