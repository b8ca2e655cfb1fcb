/** The operations of parts with a state: state spaces, linear attention, time mixing, short convolutions. */

import { formatInteger } from "../../ui/numbers.ts";
import type { Graph } from "../graph-model.ts";
import { Operations } from "./operations.ts";
import type { PartTensors } from "./part-tensors.ts";

const STATE = "What the model keeps of all tokens before. It does not grow with the context.";
const CONVOLUTION = "Mixes each number with those of the last few tokens.";

export interface StateFacts {
  /** The length of the state of each channel. */
  readonly size: number | undefined;
}

/** A state space, as in Mamba. */
export function stateSpaceGraph(id: string, tensors: PartTensors, { size }: StateFacts): Graph {
  const ops = new Operations(id, "recurrent", tensors);
  const both = ops.weights(
    { name: "in", title: "Input", bases: /^ssm_in$/, about: "Computes the signal and its gate." },
    undefined,
  );
  const signal = ops.weights({ name: "conv", title: "Convolution", bases: /^ssm_conv1d$/, about: CONVOLUTION }, both);
  const parameters = ops.weights(
    {
      name: "x",
      title: "Step, input, output",
      bases: /^ssm_x$/,
      about: "Computes how the state changes for this token.",
    },
    signal,
  );
  const step = ops.chain(
    parameters,
    { name: "norms", title: "Norms", bases: /^ssm_(?:dt|b|c)_norm$/, kind: "norm" },
    { name: "dt", title: "Step", bases: /^ssm_dt$/, about: "How far the state moves." },
  );
  const state = ops.join("state", "State", [], { kind: "state", about: STATE, lines: sizeLine(size) });
  const scan = ops.join("scan", "Scan", [signal, step, state], {
    bases: /^ssm_(?:a|d)$/,
    about: "Updates the state with the signal, and reads the result from it.",
  });
  const gated = ops.join("gated", "× gate", [scan, both], {
    about: "The gate decides how much of each number passes.",
  });
  return ops.build(
    ops.chain(
      gated,
      { name: "norm", title: "Norm", bases: /^ssm_norm$/, kind: "norm" },
      { name: "out", title: "Output", bases: /^ssm_out$/ },
    ),
  );
}

/** Linear attention: a state instead of a cache. */
export function linearAttentionGraph(id: string, tensors: PartTensors, { size }: StateFacts): Graph {
  const ops = new Operations(id, "recurrent", tensors);
  const qkv = tensors.has(/^attn_qkv$|^ssm_in$/)
    ? [
        ops.chain(
          undefined,
          { name: "qkv", title: "Query, key, value", bases: /^attn_qkv$|^ssm_in$/ },
          { name: "conv", title: "Convolution", bases: /^ssm_conv1d$/, about: CONVOLUTION },
        ),
      ]
    : (["q", "k", "v"] as const).map((part) => {
        const title = { q: "Query", k: "Key", v: "Value" }[part];
        return ops.chain(
          undefined,
          { name: part, title, bases: new RegExp(`^attn_${part}$`) },
          { name: `${part}-conv`, title: "Convolution", bases: new RegExp(`^ssm_conv1d_${part}$`), about: CONVOLUTION },
        );
      });
  const decay = ops.chain(
    undefined,
    { name: "decay-down", title: "Decay, compressed", bases: /^ssm_f_a$/ },
    { name: "decay", title: "Decay", bases: /^ssm_(?:f_b|alpha|ba)$/, about: "How much of the state stays." },
  );
  const beta = tensors.has(/^ssm_beta$/)
    ? [
        ops.weights({
          name: "beta",
          title: "Update rate",
          bases: /^ssm_beta$/,
          about: "How much is written into the state.",
        }),
      ]
    : [];
  const state = ops.join("state", "State", [], { kind: "state", about: STATE, lines: sizeLine(size) });
  const update = ops.join("update", "Update the state", [...qkv, decay, ...beta, state], {
    bases: /^ssm_(?:a|d|dt)$/,
    about: "Writes the value into the state at the key, and reads it at the query.",
  });
  let result = ops.weights({ name: "norm", title: "Norm", bases: /^ssm_norm$/, kind: "norm" }, update);
  if (tensors.has(/^attn_gate$|^ssm_g_[ab]$/)) {
    const gate = ops.chain(
      undefined,
      { name: "gate-down", title: "Gate, compressed", bases: /^ssm_g_a$/ },
      { name: "gate", title: "Gate", bases: /^attn_gate$|^ssm_g_b$/ },
    );
    result = ops.join("gated", "× gate", [result, gate]);
  }
  return ops.build(ops.weights({ name: "out", title: "Output", bases: /^ssm_out$|^attn_output$/ }, result));
}

