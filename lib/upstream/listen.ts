import type { Client } from '@modelcontextprotocol/client';

/** First wait and bound of the waits between two attempts to listen (milliseconds). */
const LISTEN_AGAIN_MS = 1000;
const MAX_LISTEN_AGAIN_MS = 60_000;

/** Keeps a `subscriptions/listen` stream open while the connection lives. */
export async function listenForChanges(client: Client, closed: () => boolean): Promise<void> {
  const offered = client.getServerCapabilities();
  const filter = {
    ...(offered?.tools?.listChanged && { toolsListChanged: true }),
    ...(offered?.prompts?.listChanged && { promptsListChanged: true }),
    ...(offered?.resources?.listChanged && { resourcesListChanged: true }),
  };
  if (Object.keys(filter).length === 0) return;
  for (let wait = LISTEN_AGAIN_MS; !closed(); wait = Math.min(wait * 2, MAX_LISTEN_AGAIN_MS)) {
    try {
      const subscription = await client.listen(filter);
      wait = LISTEN_AGAIN_MS;
      await subscription.closed;
    } catch {}
    await new Promise<void>((resolve) => setTimeout(resolve, wait).unref());
  }
}
