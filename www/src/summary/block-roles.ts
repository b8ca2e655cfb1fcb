/** The roles of the tensors in a block: the rows of the pictures of a model. */

import type { TensorRole } from "gguf-wasm/explain";

/** A role that the pictures show. */
export interface BlockRole {
  readonly name: string;
  readonly title: string;
  /** What the role is part of. */
  readonly part: "attention" | "feed-forward" | "experts" | "recurrent" | "other";
  /** The base names of its tensors, as `tensorRole` gives them. */
  readonly bases: RegExp;
}

/**
 * In the order in which a block uses them. The first role whose base names fit is that of a tensor. Norms come first, because their names
 * contain those of others.
 */
const ROLES = [
  {
    name: "norms",
    title: "Norms",
    part: "other",
    bases: /norm|(?:^|_)ln\d?(?:_|$)|^gamma|output_scale|^(?:conv_)?bn$/,
  },
  { name: "qkv", title: "Query, key, value", part: "attention", bases: /attn[._]qkv$/ },
  { name: "cross", title: "Cross-attention", part: "attention", bases: /^cross_attn/ },
  { name: "indexer", title: "Indexer", part: "attention", bases: /^indexer/ },
  { name: "query", title: "Query", part: "attention", bases: /^(?:self_)?attn[._]q(?:_|$)/ },
  { name: "key-value", title: "Key and value", part: "attention", bases: /^attn_(?:compressor_)?kv(?:_|$)/ },
  { name: "key", title: "Key", part: "attention", bases: /^(?:self_)?attn[._]k(?:_|$)/ },
  { name: "value", title: "Value", part: "attention", bases: /^(?:self_)?attn[._]v(?:_|$)/ },
  {
    name: "attention-output",
    title: "Attention output",
    part: "attention",
    bases: /attn[._](?:out|output|o)(?:_[ab])?$/,
  },
  { name: "attention-other", title: "Other attention", part: "attention", bases: /attn/ },
  { name: "recurrent", title: "Recurrent", part: "recurrent", bases: /^(?:ssm|time_mix|channel_mix|shortconv)/ },
  { name: "router", title: "Expert router", part: "experts", bases: /^(?:ffn_gate_inp|ffn_gate_tid2eid|exp_probs)/ },
  { name: "shared-experts", title: "Shared experts", part: "experts", bases: /_shexp$/ },
  { name: "experts-gate", title: "Experts, gate", part: "experts", bases: /^ffn_gate(?:_(?:ch)?exps?|\.\{n\})$/ },
  { name: "experts-gate-up", title: "Experts, gate and up", part: "experts", bases: /^ffn_gate_up_exps$/ },
  { name: "experts-up", title: "Experts, up", part: "experts", bases: /^ffn_up(?:_(?:ch)?exps?|\.\{n\})$/ },
  { name: "experts-down", title: "Experts, down", part: "experts", bases: /^ffn_down(?:_(?:ch)?exps?|\.\{n\})$/ },
  { name: "gate", title: "Gate", part: "feed-forward", bases: /(?:ffn|^vis)_gate/ },
  { name: "up", title: "Up", part: "feed-forward", bases: /(?:ffn|^vis)_up|^fc1$/ },
  { name: "down", title: "Down", part: "feed-forward", bases: /(?:ffn|^vis)_down|^fc2$/ },
] as const satisfies readonly BlockRole[];

const OTHER: BlockRole = { name: "other", title: "Other", part: "other", bases: /^/ };

/** The order of the rows. Norms are small, so they stand last. */
export const BLOCK_ROLES: readonly BlockRole[] = [...ROLES.filter(({ name }) => name !== "norms"), OTHER, ROLES[0]];

/** The role that a tensor has in its block. */
export function blockRole({ base }: Pick<TensorRole, "base">): BlockRole {
  return ROLES.find(({ bases }) => bases.test(base)) ?? OTHER;
}

/** The block number in a name. The role does not depend on it. */
const BLOCK_NUMBER = /((?:^|\.)(?:proj_)?blk\.)(\d+)(?=\.)/;

/** What is known of a tensor's place in the model. */
export interface TensorPlace {
  readonly role: TensorRole;
  /** The beginning of the names of its block without the number: `"blk."`, `"v.blk."`; "" outside of blocks. */
  readonly prefix: string;
  /** The number of its block. */
  readonly block: number | undefined;
}

/**
 * Finds the places of tensors by their names. Each role is looked up once for all blocks. `roleOf` is `tensorRole` of the package.
 */
export function placeFinder(
  roleOf: (name: string) => TensorRole | undefined,
): (name: string) => TensorPlace | undefined {
  const known = new Map<string, TensorRole | undefined>();
  return (name) => {
    const number = BLOCK_NUMBER.exec(name);
    const pattern = number ? name.replace(BLOCK_NUMBER, "$10") : name;
    if (!known.has(pattern)) known.set(pattern, roleOf(pattern));
    const role = known.get(pattern);
    if (role === undefined) return undefined;
    const digits = number?.[2];
    if (number === null || digits === undefined || role.block === undefined)
      return { role, prefix: "", block: undefined };
    return { role, prefix: name.slice(0, number.index + (number[1]?.length ?? 0)), block: Number(digits) };
  };
}
