/** What the boxes of an architecture are made of. */

import type { Gguf, MemoryEstimate, MetadataValue, TensorInfo } from "gguf-wasm/explain";
import { usualMemory } from "../../gguf/usual-memory.ts";
import type { BlockRole, TensorPlace } from "../block-roles.ts";

type Metadata = ReadonlyMap<string, MetadataValue>;

/** What a model is made of. */
export interface ModelSource {
  readonly architecture: string;
  readonly metadata: Metadata;
  readonly tensors: readonly TensorInfo[];
  /** An estimate of its memory: it tells which layers have a window, and which have keys and values of their own. */
  readonly estimate: Pick<MemoryEstimate, "caches" | "state" | "weights"> | undefined;
}

/** A tensor with its place in the model. */
export interface PlacedTensor {
  readonly tensor: TensorInfo;
  readonly place: TensorPlace;
  readonly part: BlockRole;
}

/** What is needed of a file. Files that are no models have no estimate. */
export function modelSource(gguf: Pick<Gguf, "memory" | "metadata" | "tensors">): ModelSource {
  const { metadata, tensors } = gguf;
  const architecture = metadata.get("general.architecture");
  let estimate: MemoryEstimate | undefined;
  try {
    estimate = usualMemory(gguf);
  } catch {
    // The settings of the file are refused. The checks say why.
  }
  return { architecture: typeof architecture === "string" ? architecture : "", metadata, tensors, estimate };
}