/** Time mixing of RWKV. */
export function timeMixGraph(id: string, tensors: PartTensors, { size }: StateFacts): Graph {
  const ops = new Operations(id, "recurrent", tensors);
  const shifted = ops.weights({
    name: "shift",
    title: "Token shift",
    bases: /^time_mix_lerp|^time_mix_w[12]$/,
    about: "Mixes each token with the one before it.",
  });
  const parts = [
    { name: "r", title: "Receptance", bases: /^time_mix_receptance$/ },
    { name: "k", title: "Key", bases: /^time_mix_key$/ },
    { name: "v", title: "Value", bases: /^time_mix_(?:value|v[012])$/ },
    { name: "decay", title: "Decay", bases: /^time_mix_(?:decay.*|w0|first)$/, about: "How much of the state stays." },
    { name: "rate", title: "Learning rate", bases: /^time_mix_(?:a[012]|k_[ak]|r_k)$/ },
  ].flatMap((part) => (tensors.has(part.bases) ? [ops.weights(part, shifted)] : []));
  const state = ops.join("state", "State", [], { kind: "state", about: STATE, lines: sizeLine(size) });
  const update = ops.join("update", "Update the state", [...parts, state], {
    about: "Writes into the state, and reads from it.",
  });
  let result = ops.weights({ name: "norm", title: "Norm", bases: /^time_mix_ln$/, kind: "norm" }, update);
  if (tensors.has(/^time_mix_g/)) {
    const gate = ops.weights({ name: "gate", title: "Gate", bases: /^time_mix_g/ }, shifted);
    result = ops.join("gated", "× gate", [result, gate]);
  }
  return ops.build(ops.weights({ name: "out", title: "Output", bases: /^time_mix_output$/ }, result));
}

/** Channel mixing of RWKV. */
export function channelMixGraph(id: string, tensors: PartTensors): Graph {
  const ops = new Operations(id, "feed-forward", tensors);
  const shifted = ops.weights({
    name: "shift",
    title: "Token shift",
    bases: /^channel_mix_lerp/,
    about: "Mixes each token with the one before it.",
  });
  const key = ops.weights({ name: "k", title: "Key", bases: /^channel_mix_key$/ }, shifted);
  const active = ops.join("activation", "Activation", [key]);
  const value = ops.weights({ name: "v", title: "Value", bases: /^channel_mix_value$/ }, active);
  if (!tensors.has(/^channel_mix_receptance$/)) return ops.build(value);
  const gate = ops.weights({ name: "r", title: "Receptance", bases: /^channel_mix_receptance$/ }, shifted);
  return ops.build(ops.join("gated", "× sigmoid", [value, gate]));
}

/** A short convolution with gates, as in LFM2. */
export function shortConvolutionGraph(id: string, tensors: PartTensors): Graph {
  const ops = new Operations(id, "recurrent", tensors);
  const all = ops.weights({
    name: "in",
    title: "Input",
    bases: /^shortconv\.in_proj$/,
    about: "Computes the signal and two gates.",
  });
  const gated = ops.join("gated", "× gate", [all]);
  const state = ops.join("state", "Last tokens", [], { kind: "state", about: STATE });
  const mixed = ops.weights(
    { name: "conv", title: "Convolution", bases: /^shortconv\.conv$/, about: CONVOLUTION },
    gated,
    state,
  );
  const result = ops.join("gated-again", "× gate", [mixed, all]);
  return ops.build(ops.weights({ name: "out", title: "Output", bases: /^shortconv\.out_proj$/ }, result));
}

function sizeLine(size: number | undefined): string[] {
  return size === undefined ? [] : [`size ${formatInteger(size)}`];
}
