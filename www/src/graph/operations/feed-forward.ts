/** The operations of feed-forward networks and of experts. */

import { formatInteger } from "../../ui/numbers.ts";
import type { Graph, Source } from "../graph-model.ts";
import { Operations } from "./operations.ts";
import type { PartTensors } from "./part-tensors.ts";

const ACTIVATION = "Lets through what is positive, more or less, so that the network is more than one product.";

const UP = /(?:^ffn|^vis)_up$|^fc1$/;
const DOWN = /(?:^ffn|^vis)_down$|^fc2$/;

/** `isExchanged`: the tensors "up" and "down" have each other's name. */
export function feedForwardGraph(id: string, tensors: PartTensors, isExchanged = false): Graph {
  const ops = new Operations(id, "feed-forward", tensors);
  const [upBases, downBases] = isExchanged ? [DOWN, UP] : [UP, DOWN];
  const up = ops.weights({ name: "up", title: "Up", bases: upBases, about: "Makes the vector longer." }, undefined);
  let result: Source;
  if (tensors.has(/(?:^ffn|^vis)_gate$/)) {
    const gate = ops.weights({ name: "gate", title: "Gate", bases: /(?:^ffn|^vis)_gate$/ }, undefined);
    const active = ops.join("activation", "Activation", [gate], { bases: /^ffn\.act$/, about: ACTIVATION });
    result = ops.join("gated", "×", [active, up], { about: "The gate decides how much of each number passes." });
  } else result = ops.join("activation", "Activation", [up], { bases: /^ffn\.act$/, about: ACTIVATION });
  return ops.build(
    ops.chain(
      result,
      { name: "sub-norm", title: "Norm", bases: /^ffn_sub_norm$/, kind: "norm" },
      {
        name: "down",
        title: "Down",
        bases: downBases,
        about: "Makes the vector as short as before.",
      },
    ),
  );
}

/** How many experts there are, and how many each token uses. */
export interface ExpertFacts {
  readonly count: number | undefined;
  readonly used: number | undefined;
}

export function expertsGraph(id: string, tensors: PartTensors, { count, used }: ExpertFacts): Graph {
  const ops = new Operations(id, "experts", tensors);
  const input = ops.chain(undefined, { name: "norm", title: "Norm", bases: /^ffn_norm_exps$/, kind: "norm" });
  const logits = ops.weights(
    {
      name: "router",
      title: "Router",
      bases: /^ffn_gate_inp$|^ffn_gate_tid2eid$/,
      about: "Rates each expert for the token.",
    },
    input,
  );
  const chosen = ops.join("top", used === undefined ? "Best experts" : `Best ${formatInteger(used)}`, [logits], {
    bases: /^exp_probs/,
    lines: count === undefined ? [] : [`of ${formatInteger(count)} experts`],
    about: "Only the experts with the best rating compute.",
  });
  const sum = weighted(ops, "exps", "", /_exps$|\.\{n\}$/, input, chosen);
  const sums: Source[] = [sum];
  // They work on what the other experts have computed.
  if (tensors.has(/_chexps$/)) sums.push(weighted(ops, "chexps", "Chunk: ", /_chexps$/, sum, chosen));
  if (tensors.has(/_shexp$/)) sums.push(shared(ops, input));
  return ops.build(sums.length === 1 ? sums[0] : ops.join("sum", "+", sums, { about: "Adds the results." }));
}

/** Up, gate and down of the chosen experts, and the sum of their results. */
function weighted(ops: Operations, name: string, start: string, kind: RegExp, input: Source, chosen: Source): Source {
  const bases = (words: string) => new RegExp(`^ffn_${words}(?:${kind.source})`);
  const hidden = gated(ops, name, start, bases, [input, chosen]);
  const down = ops.weights({ name: `${name}-down`, title: `${start}Experts, down`, bases: bases("down") }, hidden);
  return ops.join(`${name}-sum`, "Weighted sum", [down, chosen], {
    about: "Adds the results of the chosen experts. A better rating counts more.",
  });
}

/** The experts that every token uses. */
function shared(ops: Operations, input: Source): Source {
  const bases = (words: string) => new RegExp(`^ffn_${words}_shexp$`);
  const hidden = gated(ops, "shexp", "Shared, ", bases, [input]);
  const down = ops.weights({ name: "shexp-down", title: "Shared, down", bases: bases("down") }, hidden);
  if (!ops.tensors.has(/^ffn_gate_inp_shexp$/)) return down;
  const gate = ops.weights({ name: "shexp-router", title: "Shared, weight", bases: /^ffn_gate_inp_shexp$/ }, input);
  return ops.join("shexp-weighted", "× sigmoid", [down, gate]);
}

function gated(
  ops: Operations,
  name: string,
  start: string,
  bases: (words: string) => RegExp,
  sources: readonly Source[],
): Source {
  const title = (part: string) => (start === "" ? `Experts, ${part}` : `${start}${part}`);
  if (ops.tensors.has(bases("gate_up"))) {
    const both = ops.weights(
      { name: `${name}-gate-up`, title: title("gate and up"), bases: bases("gate_up") },
      ...sources,
    );
    return ops.join(`${name}-gated`, "Activation, ×", [both], { about: ACTIVATION });
  }
  const up = ops.weights({ name: `${name}-up`, title: title("up"), bases: bases("up") }, ...sources);
  if (!ops.tensors.has(bases("gate"))) return ops.join(`${name}-activation`, "Activation", [up], { about: ACTIVATION });
  const gate = ops.weights({ name: `${name}-gate`, title: title("gate"), bases: bases("gate") }, ...sources);
  const active = ops.join(`${name}-activation`, "Activation", [gate], { about: ACTIVATION });
  return ops.join(`${name}-gated`, "×", [active, up], { about: "The gate decides how much of each number passes." });
}
