/** Searches the models of the Hugging Face Hub that have GGUF files. */

import type { Failure } from "../gguf/failure.ts";
import { type HubOptions, hubText } from "../gguf/hub-text.ts";
import { HUB } from "../gguf/repository-place.ts";

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
export async function searchModels(words: string, options: HubOptions): Promise<SearchResult> {
  const url = searchUrl(words);
  const answer = await hubText({ url, about: "search", most: MOST_BYTES }, options);
  if (answer.failure && answer.failure.code !== "limit-exceeded") return { failure: answer.failure };
  const models = answer.failure ? undefined : readModels(answer.text);
  const message = "the answer is no JSON list of models";
  return models ?? { failure: { code: "bad-response", message, status: 200, about: "search", url } };
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
