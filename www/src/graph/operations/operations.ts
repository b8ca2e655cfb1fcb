/** Operations of a part of a block: those with weights are there if the file has their tensors. */

import { formatInteger } from "../../ui/numbers.ts";
import { GraphBuilder, type Graph, type NodeKind, type Source } from "../graph-model.ts";
import type { PartTensors } from "./part-tensors.ts";

/** An operation with weights. */
export interface WeightOperation {
  readonly name: string;
  readonly title: string;
  readonly bases: RegExp;
  readonly about?: string;
  readonly kind?: NodeKind;
}

export class Operations {
  readonly #graph: GraphBuilder;
  readonly #kind: NodeKind;
  readonly tensors: PartTensors;

  /** `prefix` is the id of the node around, `kind` that of operations with weights. */
  constructor(prefix: string, kind: NodeKind, tensors: PartTensors) {
    this.#graph = new GraphBuilder(prefix);
    this.#kind = kind;
    this.tensors = tensors;
  }

  /**
   * Adds an operation with weights, if the file has them. Otherwise its input passes unchanged. Without sources, it gets the input of the
   * part.
   */
  weights({ name, title, bases, about = "", kind }: WeightOperation, ...sources: Source[]): Source {
    const dimensions = this.tensors.dimensions(bases);
    const taken = this.tensors.take(bases);
    if (taken.length === 0) return sources[0];
    const lines = kind === "norm" || dimensions === undefined ? [] : [dimensions.map(formatInteger).join(" × ")];
    return this.#graph.add(
      { name, kind: kind ?? this.#kind, title, lines, about, tensors: taken, times: this.tensors.times },
      sources.length === 0 ? [undefined] : sources,
    );
  }

  /** Adds several operations, one after the other. */
  chain(source: Source, ...operations: readonly WeightOperation[]): Source {
    return operations.reduce<Source>((input, operation) => this.weights(operation, input), source);
  }

  /** Adds an operation without weights of its own. Tensors that only change its result belong to it. */
  join(
    name: string,
    title: string,
    sources: readonly Source[],
    more: { about?: string; lines?: readonly string[]; bases?: RegExp; perContext?: number; kind?: NodeKind } = {},
  ): string {
    const { bases, kind = "join", ...rest } = more;
    const tensors = bases ? this.tensors.take(bases) : [];
    return this.#graph.add({ name, kind, title, ...rest, tensors, times: this.tensors.times }, sources);
  }

  /** Adds the tensors that no operation has taken. */
  #rest(exits: Source[]): Source[] {
    if (this.tensors.isEmpty) return exits;
    const rest = this.weights({
      name: "rest",
      title: "Other tensors",
      bases: /^/,
      about: "How these tensors are used is not shown.",
    });
    return [...exits, rest];
  }

  /** The graph whose results are `exits`. */
  build(...exits: Source[]): Graph {
    return this.#graph.build(this.#rest(exits));
  }
}
