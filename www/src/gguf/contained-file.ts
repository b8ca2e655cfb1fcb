/** Files that are opened from others: the GGUF file in a llamafile or a ZIP archive, one that was cut into raw parts, and joined shards. */

import type { Gguf, GgufSource } from "gguf-wasm/explain";
import { type ByteSource, joinedSource, remoteSource } from "gguf-wasm/common/byte-sources.js";
import { containedGguf } from "gguf-wasm/common/contained-gguf.js";
import { joinedShards } from "gguf-wasm/common/joined-shards.js";
import { missingParts, rawPart, rawSets } from "gguf-wasm/common/raw-parts.js";
import { remoteParts } from "gguf-wasm/common/remote-parts.js";
import { fileName } from "./address.ts";
import type { Failure } from "./failure.ts";
import { errorFrom } from "./failure.ts";
import type { Container } from "./opened-model.ts";

/** A source that is opened in place of another one, with what it is. */
export interface ContainedFile {
  readonly source: GgufSource;
  readonly container: Container;
}

/** How requests are made. */
export type RequestOptions = NonNullable<Parameters<typeof remoteSource>[1]>;

/** The formats that can contain a GGUF file. A program can have an archive behind it. */
const CONTAINERS: Partial<Record<NonNullable<Failure["looksLike"]>, Container["kind"]>> = {
  llamafile: "llamafile",
  program: "llamafile",
  zip: "ZIP archive",
};

const fileOf = (source: ByteSource) => (source instanceof File ? source : undefined);

/** The GGUF file inside a file that could not be opened. Undefined if there is none. */
export async function containedFile(
  { looksLike }: Failure,
  given: GgufSource,
  options: RequestOptions,
): Promise<ContainedFile | undefined> {
  const kind = looksLike && CONTAINERS[looksLike];
  if (!kind) return undefined;
  const outer = await rangesOf(given, options).catch(() => undefined);
  const inside = outer && (await containedGguf(outer).catch(() => undefined));
  if (!inside) return undefined;
  const { name, source, others } = inside;
  const problem = others.length === 0 ? "" : `It also has ${others.join(", ")}.`;
  return { source, container: { kind, name, problem, count: 1, file: fileOf(source) } };
}

async function rangesOf(given: GgufSource, options: RequestOptions): Promise<ByteSource | undefined> {
  if (given instanceof Blob) return given;
  return typeof given === "string" || given instanceof URL ? remoteSource(String(given), options) : undefined;
}

/** The shards that were joined into an open file. `open` opens one of them. Undefined if the file is one shard, or no shard. */
export async function shardsInside(
  gguf: Gguf,
  given: GgufSource,
  open: (source: GgufSource) => Promise<Gguf>,
  options: RequestOptions,
): Promise<{ sources: readonly GgufSource[]; container: Container } | undefined> {
  const source = await rangesOf(given, options).catch(() => undefined);
  const name = sourceName(given);
  const base = name.replace(/\.gguf$/i, "");
  const { shards } = (source && (await joinedShards(gguf, source, base, open).catch(() => undefined))) ?? {};
  if (!shards) return undefined;
  return {
    sources: shards,
    container: { kind: "joined shards", name, problem: "", file: undefined, count: shards.length },
  };
}

/** The name of a source, if it is a file or an address. */
export function sourceName(source: GgufSource): string {
  if (source instanceof File) return source.name;
  return typeof source === "string" || source instanceof URL ? fileName(String(source)) : "";
}

/**
 * The file that raw parts are cut from. Undefined if the names are not those of raw parts.
 * @throws a failure with the code `missing-parts` if the first part is not there
 */
export async function joinedParts(
  given: readonly GgufSource[],
  options: RequestOptions,
): Promise<ContainedFile | undefined> {
  const [first] = given;
  const part = first === undefined ? undefined : rawPart(sourceName(first));
  if (first === undefined || !part) return undefined;
  const isAddress = typeof first === "string" || first instanceof URL;
  const parts: { name: string; source: ByteSource }[] = isAddress
    ? await remoteParts(part, String(first), options)
    : given.flatMap((source) => (source instanceof File ? [{ name: source.name, source }] : []));
  const [set, ...others] = rawSets(parts, ({ name }) => name);
  if (!set || others.length > 0) return undefined;
  const problem = missingParts(set) ?? "";
  if (!set.isBeginning) throw errorFrom({ code: "missing-parts", message: problem });
  const joined = joinedSource(
    set.parts.map(({ source }) => source),
    part.base,
  );
  const { length } = set.parts;
  return {
    source: joined,
    container: { kind: "raw parts", name: part.base, problem, count: length, file: fileOf(joined) },
  };
}
