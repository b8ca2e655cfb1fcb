/** What is opened: one file, or the shards of one model. */

import type { GgufSource, ShardName } from "gguf-wasm/explain";
import type { GgufSet } from "gguf-wasm/full";
import { fetchableAddress, fileName } from "./address.ts";
import type { OpenedModel } from "./opened-model.ts";

/** What `<gguf-viewer>` can be given: a source, or a source for each shard of a model. */
export type ViewerSource = GgufSource | readonly GgufSource[] | SelfOpening;

/** A model in another format, which opens itself as one that the viewer shows. */
export interface SelfOpening {
  readonly name: string;
  /** Must be called `openModel`: no other source has such a method. */
  openModel(signal: AbortSignal): Promise<OpenedModel>;
}

export function opensItself(source: ViewerSource | undefined): source is SelfOpening {
  return typeof source === "object" && "openModel" in source;
}

export type ModelSource =
  | { readonly kind: "file"; readonly source: GgufSource }
  /** The address of any shard, or the sources of the shards that there are. */
  | { readonly kind: "set"; readonly source: string | readonly GgufSource[] };

/** Takes the name of a shard apart: `parseShardName` of the package. Both modules have it. */
type ParseShardName = (name: string) => ShardName | undefined;

/**
 * What is opened for a source. The address of a shard stands for the whole model, unless the shard is opened alone.
 * @throws AddressError
 */
export function modelSource(
  source: Exclude<ViewerSource, SelfOpening>,
  isAlone: boolean,
  base: string,
  parse: ParseShardName,
): ModelSource {
  if (isSourceList(source)) {
    const [first] = source;
    return source.length === 1 && first !== undefined ? { kind: "file", source: first } : { kind: "set", source };
  }
  if (typeof source !== "string" && !(source instanceof URL)) return { kind: "file", source };
  const address = fetchableAddress(String(source), base);
  const { count = 1 } = parse(fileName(address)) ?? {};
  return { kind: !isAlone && count > 1 ? "set" : "file", source: address };
}

/** The name of a shard. Both modules take such a name apart, but they are not there when the page asks first. */
const SHARD = /-\d{5}-of-\d{5}\.gguf/i;

/**
 * What a source probably is, before the modules are there: one GGUF file, or the address of a shard of a set. Undefined for several files and
 * other formats.
 */
export function expectedKind(source: ViewerSource, fileName: string, isAlone: boolean): "file" | "shard" | undefined {
  if (opensItself(source) || (isSourceList(source) && source.length > 1)) return undefined;
  const isAddress = typeof source === "string" || source instanceof URL;
  return isAddress && !isAlone && SHARD.test(fileName) ? "shard" : "file";
}

export function isSourceList(source: ViewerSource | undefined): source is readonly GgufSource[] {
  return Array.isArray(source);
}

/**
 * The source of each shard, in the order of `shards`. Undefined for a shard that is missing, and where two sources have the name of
 * the shard.
 */
export function shardSources(
  shards: GgufSet["shards"],
  source: string | readonly GgufSource[],
): (GgufSource | undefined)[] {
  return shards.map(({ gguf, name, url }) => {
    if (gguf === undefined) return undefined;
    if (typeof source === "string") return url;
    const named = source.filter((one) => (url === undefined ? nameOf(one) === name : String(one) === url));
    return named.length === 1 ? named[0] : undefined;
  });
}

function nameOf(source: GgufSource): string | undefined {
  const { name } = source as { name?: unknown };
  return typeof name === "string" ? name : undefined;
}
