/** A model as boxes: what comes before its blocks, its blocks with equal ones folded, and what comes after them. */

import type { Gguf, MemoryEstimate, MetadataValue, TensorInfo } from "gguf-wasm";
import { formatCount, formatInteger, formatParameters } from "../../ui/numbers.ts";
import { type BlockRole, blockRole, type TensorPlace } from "../block-roles.ts";
import { commonStart } from "../common-start.ts";
import { formatBlocks } from "../number-ranges.ts";

/** A box of the picture. */
export interface Box {
  readonly kind: BlockRole["part"] | "outer" | "shared";
  readonly title: string;
  /** Dimensions and numbers, one fact in a line. */
  readonly lines: readonly string[];
  /** The words that filter the table of tensors. Undefined if the box has no tensors of its own. */
  readonly filter: string | undefined;
}

/** Blocks with the same tensors and settings. */
export interface BlockFold {
  readonly title: string;
  /** The numbers of the blocks, ascending. */
  readonly blocks: readonly number[];
  /** The elements of the tensors of one block. */
  readonly parameters: number;
  readonly boxes: readonly Box[];
}

/** What a picture shows from top to bottom: boxes beside each other, or folded blocks. */
export type Stage = { readonly boxes: readonly Box[] } | { readonly folds: readonly BlockFold[] };

/** The most kinds of blocks that are shown for a part of a model. */
const MOST_FOLDS = 8;
/** The most boxes beside each other outside of blocks. */
const MOST_OUTER = 6;

type Metadata = ReadonlyMap<string, MetadataValue>;

/** What a model is made of. */
export interface ModelSource {
  readonly architecture: string;
  readonly metadata: Metadata;
  readonly tensors: readonly TensorInfo[];
  /** An estimate of its memory: it tells which layers have a window, and which have keys and values of their own. */
  readonly estimate: Pick<MemoryEstimate, "caches" | "state" | "weights"> | undefined;
}

interface PlacedTensor {
  readonly tensor: TensorInfo;
  readonly place: TensorPlace;
  readonly part: BlockRole;
}

/** The stages of a model in the order in which data passes them. */
export function modelStages(source: ModelSource, placeOf: (name: string) => TensorPlace | undefined): Stage[] {
  const outer = new Map<string, PlacedTensor[]>();
  const blocks = new Map<string, Map<number, PlacedTensor[]>>();
  for (const tensor of source.tensors) {
    const place = placeOf(tensor.name);
    if (place === undefined) continue;
    const placed = { tensor, place, part: blockRole(place.role) };
    if (place.block === undefined) listOf(outer, place.role.section).push(placed);
    else {
      const part = blocks.get(place.prefix) ?? new Map<number, PlacedTensor[]>();
      blocks.set(place.prefix, part);
      listOf(part, place.block).push(placed);
    }
  }
  // Tensors of one dimension, such as factors of the rotary embedding, are details.
  const model = (outer.get("Model") ?? []).filter(({ tensor }) => tensor.dimensions.length > 1);
  outer.delete("Model");
  const inputs = model.filter(isInput).sort(largestFirst);
  const outputs = model.filter((placed) => !isInput(placed) && !isNorm(placed)).sort(largestFirst);
  const stages: Stage[] = [];
  const addBoxes = (boxes: readonly Box[]) => {
    if (boxes.length > 0) stages.push({ boxes: boxes.slice(0, MOST_OUTER) });
  };
  addBoxes(inputs.map((placed) => outerBox(placed)));
  // Encoders of images and sound come before what projects their results.
  const sections = [...outer].sort(([a], [b]) => Number(isProjector(a)) - Number(isProjector(b)));
  const before = sections.filter(([title]) => !isProjector(title));
  addBoxes(before.map(([title, tensors]) => sectionBox(title, tensors)));
  for (const [prefix, numbered] of blocks) {
    const folds = foldBlocks(source, prefix, numbered);
    if (folds.length > 0) stages.push({ folds: folds.slice(0, MOST_FOLDS) });
  }
  addBoxes(sections.filter(([title]) => isProjector(title)).map(([title, tensors]) => sectionBox(title, tensors)));
  addBoxes([...outputs.map((placed) => outerBox(placed)), ...tiedOutput(source)]);
  return stages;
}

