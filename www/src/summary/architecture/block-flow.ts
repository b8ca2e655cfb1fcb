/** In which order the parts of a block compute: one after the other, or side by side. */

import type { MetadataValue } from "gguf-wasm/explain";

/** Where a norm stands in its block. */
export type NormPlace =
  | "before-mixer"
  | "after-mixer"
  /** After the addition of what the mixer has computed. */
  | "after-sum"
  | "before-cross"
  | "before-feed-forward"
  | "after-feed-forward"
  | "end"
  /** In the part of the block that its name begins with. */
  | "inside";

/** The place of a norm, by the rules of llama.cpp. `has` tells whether the block has a tensor with a base name. */
export function normPlace(base: string, has: (base: string) => boolean): NormPlace {
  switch (base) {
    case "attn_norm":
    case "ln1":
      return "before-mixer";
    case "attn_norm_2":
      if (has("channel_mix_key")) return "before-feed-forward";
      return has("attn_output_norm") ? "after-sum" : "before-mixer";
    case "post_attention_norm":
      return has("post_ffw_norm") || has("ffn_norm") ? "after-mixer" : "before-feed-forward";
    case "attn_output_norm":
      if (!has("attn_norm")) return "after-sum";
      return has("ffn_norm") ? "after-mixer" : "before-feed-forward";
    case "attn_post_norm":
    case "ls1":
      return "after-mixer";
    case "cross_attn_norm":
      return "before-cross";
    case "ffn_norm":
    case "ln2":
      return "before-feed-forward";
    case "post_ffw_norm":
    case "ffn_post_norm":
    case "ls2":
      return "after-feed-forward";
    case "layer_output_norm":
      return has("attn_norm") ? "after-feed-forward" : "end";
    case "layer_output_scale":
      return "end";
    default:
      return "inside";
  }
}

const MIXER = /^(?:attn_(?:qkv|q|output)|self_attn.*|attn\..*|ssm_.*|time_mix_.*|shortconv.*)$/;
const FEED_FORWARD = /^(?:ffn_(?:up|down|gate_inp)(?:_.*|\..*)?|fc1)$/;

/**
 * Whether attention and feed-forward of a block get the same input, and their results are added together: no norm stands between them.
 * A block without any norm has norms without weights, so it tells nothing.
 */
export function isParallelBlock(
  { architecture, metadata }: { readonly architecture: string; readonly metadata: ReadonlyMap<string, MetadataValue> },
  bases: ReadonlySet<string>,
): boolean {
  const own = [...bases];
  if (!own.some((base) => MIXER.test(base)) || !own.some((base) => FEED_FORWARD.test(base))) return false;
  if (architecture === "gptneox") return metadata.get("gptneox.use_parallel_residual") === true;
  const places = own.map((base) => normPlace(base, (name) => bases.has(name)));
  const between: readonly NormPlace[] = ["after-mixer", "after-sum", "before-feed-forward"];
  return places.includes("before-mixer") && !places.some((place) => between.includes(place));
}

/** What computes on all tokens in a block. `both`: attention and a state space get the same input. */
export type Mixer = "attention" | "recurrent" | "linear-attention" | "both" | "none";

/** The mixer of a block, as llama.cpp's rules tell it from the tensors. */
export function mixerOf(bases: ReadonlySet<string>): Mixer {
  const own = [...bases];
  const isRecurrent = own.some((base) => /^(?:ssm|time_mix|shortconv)/.test(base));
  const isAttention = own.some(
    (base) => /^(?:vis_|self_)?attn[._](?:qkv|q|k|v|out|output|kv)/.test(base) && !/norm/.test(base),
  );
  if (!isRecurrent) return isAttention ? "attention" : "none";
  if (bases.has("ssm_beta") || bases.has("ssm_ba") || bases.has("ssm_f_a")) return "linear-attention";
  return isAttention && own.some((base) => /^attn_(?:output|out|o)$/.test(base)) ? "both" : "recurrent";
}
