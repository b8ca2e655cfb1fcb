/** Asking for the files of a repository. */

import type { ListOptions, Repository } from "gguf-wasm/full";
import { loadFull } from "../gguf/full.ts";
import { hubName } from "../gguf/repository-place.ts";

/** What was listed last, so that going back from a file does not ask again. */
let last: { place: string; headers: HeadersInit | undefined; repository: Repository } | undefined;

/** The files of a place, if it was listed last and with the same headers. */
export function lastListed(place: string, headers: HeadersInit | undefined): Repository | undefined {
  return last?.place === place && last.headers === headers ? last.repository : undefined;
}

/**
 * Asks Hugging Face for the files of a place.
 * @throws the reason of `signal` once it is aborted, GgufError
 */
export async function listFiles(
  place: string,
  headers: HeadersInit | undefined,
  { signal, ...options }: Pick<ListOptions, "fetch"> & { readonly signal: AbortSignal },
): Promise<Repository> {
  const { listRepository } = await loadFull();
  signal.throwIfAborted();
  const given = { ...options, signal, probeCors: true, ...(headers === undefined ? {} : { headers }) };
  const repository = await listRepository(hubName(place), given);
  last = { place, headers, repository };
  return repository;
}
