/** What people can do with a file of a kind. The viewer offers only panels that the kind has a use for. */

import type { FileKind } from "gguf-wasm/explain";

/** Whether a kind has a use. */
export interface KindUses {
  /** llama.cpp loads such a file as a model of its own, so its memory can be estimated. */
  readonly isLoaded: boolean;
  /** The file may be of a model that answers in conversations, so a chat template can be added. */
  readonly isChat: boolean;
  /** llama.cpp loads such a file from several shards. */
  readonly isSplit: boolean;
}

const CHAT: KindUses = { isLoaded: true, isChat: true, isSplit: true };
const MODEL: KindUses = { isLoaded: true, isChat: false, isSplit: true };
/** A file that another program reads, or that stands beside a model. */
const PART: KindUses = { isLoaded: false, isChat: false, isSplit: false };

/** The kinds of files, models in the formats before GGUF, and safetensors. */
export const KIND_USES: Readonly<Record<FileKind | "legacy" | "safetensors", KindUses>> = {
  legacy: PART,
  safetensors: PART,
  model: CHAT,
  embedding: MODEL,
  reranker: MODEL,
  classifier: MODEL,
  "text-diffusion": CHAT,
  "image-diffusion": PART,
  vae: PART,
  "text-encoder": PART,
  clip: PART,
  "text-to-speech": MODEL,
  "speech-recognition": PART,
  draft: { ...PART, isSplit: true },
  adapter: PART,
  mmproj: PART,
  imatrix: PART,
  "control-vector": PART,
  // The chat template is one of the entries of the tokenizer.
  vocabulary: { ...PART, isChat: true },
  // A shard can be opened with its set.
  shard: { ...PART, isSplit: true },
  // It may be a model whose metadata is not complete yet.
  unknown: CHAT,
};