/** Blocks with the same tensors and the same settings are one fold. Folds stand in the order of their first block. */
function foldBlocks(source: ModelSource, prefix: string, numbered: ReadonlyMap<number, PlacedTensor[]>): BlockFold[] {
  let folds = foldBy(numbered, (tensors, block) => [signatureOf(tensors), layerFacts(source, prefix, block)]);
  // The sizes may differ from block to block. Then blocks with the same roles are one fold.
  const differ = folds.size > MOST_FOLDS;
  if (differ) folds = foldBy(numbered, (tensors) => [...new Set(tensors.map(({ part }) => part.part))].sort());
  const isAlone = folds.size === 1;
  return [...folds.values()].map(({ blocks, tensors }) => {
    const [first = 0] = blocks;
    const section = tensors[0]?.place.role.section ?? "Block";
    const count = blocks.length === 1 ? section : `${formatInteger(blocks.length)} × ${section.toLowerCase()}`;
    return {
      title: isAlone && blocks.length > 1 ? count : `${count}: ${formatBlocks(blocks)}`,
      blocks,
      parameters: tensors.reduce((sum, { tensor }) => sum + (tensor.elementCount ?? 0), 0),
      // A filter finds the tensors of all blocks, or those of one.
      boxes: blockBoxes(source, prefix, first, tensors, isAlone ? prefix : `${prefix}${first}.`).map((box) =>
        differ && blocks.length > 1 ? { ...box, lines: ["sizes differ from block to block"] } : box,
      ),
    };
  });
}

/** Blocks with the same key, in the order of their first block. */
function foldBy(
  numbered: ReadonlyMap<number, PlacedTensor[]>,
  keyOf: (tensors: readonly PlacedTensor[], block: number) => unknown,
): Map<string, { blocks: number[]; tensors: readonly PlacedTensor[] }> {
  const folds = new Map<string, { blocks: number[]; tensors: readonly PlacedTensor[] }>();
  for (const block of [...numbered.keys()].sort((a, b) => a - b)) {
    const tensors = numbered.get(block) ?? [];
    const key = JSON.stringify(keyOf(tensors, block));
    const fold = folds.get(key);
    if (fold) fold.blocks.push(block);
    else folds.set(key, { blocks: [block], tensors });
  }
  return folds;
}

/** Names without the number of the block, and dimensions. Types do not matter. */
function signatureOf(tensors: readonly PlacedTensor[]): string[] {
  return tensors
    .map(({ tensor, place: { role } }) => `${role.base}.${role.part ?? ""} ${tensor.dimensions.join("x")}`)
    .sort();
}

/** The settings of a layer that its tensors do not tell. */
interface LayerFacts {
  readonly heads: number | undefined;
  readonly sharedHeads: number | undefined;
  /** The tokens that the layer sees. Undefined if it sees the whole context. */
  readonly window: number | undefined;
  /** Whether it uses the keys and values of another layer. */
  readonly borrows: boolean;
}

function layerFacts({ architecture, metadata, estimate }: ModelSource, prefix: string, layer: number): LayerFacts {
  const isModel = prefix === "blk.";
  const encoder = /^([av])\./.exec(prefix)?.[1];
  const owner = isModel ? architecture : encoder === "v" ? "clip.vision" : encoder === "a" ? "clip.audio" : "";
  const of = (name: string) => atLayer(metadata.get(`${owner}.${name}`), layer);
  const caches = estimate?.caches ?? [];
  const has = (kind: string) => caches.some((cache) => cache.kind === kind && cache.layerIndices.includes(layer));
  const isKept = caches.some(({ layerIndices }) => layerIndices.includes(layer));
  const heads = of("attention.head_count");
  return {
    heads,
    sharedHeads: of("attention.head_count_kv"),
    window: isModel && has("sliding-window") ? of("attention.sliding_window") : undefined,
    borrows: isModel && caches.length > 0 && !isKept && !(estimate?.state?.layerIndices.includes(layer) ?? false),
  };
}

/** A value for all layers, or that of one layer. */
function atLayer(value: MetadataValue | undefined, layer: number): number | undefined {
  const own = typeof value === "object" ? value.at(layer) : value;
  return typeof own === "number" || typeof own === "bigint" ? Number(own) : undefined;
}

