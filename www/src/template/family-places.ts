/** The repositories whose templates belong to the family of a model, by what its file says about its origin. */

import type { MetadataValue } from "gguf-wasm/explain";
import { placeOfLink } from "../gguf/repository-place.ts";

/** The most base models of a file that are offered. A merged model may have dozens. */
const MOST_BASES = 4;

/** The keys that name a repository. The models that this one was made of come first. */
const KEYS = [
  ...Array.from({ length: MOST_BASES }, (_, at) => `general.base_model.${at}.repo_url`),
  "general.source.huggingface.repository",
  "general.source.repo_url",
  "general.source.url",
  "general.repo_url",
];

/** `owner/name` of each repository, each once. */
export function familyPlaces(metadata: ReadonlyMap<string, MetadataValue>): string[] {
  const places = KEYS.flatMap((key) => {
    const value = metadata.get(key);
    // Longer texts are no addresses.
    const place = typeof value === "string" && value.length <= 500 ? placeOfLink(value) : undefined;
    // Data sets and spaces have no template.
    return place === undefined || /^(?:datasets|spaces)\//.test(place) ? [] : [place];
  });
  return [...new Map(places.map((place) => [place.toLowerCase(), place])).values()].slice(0, MOST_BASES);
}
