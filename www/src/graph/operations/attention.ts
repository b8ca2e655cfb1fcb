/** The operations of attention. */

import { formatCount, formatInteger } from "../../ui/numbers.ts";
import type { Graph, Source } from "../graph-model.ts";
import { Operations, type WeightOperation } from "./operations.ts";
import type { PartTensors } from "./part-tensors.ts";

/** What the tensors of an attention do not tell. */
export interface AttentionFacts {
  readonly heads: number | undefined;
  readonly sharedHeads: number | undefined;
  readonly window: number | undefined;
  /** Whether it uses the keys and values of another block. */
  readonly borrows: boolean;
  /** Whether positions are rotations of queries and keys. */
  readonly rotates: boolean;
  /** Whether the keys and values of earlier tokens are kept. */
  readonly isCached: boolean;
}

const QKV: WeightOperation = {
  name: "qkv",
  title: "Query, key, value",
  bases: /^(?:vis_)?attn[._]qkv$/,
  about: "One product computes queries, keys and values.",
};

const SHORT_QUERY: readonly WeightOperation[] = [
  {
    name: "q-down",
    title: "Query, compressed",
    bases: /^attn_q_a$/,
    about: "Computes a short vector for the queries.",
  },
  { name: "q-down-norm", title: "Norm", bases: /^attn_q_a_norm$/, kind: "norm" },
];

const QUERY: readonly WeightOperation[] = [
  { name: "q", title: "Query", bases: /^(?:self_)?attn[._]q(?:_b)?$/, about: "Computes what a token looks for." },
  { name: "q-norm", title: "Query norm", bases: /^attn[._]q_norm$/, kind: "norm" },
];

const LATENT: readonly WeightOperation[] = [
  {
    name: "kv-down",
    title: "Key and value, compressed",
    bases: /^attn_kv_a(?:_mqa)?$|^attn_kv$/,
    about: "Computes one short vector from which keys and values follow. Only this vector is kept.",
  },
  { name: "kv-down-norm", title: "Norm", bases: /^attn_kv(?:_a)?_norm$|^attn_k_norm$/, kind: "norm" },
];

const KEY: readonly WeightOperation[] = [
  { name: "k", title: "Key", bases: /^(?:self_)?attn[._]k$/, about: "Computes what a token can be found by." },
  { name: "k-norm", title: "Key norm", bases: /^attn[._]k_norm$/, kind: "norm" },
];

const VALUE: readonly WeightOperation[] = [
  { name: "v", title: "Value", bases: /^(?:self_)?attn[._]v$/, about: "Computes what a token passes on." },
  { name: "v-norm", title: "Value norm", bases: /^attn[._]v_norm$/, kind: "norm" },
];

export function attentionGraph(id: string, tensors: PartTensors, facts: AttentionFacts): Graph {
  const ops = new Operations(id, "attention", tensors);
  const { short, query, kept } = queriesAndKept(ops, facts);
  const chosen = tensors.has(/^indexer/) ? [indexer(ops, short)] : [];
  const scores = ops.join("scores", "Scores and softmax", [query, ...kept, ...chosen], {
    bases: /^attn_sinks$|^attn_rel_b$/,
    lines: facts.window === undefined ? [] : [`window of ${formatCount(facts.window, "token")}`],
    about: "Compares each query with the keys of the tokens that it sees, and sums up their values.",
    ...(facts.heads === undefined ? {} : { perContext: 4 * facts.heads * headSize(tensors, facts) }),
  });
  let result: Source = ops.weights(
    { name: "v-up", title: "Latent to value", bases: /^attn_v_b$/, about: "Computes values from the compressed sum." },
    scores,
  );
  if (tensors.has(/^attn_gate$/)) {
    const gate = ops.weights({ name: "gate", title: "Gate", bases: /^attn_gate$/ });
    result = ops.join("gated", "× sigmoid", [result, gate], {
      about: "The gate decides how much of each value passes.",
    });
  }
  return ops.build(ops.chain(result, ...OUTPUT));
}

const OUTPUT: readonly WeightOperation[] = [
  { name: "sub-norm", title: "Norm", bases: /^attn_sub_norm$/, kind: "norm" },
  {
    name: "output",
    title: "Attention output",
    bases: /^(?:vis_|self_)?attn[._](?:out|output|o)(?:_[ab])?$/,
    about: "Mixes the results of all heads.",
  },
];

