import type { Server } from '@modelcontextprotocol/server';
import type { Peer } from './method.ts';
import { followOwnLists } from './own-lists.ts';
import type { ServerServices } from './services.ts';

/** Tells a client that stays connected (stdio, SSE) of its changed lists, from its `initialized` on, until it goes. */
export async function followLists(server: Server, services: ServerServices, { caller, era }: Peer): Promise<void> {
  let ready = era === 'modern';
  const { oninitialized, onclose } = server;
  server.oninitialized = () => {
    ready = true;
    oninitialized?.();
  };
  const stop = await followOwnLists(services, caller, (lists) => {
    if (!ready) return;
    for (const list of lists) {
      server.notification({ method: `notifications/${list}/list_changed` }).catch(() => {});
    }
  });
  server.onclose = () => {
    stop();
    onclose?.();
  };
}
