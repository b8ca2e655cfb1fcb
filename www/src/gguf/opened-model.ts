import type { GgmlTypeInfo, Gguf, GgufSource } from "gguf-wasm/explain";
import type { GgufSet } from "gguf-wasm/full";
import type { LegacyModel, LegacyOptions } from "gguf-wasm/convert";

/** How a model in a format before GGUF is opened. It can be posted to a worker, unless the source is an object with functions. */
export interface LegacyOpening {
  /** The file or its parts in their order, or the absolute address of the first part. */
  readonly source: GgufSource | readonly GgufSource[];
  readonly options: Pick<LegacyOptions, "family" | "retries"> & { readonly headers?: [string, string][] };
}

/** An open model: one file, or a set of shards. */
export interface OpenedModel {
  /** The file, or the set as one file. */
  readonly gguf: Gguf;
  readonly set: GgufSet | undefined;
  /** The source of the file, or of each shard. Undefined for a shard that cannot be read. */
  readonly sources: readonly (GgufSource | undefined)[];
  /** The model as it is stored, if it is in a format before GGUF. */
  readonly legacy?: LegacyDetails;
  /** Whether the files are safetensors, whose tensors `gguf` shows. */
  readonly isSafetensors?: boolean;
  /** What the file is opened from, if it is not a file of its own. */
  readonly container?: Container;
  /** The files as they are stored, if `gguf` is not one of them: those of a model in a format before GGUF. They can be hashed. */
  readonly stored?: readonly StoredFile[];
  free(): void;
}

/** A file that is inside another one, or that is read from several parts; or shards that were joined into one file. */
export interface Container {
  readonly kind: "llamafile" | "ZIP archive" | "raw parts" | "joined shards";
  /** The name of the file in it. */
  readonly name: string;
  /** What a person should know beyond that, as sentences; "" for nothing. */
  readonly problem: string;
  /** The number of raw parts, of joined shards, or of files that are open. */
  readonly count: number;
  /** The file, if it can be saved without reading it. */
  readonly file: File | undefined;
}

/** Whether the files of a model are GGUF. Others cannot be edited, checked or compared. */
export function isGgufModel({ legacy, isSafetensors = false }: OpenedModel): boolean {
  return legacy === undefined && !isSafetensors;
}

/** A file as it is stored. */
export interface StoredFile {
  readonly name: string;
  /** Its header is empty: only the bytes of the file can be read. */
  readonly gguf: Gguf;
  readonly source: GgufSource;
}

/** A model in a format before GGUF. */
export interface LegacyDetails {
  readonly model: LegacyModel;
  /** How it was opened, for a worker that opens it again. */
  readonly opening: LegacyOpening;
  /** The tensor types that GGUF does not have. */
  readonly types: readonly GgmlTypeInfo[];
}

/** The file that editing changes: the open file, or the first shard of a set. */
export interface EditTarget {
  readonly gguf: Gguf;
  readonly source: GgufSource | undefined;
  /** Whether it is inside another file, or in raw parts, so that it cannot be changed in place. */
  readonly isContained: boolean;
  /** The number of shards of the model. Undefined if it is one file. */
  readonly shardCount: number | undefined;
}
