/** Files that the panel suggests as the second one. */

import type { Repository } from "gguf-wasm/full";
import { isOfFile } from "../repository/siblings.ts";
import { formatBytes } from "../ui/numbers.ts";
import type { OtherSource } from "./sides.ts";

/** A file that a person may want to compare with. */
export interface SuggestedFile {
  readonly name: string;
  /** Its size or its place, in a few words; "" if there is nothing to say. */
  readonly about: string;
  /**
   * What is opened. It is called after a click, so the browser may ask for permission.
   * @throws Error with a message for the person, if the file cannot be read
   */
  readonly open: () => OtherSource | Promise<OtherSource>;
}

/** Suggested files of one kind: "Opened before". */
export interface SuggestedGroup {
  readonly title: string;
  readonly files: readonly SuggestedFile[];
}

/** The most files of a repository that are suggested. */
const MOST_FILES = 12;

/**
 * The other complete models of a repository, the largest first, because the source of a quantized model is larger. `address` is the address
 * of the open file.
 */
export function siblings({ files }: Repository, address: string): SuggestedFile[] {
  return files
    .filter((file) => file.role === "model" && file.shards?.present === file.shards?.count && !isOfFile(file, address))
    .sort((one, other) => other.size - one.size)
    .slice(0, MOST_FILES)
    .map(({ name, url, size, encoding }) => ({
      name,
      about: [encoding, formatBytes(size)].filter(Boolean).join(", "),
      open: () => ({ kind: "address", address: url }),
    }));
}
