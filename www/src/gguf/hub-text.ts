/** Small texts of the Hugging Face Hub: answers of its API, and files of repositories. */

import { formatCount } from "../ui/numbers.ts";
import { failureOf, type Failure } from "./failure.ts";

/** The milliseconds that an answer may take. */
const TIMEOUT = 60_000;

/** How the hub is asked. */
export interface HubOptions {
  /** Go to the hub only. */
  readonly headers: HeadersInit | undefined;
  readonly signal: AbortSignal;
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
}

/** What is asked for. */
interface HubQuestion {
  readonly url: string;
  readonly about: NonNullable<Failure["about"]>;
  /** The most bytes of an answer that are read. */
  readonly most: number;
  /**
   * Whether the hub may redirect a request with an access token, as it does for files. Only the header `Authorization` is sent then: browsers
   * remove it from a request to another origin.
   */
  readonly redirects?: boolean;
}

/** An answer, or why there is none. */
export type HubText = { readonly text: string; readonly failure?: never } | { readonly failure: Failure };

/** Asks the hub once. An answer that is too long is a failure. Throws only if `signal` is aborted. */
export async function hubText(question: HubQuestion, { headers, signal, fetch }: HubOptions): Promise<HubText> {
  const { url, about, most, redirects = false } = question;
  const known = { about, url };
  const timeout = AbortSignal.timeout(TIMEOUT);
  try {
    // A redirect could lead the headers to another server.
    const redirect = headers === undefined || redirects ? "follow" : "manual";
    const sent = redirects ? authorizationOf(headers) : headers;
    const init: RequestInit = {
      signal: AbortSignal.any([signal, timeout]),
      redirect,
      ...(sent === undefined ? {} : { headers: sent }),
    };
    const response = await fetch(url, init);
    const { status } = response;
    if (status !== 200) return { failure: { ...refusal(response), ...known, status } };
    const text = await readText(response, most);
    if (text !== undefined) return { text };
    return { failure: { code: "limit-exceeded", message: `the answer has more than ${most} bytes`, status, ...known } };
  } catch (error) {
    signal.throwIfAborted();
    if (timeout.aborted) return { failure: { code: "timeout", message: `no answer in ${TIMEOUT / 1000} s`, ...known } };
    // Browsers tell no reason.
    return { failure: failureOf(error, { code: "network", ...known }) };
  }
}

function authorizationOf(headers: HeadersInit | undefined): HeadersInit | undefined {
  const authorization = new Headers(headers).get("Authorization");
  return authorization === null ? undefined : { Authorization: authorization };
}

/** The text of a response. Undefined if it is longer than the limit. */
async function readText(response: Response, most: number): Promise<string | undefined> {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let text = "";
  for (let length = 0; reader !== undefined;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    length += value.length;
    // One piece may be larger than the limit.
    if (length > most) {
      await reader.cancel();
      return undefined;
    }
    text += decoder.decode(value, { stream: true });
  }
  return text;
}

function refusal({ status, headers }: Response): Pick<Failure, "code" | "message"> {
  if (status === 401 || status === 403) return { code: "repository-denied", message: `the hub answered ${status}` };
  if (status !== 429) return { code: "http", message: `the hub answered ${status}, expected 200` };
  const seconds = waitOf(headers);
  const when =
    seconds === undefined
      ? "in some minutes"
      : seconds < 1
        ? "now"
        : seconds < 120
          ? `in ${formatCount(seconds, "second")}`
          : `in ${formatCount(Math.ceil(seconds / 60), "minute")}`;
  return {
    code: "rate-limited",
    message: `Hugging Face has received too many requests from this network or account (status 429). Try again ${when}. With an access token, more requests are allowed`,
  };
}

/** The seconds until more requests are allowed: the header `Retry-After`, or `t` in `RateLimit`. */
function waitOf(headers: Headers): number | undefined {
  const after = /^\d{1,9}$/.exec(headers.get("Retry-After") ?? "")?.[0];
  const limit = /(?:^|[;,])\s*t\s*=\s*(\d{1,9})\s*(?:$|[;,])/.exec(headers.get("RateLimit") ?? "")?.[1];
  const seconds = after ?? limit;
  return seconds === undefined ? undefined : Number(seconds);
}