/** The queries of a token, and the keys and values of all tokens that it sees. */
interface Queries {
  /** The vector from which the queries follow, if it is compressed. */
  readonly short: Source;
  readonly query: Source;
  readonly kept: readonly Source[];
}

function queriesAndKept(ops: Operations, facts: AttentionFacts): Queries {
  const { borrows, isCached, rotates } = facts;
  const isLatent = ops.tensors.has(/^attn_kv_a/);
  const fused = ops.weights(QKV);
  const short = ops.chain(fused, ...SHORT_QUERY);
  const plain = ops.chain(short, ...QUERY);
  const [key, value] = isLatent ? latentKeys(ops) : [ops.chain(fused, ...KEY), ops.chain(fused, ...VALUE)];
  const query = isLatent ? ops.weights(TO_LATENT, plain) : plain;
  const turned = (name: string, source: Source) =>
    rotates
      ? ops.join(name, "Rotary position", [source], { about: "Turns the vector by the position of its token (RoPE)." })
      : source;
  const [lastQuery, lastKey] = [turned("q-rotate", query), borrows ? key : turned("k-rotate", key)];
  if (!borrows && !isCached) return { short, query: lastQuery, kept: [lastKey, value] };
  const cache = ops.join("cache", "KV cache", borrows ? [] : [lastKey, value], {
    kind: "state",
    lines: [borrows ? "of an earlier block" : cacheLine(facts, isLatent)].filter((line) => line !== ""),
    about: "Keys and values of earlier tokens. It grows with the context.",
  });
  return { short, query: lastQuery, kept: [cache] };
}

const TO_LATENT: WeightOperation = {
  name: "k-up",
  title: "Query to latent",
  bases: /^attn_k_b$/,
  about: "Moves queries into the space of the compressed keys.",
};

/** Keys and values from one compressed vector. Some files compute them, and others use the vector itself. */
function latentKeys(ops: Operations): readonly [key: Source, value: Source] {
  const latent = ops.chain(undefined, ...LATENT);
  const both = ops.weights({ name: "kv", title: "Key and value", bases: /^attn_kv_b$/ }, latent);
  return [both, both];
}

/** Keys by which tokens are chosen. Its queries follow from the compressed ones of the attention. */
function indexer(ops: Operations, short: Source): Source {
  return ops.weights(
    {
      name: "indexer",
      title: "Indexer",
      bases: /^indexer/,
      about: "Chooses the tokens that are looked at.",
    },
    undefined,
    ...(short === undefined ? [] : [short]),
  );
}

/** The cross-attention of a decoder. Its keys and values come from the encoder. */
export function crossAttentionGraph(id: string, tensors: PartTensors): Graph {
  const ops = new Operations(id, "attention", tensors);
  const encoder = ops.join("encoder", "Encoder output", [], {
    kind: "state",
    about: "What the encoder has computed from its text.",
  });
  const query = ops.weights({ name: "q", title: "Query", bases: /^cross_attn_q$/ }, undefined);
  const key = ops.weights({ name: "k", title: "Key", bases: /^cross_attn_k$/ }, encoder);
  const value = ops.weights({ name: "v", title: "Value", bases: /^cross_attn_v$/ }, encoder);
  const scores = ops.join("scores", "Scores and softmax", [query, key, value], { bases: /^cross_attn_rel_b$/ });
  return ops.build(
    ops.weights({ name: "output", title: "Attention output", bases: /^cross_attn_(?:o|out|output)$/ }, scores),
  );
}

/** The length of a head. Undefined lengths count as 0. */
function headSize(tensors: PartTensors, { heads = 0 }: AttentionFacts): number {
  const width = tensors.dimensions(/attn[._]q(?:_b)?$/)?.[1];
  return width === undefined || heads === 0 ? 0 : width / heads;
}

function cacheLine({ heads, sharedHeads }: AttentionFacts, isLatent: boolean): string {
  if (isLatent) return "compressed keys and values";
  const shared = sharedHeads === undefined || sharedHeads === 0 ? heads : sharedHeads;
  return shared === undefined ? "" : `${formatInteger(shared)} ${shared === 1 ? "head" : "heads"}`;
}
