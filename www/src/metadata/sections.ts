import { keyInfo } from "../gguf/library.ts";
import { prefixOf } from "./metadata-rows.ts";

/** The most entries whose keys are looked up. With more entries, the sections are the prefixes of the keys. */
const MAX_LOOKED_UP = 20_000;

/** The section of keys that are not known. */
const OTHER_KEYS = "Other keys";

/** The function that names the section of a key, for a file with a number of entries. */
export function sectionTitles(entryCount: number): (key: string) => string {
  if (entryCount > MAX_LOOKED_UP) return (key) => prefixOf(key) || "No section";
  return (key) => keyInfo(key)?.section ?? OTHER_KEYS;
}
