import type { Server } from '@modelcontextprotocol/server';
import type { ServerServices } from './services.ts';

/** Tells a client that stays connected (stdio, SSE) of changed lists, from its `initialized` on, until it goes. */
export function followLists(server: Server, services: ServerServices, era: 'legacy' | 'modern'): void {
  let ready = era === 'modern';
  const { oninitialized, onclose } = server;
  server.oninitialized = () => {
    ready = true;
    oninitialized?.();
  };
  const stop = services.onChange((lists) => {
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
