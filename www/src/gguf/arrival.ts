/** What is known about a header before it can be read as a whole. */

import type { NamedFacts } from "./named-facts.ts";

/** How much of a header has arrived, and what is known besides. */
export interface Arrival {
  /** Stands in place of a fact that is not known: "not read yet". */
  readonly missing: string;
  /** The entries and tensors that the file announces. Undefined until it has told. */
  readonly metadataCount: number | undefined;
  readonly tensorCount: number | undefined;
  /** Whether the header is complete, so that all that follows from the whole is known. */
  readonly isWhole: boolean;
  readonly hasAllMetadata: boolean;
  readonly hasAllTensors: boolean;
  /** What the name of the file declares. */
  readonly named: NamedFacts;
  /** The file type that the metadata declares: `Q4_K_M`. */
  readonly fileType: string | undefined;
  /** The number of elements of the array of a key, whose elements cannot be read yet. */
  arrayLength(key: string): number | undefined;
}