/** The boxes of a block, in the order in which data passes them. */
function blockBoxes(
  source: ModelSource,
  prefix: string,
  layer: number,
  tensors: readonly PlacedTensor[],
  filterPrefix: string,
): Box[] {
  const facts = layerFacts(source, prefix, layer);
  const of = (part: BlockRole["part"]) => tensors.filter((placed) => placed.part.part === part && !isNorm(placed));
  const boxes: Box[] = [];
  const add = (kind: Box["kind"], title: string, lines: readonly (string | undefined)[], found: PlacedTensor[]) => {
    if (found.length === 0) return;
    const known = lines.filter((line) => line !== undefined && line !== "") as string[];
    boxes.push({ kind, title, lines: known, filter: filterOf(filterPrefix, found) });
  };
  const attention = of("attention");
  add("attention", "Attention", attentionLines(source, prefix, facts, attention), attention);
  const recurrent = of("recurrent");
  add("recurrent", recurrentTitle(recurrent), recurrentLines(source, recurrent), recurrent);
  const dense = of("feed-forward");
  add("feed-forward", "Feed-forward", [feedForwardLine(dense), gateLine(dense)], dense);
  const experts = of("experts");
  add("experts", "Experts", expertLines(source, layer, experts), experts);
  const other = tensors.filter(({ part }) => part.name === "other");
  add("other", "Other", [formatCount(other.length, "tensor")], other);
  return boxes;
}

const baseOf = ({ place }: PlacedTensor) => place.role.base;
const find = (tensors: readonly PlacedTensor[], base: RegExp) =>
  tensors.find((placed) => base.test(baseOf(placed)) && placed.tensor.dimensions.length > 1)?.tensor.dimensions;

function attentionLines(
  { architecture, metadata }: ModelSource,
  prefix: string,
  { heads, sharedHeads, window, borrows }: LayerFacts,
  tensors: readonly PlacedTensor[],
): (string | undefined)[] {
  const number = (name: string) => atLayer(metadata.get(`${architecture}.${name}`), 0);
  const latent = find(tensors, /^attn_kv_a_mqa$/) ? number("attention.kv_lora_rank") : undefined;
  const width = find(tensors, /^attn_q$|^attn_q_b$|[._]q$/)?.[1];
  const isModel = prefix === "blk.";
  const headSize =
    (isModel ? number("attention.key_length") : undefined) ?? (heads && width ? width / heads : undefined);
  return [
    heads === undefined
      ? undefined
      : sharedHeads === undefined || sharedHeads === heads || latent !== undefined
        ? formatCount(heads, "head")
        : `${formatCount(heads, "head")}, ${formatInteger(sharedHeads)} for keys and values`,
    headSize !== undefined && Number.isInteger(headSize) ? `head size ${formatInteger(headSize)}` : undefined,
    latent === undefined ? undefined : `latent keys and values of ${formatInteger(latent)}`,
    window === undefined ? undefined : `window of ${formatCount(window, "token")}`,
    borrows ? "keys and values of an earlier block" : undefined,
    find(tensors, /^cross_attn/) ? "with cross-attention" : undefined,
    find(tensors, /^indexer/) ? "an indexer selects tokens" : undefined,
  ];
}

function recurrentTitle(tensors: readonly PlacedTensor[]): string {
  const [base = ""] = tensors.map(baseOf);
  if (base.startsWith("shortconv")) return "Short convolution";
  return base.startsWith("ssm") ? "State space" : "Time and channel mixing";
}

function recurrentLines({ architecture, metadata }: ModelSource, tensors: readonly PlacedTensor[]) {
  const number = (name: string) => atLayer(metadata.get(`${architecture}.${name}`), 0);
  const isSsm = tensors.some((placed) => baseOf(placed).startsWith("ssm"));
  const [inner, state, kernel] = ["ssm.inner_size", "ssm.state_size", "ssm.conv_kernel"].map(number);
  const size = number("wkv.head_size");
  const cache = number("shortconv.l_cache");
  return [
    isSsm && inner !== undefined ? `inner size ${formatInteger(inner)}` : undefined,
    isSsm && state !== undefined ? `state size ${formatInteger(state)}` : undefined,
    isSsm && kernel !== undefined ? `convolution of ${formatCount(kernel, "token")}` : undefined,
    size === undefined ? undefined : `head size ${formatInteger(size)}`,
    cache === undefined ? undefined : `convolution of ${formatCount(cache, "token")}`,
  ];
}

function feedForwardLine(tensors: readonly PlacedTensor[]): string | undefined {
  const up = find(tensors, /up|fc1/);
  const [from, inner] = up ?? [];
  return from === undefined || inner === undefined
    ? undefined
    : `${formatInteger(from)} → ${formatInteger(inner)} → ${formatInteger(from)}`;
}

