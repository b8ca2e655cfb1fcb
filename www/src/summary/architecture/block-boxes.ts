/** The boxes of a block: what it computes, with its dimensions and numbers. */

import type { MetadataValue } from "gguf-wasm/explain";
import { formatCount, formatInteger } from "../../ui/numbers.ts";
import type { BlockRole } from "../block-roles.ts";
import { commonStart } from "../common-start.ts";
import { isParallelBlock } from "./block-flow.ts";
import type { ModelSource, PlacedTensor } from "./model-source.ts";

/** A box of the picture. */
export interface Box {
  readonly kind: BlockRole["part"] | "outer" | "shared";
  readonly title: string;
  /** Dimensions and numbers, one fact in a line. */
  readonly lines: readonly string[];
  /** The words that filter the table of tensors. Undefined if the box has no tensors of its own. */
  readonly filter: string | undefined;
  /** When the box computes in its block: after the boxes of a smaller step, and side by side with those of the same step. */
  readonly step: number;
}

/** The settings of a layer that its tensors do not tell. */
export interface LayerFacts {
  readonly heads: number | undefined;
  readonly sharedHeads: number | undefined;
  /** The tokens that the layer sees. Undefined if it sees the whole context. */
  readonly window: number | undefined;
  /** Whether it uses the keys and values of another layer. */
  readonly borrows: boolean;
}

export function layerFacts(
  { architecture, metadata, estimate }: ModelSource,
  prefix: string,
  layer: number,
): LayerFacts {
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

/** A value that all layers share, or the value of one layer in an array. */
function atLayer(value: MetadataValue | undefined, layer: number): number | undefined {
  const own = typeof value === "object" ? value.at(layer) : value;
  return typeof own === "number" || typeof own === "bigint" ? Number(own) : undefined;
}

/** The boxes of a block, in the order in which data passes them. */
export function blockBoxes(
  source: ModelSource,
  prefix: string,
  layer: number,
  tensors: readonly PlacedTensor[],
  filterPrefix: string,
): Box[] {
  const facts = layerFacts(source, prefix, layer);
  const of = (part: BlockRole["part"]) => tensors.filter((placed) => placed.part.part === part && !isNorm(placed));
  const boxes: Box[] = [];
  const isParallel = isParallelBlock(source, new Set(tensors.map(baseOf)));
  const steps = {
    attention: 0,
    recurrent: 0,
    "feed-forward": isParallel ? 0 : 1,
    experts: isParallel ? 0 : 1,
    other: 2,
  };
  const add = (
    kind: keyof typeof steps,
    title: string,
    lines: readonly (string | undefined)[],
    found: PlacedTensor[],
  ) => {
    if (found.length === 0) return;
    const known = lines.filter((line) => line !== undefined && line !== "") as string[];
    boxes.push({ kind, title, lines: known, filter: filterOf(filterPrefix, found), step: steps[kind] });
  };
  const attention = of("attention");
  add("attention", "Attention", attentionLines(source, prefix, facts, attention), attention);
  const recurrent = of("recurrent");
  add("recurrent", recurrentTitle(recurrent), recurrentLines(source, recurrent), recurrent);
  const dense = of("feed-forward");
  add(
    "feed-forward",
    "Feed-forward",
    [feedForwardLine(dense, hasExchangedNames(source, prefix, dense)), gateLine(dense)],
    dense,
  );
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
  // With latent attention, the key length is the length of the latent vector. Linear attention caches no keys and values, so it has no
  // heads for them.
  const stated = isModel && sharedHeads !== 0 ? number("attention.key_length") : undefined;
  const headSize = latent === undefined ? (stated ?? (heads && width ? width / heads : undefined)) : undefined;
  return [
    heads === undefined
      ? undefined
      : !sharedHeads || sharedHeads === heads || latent !== undefined
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

/** Whether "up" and "down" of an encoder have each other's name, as in old projectors. llama.cpp exchanges them, too. */
export function hasExchangedNames(
  { architecture, metadata }: ModelSource,
  prefix: string,
  tensors: readonly PlacedTensor[],
): boolean {
  if (architecture !== "clip") return false;
  const width = atLayer(metadata.get(`clip.${prefix.startsWith("a.") ? "audio" : "vision"}.embedding_length`), 0);
  const [up, down] = [find(tensors, /^ffn_up$/), find(tensors, /^ffn_down$/)];
  return width !== undefined && up?.[0] !== undefined && up[0] !== width && down?.[0] === width;
}

function feedForwardLine(tensors: readonly PlacedTensor[], isExchanged: boolean): string | undefined {
  const up = find(tensors, isExchanged ? /down|fc2/ : /up|fc1/);
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

export const isNorm = ({ part }: PlacedTensor) => part.name === "norms";

/** Words that all names of the tensors contain: the beginning of the names of the blocks, and the beginning of the rest. */
function filterOf(prefix: string, tensors: readonly PlacedTensor[]): string {
  const rest = commonStart(
    tensors.map(({ tensor, place }) => tensor.name.slice(place.prefix.length).replace(/^\d+\./, "")),
  );
  return /\d\.$/.test(prefix) ? `${prefix}${rest}` : [prefix, rest].filter((word) => word !== "").join(" ");
}
