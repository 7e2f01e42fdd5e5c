// expect-value: {"ok": true}
export type Answer = { ok: boolean };
export async function Run(): Promise<Answer> {
  return (await tools.echo({ ok: true })) as Answer;
}