function gateLine(tensors: readonly PlacedTensor[]): string | undefined {
  return find(tensors, /gate/) ? "gated" : undefined;
}

function expertLines(
  { architecture, metadata }: ModelSource,
  layer: number,
  tensors: readonly PlacedTensor[],
): (string | undefined)[] {
  const number = (name: string) => atLayer(metadata.get(`${architecture}.${name}`), layer);
  const [count, used] = [number("expert_count"), number("expert_used_count")];
  const up = find(tensors, /^ffn_(?:gate_)?up_(?:ch)?exps$|^ffn_down_exps$/);
  const single = find(tensors, /^ffn_up\.\{n\}$/);
  const shared = number("expert_shared_count");
  const hasShared = tensors.some((placed) => baseOf(placed).endsWith("_shexp"));
  return [
    count === undefined && up?.[2] === undefined ? undefined : formatCount(count ?? up?.[2] ?? 0, "expert"),
    used === undefined ? undefined : `${formatInteger(used)} used for each token`,
    expertLine(up ?? single),
    hasShared
      ? `and ${shared === undefined || shared === 1 ? "a shared expert" : formatCount(shared, "shared expert")}`
      : undefined,
  ];
}

function expertLine(dimensions: readonly number[] | undefined): string | undefined {
  const [from, inner] = dimensions ?? [];
  return from === undefined || inner === undefined
    ? undefined
    : `each ${formatInteger(from)} → ${formatInteger(inner)}`;
}

const isNorm = ({ part }: PlacedTensor) => part.name === "norms";
const isInput = ({ place: { role } }: PlacedTensor) =>
  /embd|token_types|conv1d|^per_layer/.test(role.base) && !/norm|unembd/.test(role.base);
const isProjector = (section: string) => /projector|merger|resampler/i.test(section);
const largestFirst = (a: PlacedTensor, b: PlacedTensor) => (b.tensor.elementCount ?? 0) - (a.tensor.elementCount ?? 0);

/** A tensor outside of blocks. */
function outerBox({ tensor, place: { role } }: PlacedTensor): Box {
  return {
    kind: "outer",
    title: role.title,
    lines: [tensor.dimensions.map(formatInteger).join(" × ")],
    filter: tensor.name,
  };
}

/** All tensors outside of blocks of an encoder or of a projector. */
function sectionBox(title: string, tensors: readonly PlacedTensor[]): Box {
  const parameters = tensors.reduce((sum, { tensor }) => sum + (tensor.elementCount ?? 0), 0);
  return {
    kind: "outer",
    title,
    lines: [formatCount(tensors.length, "tensor"), `${formatParameters(parameters)} parameters`],
    filter: commonStart(tensors.map(({ tensor }) => tensor.name)),
  };
}

/** A model without an output tensor uses the embedding of the tokens for it. */
function tiedOutput({ estimate }: ModelSource): Box[] {
  if ((estimate?.weights?.tiedOutput ?? 0) === 0) return [];
  return [{ kind: "shared", title: "Output", lines: ["shares the token embedding"], filter: undefined }];
}

/** Words that all names of the tensors contain: the beginning of the names of the blocks, and the beginning of the rest. */
function filterOf(prefix: string, tensors: readonly PlacedTensor[]): string {
  const rest = commonStart(
    tensors.map(({ tensor, place }) => tensor.name.slice(place.prefix.length).replace(/^\d+\./, "")),
  );
  return /\d\.$/.test(prefix) ? `${prefix}${rest}` : [prefix, rest].filter((word) => word !== "").join(" ");
}

function listOf<Key, Value>(map: Map<Key, Value[]>, key: Key): Value[] {
  const list = map.get(key) ?? [];
  map.set(key, list);
  return list;
}

/** What is needed of a file. Files that are no models have no estimate. */
export function modelSource(gguf: Pick<Gguf, "memory" | "metadata" | "tensors">): ModelSource {
  const { metadata, tensors } = gguf;
  const architecture = metadata.get("general.architecture");
  let estimate: MemoryEstimate | undefined;
  try {
    estimate = gguf.memory();
  } catch {
    // The settings of the file are refused. The checks say why.
  }
  return { architecture: typeof architecture === "string" ? architecture : "", metadata, tensors, estimate };
}
