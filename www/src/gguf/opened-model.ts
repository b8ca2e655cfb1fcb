import type { GgmlTypeInfo, Gguf, GgufSet, GgufSource } from "gguf-wasm";
import type { LegacyModel } from "gguf-wasm/convert";

/** An open model: one file, or a set of shards. */
export interface OpenedModel {
  /** The file, or the set as one file. */
  readonly gguf: Gguf;
  readonly set: GgufSet | undefined;
  /** The source of the file, or of each shard. Undefined for a shard that cannot be read. */
  readonly sources: readonly (GgufSource | undefined)[];
  /** The model as it is stored, if it is in a format before GGUF. */
  readonly legacy?: LegacyDetails;
  free(): void;
}

/** A model in a format before GGUF. */
export interface LegacyDetails {
  readonly model: LegacyModel;
  /** The tensor types that GGUF does not have. */
  readonly types: readonly GgmlTypeInfo[];
}

/** The file that editing changes: the open file, or the first shard of a set. */
export interface EditTarget {
  readonly gguf: Gguf;
  readonly source: GgufSource | undefined;
  /** The number of shards of the model. Undefined if it is one file. */
  readonly shardCount: number | undefined;
}
