/**
 * Turns an event stream that holds nothing but the answer into plain JSON; one in which something comes before the answer
 * (progress, a question) stays a stream. The SDK writes each event in one piece.
 */
export async function jsonUnlessMore(response: Response): Promise<Response> {
  if (!response.body || !response.headers.get('content-type')?.startsWith('text/event-stream')) return response;
  const reader = response.body.getReader();
  const { done, value } = await reader.read();
  if (done) return new Response(null, { status: 202 });
  // Of the characters that end a line for a regular expression, U+2028 and U+2029 may stand in JSON as they are.
  const data = /(?:^|\n)data: ([^\n]*)/.exec(new TextDecoder().decode(value))?.[1];
  if (data !== undefined && isAnswer(data)) {
    await reader.cancel();
    return new Response(data, { status: response.status, headers: { 'content-type': 'application/json' } });
  }
  const rest = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(value),
    async pull(controller) {
      const next = await reader.read();
      if (next.done) controller.close();
      else controller.enqueue(next.value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
  return new Response(rest, { status: response.status, headers: response.headers });
}

/** Whether a message is a response: those of the SDK begin with their result or error, requests have a method. */
function isAnswer(text: string): boolean {
  const message = JSON.parse(text) as object;
  return 'result' in message || 'error' in message;
}
