/** The two sides of a comparison: the open file, and a second one. */

import type { GgufSource, OpenOptions } from "gguf-wasm/explain";
import type { Change } from "gguf-wasm/full";
import { fetchableAddress, fileName, originOf } from "../gguf/address.ts";
import { fullGguf, loadFull } from "../gguf/full.ts";
import { loadLibrary } from "../gguf/library.ts";
import { type ModelSource, modelSource, shardSources } from "../gguf/model-source.ts";
import type { OpenedModel } from "../gguf/opened-model.ts";
import { setName } from "../gguf/shard-set.ts";
import type { EditedFile } from "../gguf/shown-file.ts";
import { type Silence, SilenceWatch } from "../gguf/silence-watch.ts";

/** The open file. */
export interface OwnFile {
  readonly model: OpenedModel;
  readonly fileName: string;
  /** The address that was opened. Undefined for other sources. */
  readonly address: string | undefined;
  /** HTTP headers for the origin of the address. */
  readonly headers: HeadersInit | undefined;
  /** The file after editing. Undefined while the file is not being edited. */
  readonly edits: EditedFile | undefined;
  /** The changes of the edit. Undefined while the file is not being edited. */
  readonly changes: readonly Change[] | undefined;
}

/** One side of a comparison. */
export interface Side {
  readonly name: string;
  readonly model: OpenedModel;
  /** The address as it was typed. Undefined for a file without an address. */
  readonly address: string | undefined;
  /** Whether reading tensor data downloads it. */
  readonly isRemote: boolean;
  /** `open`: the file that the panels show. `edited`: the open file with unsaved changes. `original`: the open file without them. */
  readonly role: "open" | "edited" | "original" | "other";
  /** Frees what was opened for the comparison. */
  free(): void;
}

/** What a person chose as the second file. */
export type OtherSource =
  | { readonly kind: "address"; readonly address: string }
  | { readonly kind: "files"; readonly files: readonly File[] }
  | { readonly kind: "original" };

export interface OpenOtherOptions {
  signal: AbortSignal;
  /** Is called when the server of the file sends nothing, and when it sends something again. */
  onSilence: (silence: Silence | undefined) => void;
  /** HTTP headers of the open file, and the origin that they are for. They are sent to no other origin. */
  headers: HeadersInit | undefined;
  headersOrigin: string | undefined;
}

/**
 * The open file as a side. While it is being edited, that is the edited file, which is opened for the comparison.
 * @throws GgufError
 */
export async function ownSide({ edits, model, fileName: name, address }: OwnFile): Promise<Side> {
  const own = edits ? await edits.open() : model;
  return {
    name: name || "this file",
    model: own,
    address,
    isRemote: model.sources.some(isRemote),
    role: edits ? "edited" : "open",
    free: () => (edits ? own.free() : undefined),
  };
}

/** The file that is being edited, without the changes. Of a set of shards, the first one. */
export function originalSide({ model, fileName: name }: OwnFile): Side {
  const gguf = model.set?.shards[0]?.gguf ?? model.gguf;
  return {
    name: name || "this file",
    model: { gguf, set: undefined, sources: model.sources.slice(0, 1), free: () => undefined },
    address: undefined,
    isRemote: model.sources.some(isRemote),
    role: "original",
    free: () => undefined,
  };
}

/** The name of the second file before it is open. */
export function otherName(source: OtherSource): string {
  switch (source.kind) {
    case "address":
      return fileName(source.address);
    case "files":
      return source.files[0]?.name ?? "";
    case "original":
      return "the original file";
  }
}

/**
 * Opens a file or a set of shards as the second file. The address of a shard stands for its whole set.
 * @throws AddressError, GgufError
 */
export async function openOther(
  chosen: Exclude<OtherSource, { kind: "original" }>,
  { signal, onSilence, headers, headersOrigin }: OpenOtherOptions,
): Promise<Side> {
  const address = chosen.kind === "address" ? chosen.address : undefined;
  const { parseShardName } = await loadLibrary();
  const given = chosen.kind === "address" ? fetchableAddress(chosen.address, document.baseURI) : chosen.files;
  const source = modelSource(given, false, document.baseURI, parseShardName);
  const isSent =
    address !== undefined && headers !== undefined && originOf(address, document.baseURI) === headersOrigin;
  const watch = new SilenceWatch(() => onSilence(signal.aborted ? undefined : watch.silence));
  const options = { signal, fetch: watch.fetch, probeCors: true, ...(isSent ? { headers } : {}) };
  const model = await openModel(source, options).finally(() => watch.stop());
  if (signal.aborted) {
    model.free();
    signal.throwIfAborted();
  }
  return {
    name: (model.set && setName(model.set)) || otherName(chosen),
    model,
    address,
    isRemote: model.sources.some(isRemote),
    role: "other",
    free: () => model.free(),
  };
}

async function openModel(
  source: ModelSource,
  options: Pick<OpenOptions, "signal" | "fetch" | "probeCors" | "headers">,
): Promise<OpenedModel> {
  const { Gguf, GgufSet } = await loadFull();
  if (source.kind === "file") {
    const gguf = await Gguf.open(source.source, options);
    return { gguf, set: undefined, sources: [source.source], free: () => gguf.free() };
  }
  const set = await GgufSet.open(source.source, options);
  const sources = shardSources(set.shards, source.source);
  const free = () => set.free();
  const [first] = set.shards;
  if (set.shards.length === 1 && first?.gguf) return { gguf: first.gguf, set: undefined, sources, free };
  return { gguf: set.merged, set, sources, free };
}

/** Whether the bytes of a source come over the network. */
export function isRemote(source: GgufSource | undefined): boolean {
  return (typeof source === "string" || source instanceof URL) && !String(source).startsWith("blob:");
}

/** The bytes of all tensors of a side, as far as they are known. */
export function tensorBytes({ model }: Side): number {
  return model.gguf.tensors.reduce((sum, { byteLength = 0 }) => sum + byteLength, 0);
}

/** The number of tensors of a side. */
export function tensorCount({ model }: Side): number {
  return model.gguf.tensors.length;
}

/** Whether a side is the open file, edited or not. */
export function isOwn({ role }: Side): boolean {
  return role === "open" || role === "edited";
}

/** What the package compares of a side. */
export async function subjectOf({ model }: Side) {
  return model.set ?? fullGguf(model.gguf);
}
