// The names and shapes of the stored tensors of models: what the rules of families consist of.
//
// A rule makes them from the numbers of `config.json`, for models of every size: what it makes for a small model of the corpus must
// be what that model has.

/**
 * The numbers of a configuration. Those of `text_config` are among them.
 *
 * @typedef {Record<string, any>} Config
 *
 * Tensors by their names. A name that ends with a dot is that of a layer, whose tensor is its weight. `{8}` is one of eight experts.
 *
 * @typedef {Record<string, number[]>} Shapes
 *
 * @typedef {(config: Config) => Shapes} Layout
 */

/** @param {string} start @param {Shapes} shapes @returns {Shapes} */
export const under = (start, shapes) =>
  Object.fromEntries(Object.entries(shapes).map(([name, shape]) => [`${start}.${name}`, shape]));

/** The same for each of several parts. @param {string} start @param {number} count @param {(part: number) => Shapes} shapes */
export function each(start, count, shapes) {
  /** @type {Shapes} */
  const all = {};
  for (let part = 0; part < count; part++) Object.assign(all, under(`${start}.${part}`, shapes(part)));
  return all;
}

/** The same for each of many experts, which `tensorsOf` takes apart. @param {number} count @param {Shapes} shapes */
export const experts = (count, shapes) => under(`experts.{${count}}`, shapes);

/**
 * All tensors.
 *
 * @param {Shapes} shapes
 * @returns {[name: string, shape: number[]][]}
 */
export function tensorsOf(shapes) {
  /** @type {[name: string, shape: number[]][]} */
  const tensors = [];
  for (const [name, shape] of Object.entries(shapes)) {
    const whole = name.endsWith(".") ? `${name}weight` : name;
    const [start, count, end] = whole.split(/\{(\d+)\}/);
    if (count === undefined) tensors.push([whole, shape]);
    for (let expert = 0; expert < Number(count ?? 0); expert++) tensors.push([`${start}${expert}${end}`, shape]);
  }
  return tensors;
}

/** Layers with one length. @param {number} length @param {...string} names */
export const norms = (length, ...names) => Object.fromEntries(names.map((name) => [`${name}.`, [length]]));

/** The embedding, the last norm and the output matrix. @param {Config} c @param {string} [start] @param {string} [norm] */
export const ends = (c, start = "model", norm = "norm", output = "lm_head") => ({
  [`${start}.embed_tokens.`]: [c.vocab_size, c.hidden_size],
  [`${start}.${norm}.`]: [c.hidden_size],
  ...(c.tie_word_embeddings ? {} : { [`${output}.`]: [c.vocab_size, c.hidden_size] }),
});

/** @param {number} width @param {number} inner @param {readonly string[]} [names] Gate, up and down. @returns {Shapes} */
export const gated = (width, inner, [gate, up, down] = ["gate_proj", "up_proj", "down_proj"]) => ({
  [`${gate}.`]: [inner, width],
  [`${up}.`]: [inner, width],
  [`${down}.`]: [width, inner],
});

/** The names that Mixtral and others have for gate, up and down. */
export const NUMBERED = ["w1", "w3", "w2"];

/** The size of a head. @param {Config} c @returns {number} */
export const head = (c) => c.head_dim ?? c.attention_head_dim ?? c.hidden_size / c.num_attention_heads;

/** @param {Config} c @param {string} [output] @returns {Shapes} */
export function attention(c, output = "o_proj") {
  const [queries, keys] = [c.num_attention_heads * head(c), c.num_key_value_heads * head(c)];
  return {
    "q_proj.": [queries, c.hidden_size],
    "k_proj.": [keys, c.hidden_size],
    "v_proj.": [keys, c.hidden_size],
    [`${output}.`]: [c.hidden_size, queries],
  };
}

/** What chooses experts of DeepSeek and GLM, and the experts. @param {Config} c @returns {Shapes} */
export const routedExperts = (c) => ({
  "gate.": [c.n_routed_experts, c.hidden_size],
  "gate.e_score_correction_bias": [c.n_routed_experts],
  ...under("shared_experts", gated(c.hidden_size, c.n_shared_experts * c.moe_intermediate_size)),
  ...experts(c.n_routed_experts, gated(c.hidden_size, c.moe_intermediate_size)),
});
