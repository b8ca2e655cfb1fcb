/** A model as a graph: boxes with their tensors, and what flows from one box to another. */

import type { TensorInfo } from "gguf-wasm/explain";

export type NodeKind =
  | "input"
  | "output"
  | "norm"
  | "attention"
  | "feed-forward"
  | "experts"
  | "recurrent"
  | "other"
  /** An operation without weights that joins two results: an addition, for example. */
  | "join"
  /** A cache or a state: what the model keeps from one token to the next. */
  | "state"
  /** Blocks, or several kinds of blocks that are repeated. */
  | "blocks";

export interface GraphNode {
  /** Unique in the whole graph. It stays the same for the same model. */
  readonly id: string;
  readonly kind: NodeKind;
  readonly title: string;
  /** Dimensions and numbers, one fact in a line. */
  readonly lines: readonly string[];
  /** What it computes, in a sentence. */
  readonly about: string;
  /** The tensors of all blocks that the node stands for. */
  readonly tensors: readonly TensorInfo[];
  /** Tensors of other nodes that it uses, too: the token embedding as output, for example. */
  readonly shared?: readonly TensorInfo[];
  /** How many blocks the node stands for. 1 outside of blocks. */
  readonly times: number;
  /** The parts of the node. */
  readonly inner?: Graph;
  /** Whether the inner graph is shown from the beginning, and the node has no box of its own. */
  readonly isOpen?: boolean;
  /** The operations for each token that stands before, besides those with weights. */
  readonly perContext?: number;
}

export interface GraphEdge {
  readonly from: string;
  readonly to: string;
  /** Whether the edge goes around a part of a block: a residual connection. */
  readonly isResidual?: boolean;
}

export interface Graph {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
  /** The nodes that get the input of the graph, and those that give its output. Empty for the outermost graph. */
  readonly entries: readonly string[];
  readonly exits: readonly string[];
}

/** All nodes of a graph with the nodes around them, from top to bottom. */
export function* nodesOf(
  graph: Graph,
  around: readonly GraphNode[] = [],
): Generator<{
  readonly node: GraphNode;
  readonly around: readonly GraphNode[];
}> {
  for (const node of graph.nodes) {
    yield { node, around };
    if (node.inner) yield* nodesOf(node.inner, [...around, node]);
  }
}

/** Builds a graph, one node after the other. */
export class GraphBuilder {
  readonly #nodes: GraphNode[] = [];
  readonly #edges: GraphEdge[] = [];
  readonly #entries: string[] = [];
  readonly #prefix: string;

  /** Ids begin with `prefix`. */
  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  /** The id of a node of this graph. */
  idOf(name: string): string {
    return this.#prefix === "" ? name : `${this.#prefix}/${name}`;
  }

  /** Adds a node that gets the results of `sources`. `undefined` stands for the input of the graph. Returns its id. */
  add(
    node: Omit<GraphNode, "id" | "lines" | "about" | "tensors" | "times"> &
      Partial<Pick<GraphNode, "lines" | "about" | "tensors" | "times">> & { readonly name: string },
    sources: readonly Source[] = [],
  ): string {
    const { name, ...rest } = node;
    const id = this.idOf(name);
    this.#nodes.push({ lines: [], about: "", tensors: [], times: 1, ...rest, id });
    for (const source of sources) this.connect(source, id);
    return id;
  }

  /** Leads a result to a node, once. */
  connect(source: Source, to: string, isResidual = false): void {
    if (source === undefined) {
      if (!this.#entries.includes(to)) this.#entries.push(to);
    } else if (!this.#edges.some((edge) => edge.from === source && edge.to === to))
      this.#edges.push({ from: source, to, ...(isResidual ? { isResidual } : {}) });
  }

  get isEmpty(): boolean {
    return this.#nodes.length === 0;
  }

  /** The graph whose results are `exits`. */
  build(exits: readonly Source[]): Graph {
    return {
      nodes: this.#nodes,
      edges: this.#edges,
      entries: this.#entries,
      exits: exits.filter((exit) => exit !== undefined),
    };
  }
}

/** The id of a node, or the input of the graph. */
export type Source = string | undefined;
