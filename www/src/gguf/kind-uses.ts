/** What people can do with a file of a kind. The viewer offers only panels that the kind has a use for. */

import type { FileKind } from "gguf-wasm/explain";
import type { ShownHeader } from "./shown-file.ts";
import { startedLibrary } from "./started-library.ts";

/** Whether a kind has a use. */
export interface KindUses {
  /** llama.cpp loads such a file as a model of its own, so its memory can be estimated. */
  readonly isLoaded: boolean;
  /** The file may be of a model that answers in conversations, so a chat template can be added. */
  readonly isChat: boolean;
  /** llama.cpp loads such a file from several shards. */
  readonly isSplit: boolean;
  /** The tensors have names of llama.cpp, which tell their roles. */
  readonly hasRoles: boolean;
  /** The tensors are the weights of a whole model with known names, which can be drawn as a graph. */
  readonly isComputed: boolean;
}

const CHAT: KindUses = { isLoaded: true, isChat: true, isSplit: true, hasRoles: true, isComputed: true };
const MODEL: KindUses = { ...CHAT, isChat: false };
/** A file that stands beside a model. */
const PART: KindUses = { isLoaded: false, isChat: false, isSplit: false, hasRoles: true, isComputed: true };
/** A file with numbers about a model, or with changes of it. */
const BESIDE: KindUses = { ...PART, isComputed: false };
/** A file that another program reads. */
const OTHER: KindUses = { ...PART, hasRoles: false };

/** The kinds of files, models in the formats before GGUF, and safetensors. */
const KIND_USES: Readonly<Record<FileKind | "legacy" | "safetensors", KindUses>> = {
  // Their tensors have names from before llama.cpp had its own.
  legacy: { ...OTHER, isComputed: false },
  safetensors: OTHER,
  model: CHAT,
  embedding: MODEL,
  reranker: MODEL,
  classifier: MODEL,
  "text-diffusion": CHAT,
  "image-diffusion": OTHER,
  vae: OTHER,
  "text-encoder": OTHER,
  clip: PART,
  "text-to-speech": MODEL,
  "speech-recognition": OTHER,
  draft: { ...PART, isSplit: true },
  adapter: BESIDE,
  mmproj: PART,
  imatrix: BESIDE,
  "control-vector": BESIDE,
  // The chat template is one of the entries of the tokenizer.
  vocabulary: { ...BESIDE, isChat: true },
  // A shard can be opened with its set. Alone, it is a part of a model.
  shard: { ...BESIDE, isSplit: true },
  // It may be a model whose metadata is not complete yet.
  unknown: CHAT,
};

/** What people can do with a file. Those of other programs than llama.cpp have no use for what is computed by its rules. */
export function usesOf({ classification, metadata }: Pick<ShownHeader, "classification" | "metadata">): KindUses {
  const kind = classification?.kind ?? "unknown";
  return isOfOthers(kind, metadata) ? OTHER : KIND_USES[kind];
}

/** Whether the metadata of a model says that it is for other programs, which its kind does not. */
function isOfOthers(kind: FileKind, metadata: ShownHeader["metadata"]): boolean {
  const architecture = metadata.get("general.architecture");
  if (kind === "model") return architecture === undefined && !metadata.has("general.type");
  const library = startedLibrary();
  if (kind !== "text-to-speech" || !library) return false;
  return typeof architecture !== "string" || library.architectureInfo(architecture) === undefined;
}
