/** Searches the models of the Hugging Face Hub that have GGUF files. */

import { failureOf, type Failure } from "../gguf/failure.ts";
import { HUB } from "../gguf/repository-place.ts";
import { formatCount } from "../ui/numbers.ts";

/** A repository that a search has found. */
export interface FoundModel {
  /** `owner/name`. */
  readonly id: string;
  /** How often it was downloaded in the last 30 days, as the hub counts. */
  readonly downloads: number | undefined;
  readonly likes: number | undefined;
  readonly changed: Date | undefined;
  /** Whether its files can be read only after its conditions were accepted. */
  readonly isGated: boolean;
}

/** The most models of a search. */
export const MOST_MODELS = 50;
/** The most bytes of an answer that are read. The hub needs some hundreds for each model. */
const MOST_BYTES = 2_000_000;
/** The milliseconds that the answer may take. */
const TIMEOUT = 60_000;

/** How a search asks the hub. */
export interface SearchOptions {
  /** Go to the hub only. */
  readonly headers: HeadersInit | undefined;
  readonly signal: AbortSignal;
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
}

/** The result of a search: models, or why there are none. */
export type SearchResult = readonly FoundModel[] | { readonly failure: Failure };

/** The address of a search: `https://huggingface.co/docs/hub/api`. The models that are downloaded most come first. */
export function searchUrl(words: string): string {
  const fields = ["downloads", "likes", "lastModified", "gated"].map((name) => ["expand", name]);
  const query = [
    ["search", words],
    ["filter", "gguf"],
    ["sort", "downloads"],
    ["direction", "-1"],
  ];
  return `${HUB}/api/models?${new URLSearchParams([...query, ["limit", String(MOST_MODELS)], ...fields]).toString()}`;
}

/** Asks the hub once. Throws only if `signal` is aborted. */
export async function searchModels(words: string, { headers, signal, fetch }: SearchOptions): Promise<SearchResult> {
  const url = searchUrl(words);
  const known = { about: "search", url } as const;
  const timeout = AbortSignal.timeout(TIMEOUT);
  try {
    // A redirect could lead the headers to another server.
    const redirect = headers === undefined ? "follow" : "manual";
    const init = {
      signal: AbortSignal.any([signal, timeout]),
      redirect,
      ...(headers === undefined ? {} : { headers }),
    };
    const response = await fetch(url, init as RequestInit);
    const { status } = response;
    if (status !== 200) return { failure: { ...refusal(response), ...known, status } };
    const models = readModels(await readText(response));
    const message = "the answer is no JSON list of models";
    return models ?? { failure: { code: "bad-response", message, status, ...known } };
  } catch (error) {
    signal.throwIfAborted();
    if (timeout.aborted) return { failure: { code: "timeout", message: `no answer in ${TIMEOUT / 1000} s`, ...known } };
    // Browsers tell no reason.
    return { failure: failureOf(error, { code: "network", ...known }) };
  }
}

/** The models of an answer, at most `MOST_MODELS`. Entries without the name of a repository are left out. Undefined if it is no list. */
export function readModels(text: string): FoundModel[] | undefined {
  let list: unknown;
  try {
    list = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!Array.isArray(list)) return undefined;
  return list.slice(0, MOST_MODELS).flatMap((entry: unknown) => {
    const { id, downloads, likes, lastModified, gated } = (entry ?? {}) as Partial<Record<string, unknown>>;
    if (typeof id !== "string" || !/^[\w-][\w.-]{0,95}\/[\w-][\w.-]{0,95}$/.test(id)) return [];
    const changed = new Date(typeof lastModified === "string" ? lastModified : NaN);
    return {
      id,
      downloads: countOf(downloads),
      likes: countOf(likes),
      changed: Number.isNaN(changed.getTime()) ? undefined : changed,
      // The hub says `false`, "auto" or "manual".
      isGated: typeof gated === "string",
    };
  });
}

function countOf(value: unknown): number | undefined {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

/** The text of a response. If it is longer than the limit, returns "", which is not valid JSON. */
async function readText(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let text = "";
  for (let length = 0; reader !== undefined;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    length += value.length;
    // One piece may be larger than the limit.
    if (length > MOST_BYTES) break;
    text += decoder.decode(value, { stream: true });
  }
  await reader?.cancel();
  return "";
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
