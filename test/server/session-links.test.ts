import { describe, expect, it } from 'vitest';
import { createSessionLinks } from '../../lib/server/session-links.ts';
import { createMemorySessions } from '../../lib/session/memory.ts';
import { createMemoryAnswers } from '../../lib/session/memory-answers.ts';

const MAX_HELD = 10_000;
const session = (id: string) => ({
  id,
  protocolVersion: '2025-11-25',
  capabilities: { elicitation: {} },
  createdAt: 0,
  expiresAt: 1,
});

describe('the links of sessions that never end', () => {
  it('are forgotten, the longest unused first, but not while something goes through them', async () => {
    const links = createSessionLinks({
      randomId: () => 'asked',
      sessions: createMemorySessions(),
      now: Date.now,
      answers: createMemoryAnswers(),
      standalone: () => true,
    });
    const open = links.of(session('open'));
    const detach = links.attach(session('open'), () => {});
    const asked = links.of(session('asked'));
    const answer = asked.client()!.session!.answer!('elicitation/create', {}, new AbortController().signal);
    const used = links.of(session('used'));
    const idle = links.of(session('idle'));
    expect(links.of(session('used'))).toBe(used);
    for (let i = 0; i < MAX_HELD - 3; i++) links.of(session(`${i}`));
    expect(links.of(session('open'))).toBe(open);
    expect(links.of(session('asked'))).toBe(asked);
    expect(links.of(session('used'))).toBe(used);
    expect(links.of(session('idle'))).not.toBe(idle);
    await links.respond(session('asked'), { jsonrpc: '2.0', id: 'asked', result: { action: 'accept' } });
    expect(await answer).toEqual({ action: 'accept' });
    detach();
  });
});
