/** The answer as it is; calls back when it has been read to its end, or the reader has gone. */
export function whenDone(response: Response, done: () => void): Response {
  if (!response.body) {
    done();
    return response;
  }
  const watched = response.body.pipeThrough(
    new TransformStream({
      flush: done,
      cancel: done,
    } as Transformer<Uint8Array, Uint8Array>),
  );
  return new Response(watched, { status: response.status, headers: response.headers });
}
