/** The request for the first bytes of a file that `public/first-request.js` makes while the modules of the page are loaded. */

interface FirstRequest {
  readonly url: string;
  readonly range: string;
  readonly response: Promise<Response>;
  readonly abort: AbortController;
}

const page = globalThis as { ggufFirstRequest?: FirstRequest | undefined };

/** `fetch`, but the first call takes the response of the early request if it is for the same bytes. Otherwise that request is cancelled. */
export function fetchOrTake(url: string, init: RequestInit = {}): Promise<Response> {
  const early = page.ggufFirstRequest;
  page.ggufFirstRequest = undefined;
  if (!early) return fetch(url, init);
  const headers = [...new Headers(init.headers)];
  const isSame = early.url === url && headers.length === 1 && headers[0]?.join() === `range,${early.range}`;
  const { signal } = init;
  if (!isSame || signal?.aborted) {
    early.abort.abort();
    return fetch(url, init);
  }
  signal?.addEventListener("abort", () => early.abort.abort(signal.reason), { once: true });
  return early.response;
}
