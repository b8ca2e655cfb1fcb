/** A block as a graph: norms, attention or a state, feed-forward or experts, and the additions of the residual connections. */

import { blockBoxes, hasExchangedNames, layerFacts } from "../summary/architecture/block-boxes.ts";
import { isParallelBlock, mixerOf, normPlace, type NormPlace } from "../summary/architecture/block-flow.ts";
import type { ModelSource, PlacedTensor } from "../summary/architecture/model-source.ts";
import { type Graph, GraphBuilder, type NodeKind, type Source } from "./graph-model.ts";
import { attentionGraph, crossAttentionGraph } from "./operations/attention.ts";
import { expertsGraph, feedForwardGraph } from "./operations/feed-forward.ts";
import { PartTensors } from "./operations/part-tensors.ts";
import {
  channelMixGraph,
  linearAttentionGraph,
  shortConvolutionGraph,
  stateSpaceGraph,
  timeMixGraph,
} from "./operations/recurrent.ts";

/** Blocks with the same tensors and settings. */
export interface BlockKind {
  /** What the names of their tensors begin with: `"blk."`. */
  readonly prefix: string;
  readonly blocks: readonly number[];
  /** The tensors of each of `blocks`. */
  readonly tensors: readonly (readonly PlacedTensor[])[];
}

/** Tensors that change more than one part of a block. `first`: they stand before the parts. */
const EXTRAS = [
  {
    name: "nextn",
    title: "Next-token prediction",
    bases: /^nextn/,
    first: true,
    about: "Guesses one more token. Programs that do not need it skip the block.",
  },
  {
    name: "hyper",
    title: "Hyper-connections",
    bases: /^hc_/,
    first: true,
    about: "Mixes several residual streams before and after each part.",
  },
  {
    name: "altup",
    title: "AltUp and LAuReL",
    bases: /^(?:altup|laurel)/,
    first: true,
    about: "Predicts and corrects several residual streams, of which only one is computed in full.",
  },
  {
    name: "per-layer",
    title: "Per-layer input",
    bases: /^(?:inp_gate|proj|post_norm|ple_.*|per_layer.*)$/,
    first: false,
    about: "Adds an embedding of the token that each block has for itself.",
  },
] as const;

type Part = NodeKind & ("attention" | "feed-forward" | "experts" | "recurrent" | "other");

/** The graph of one block. `id` is that of the node around it. */
export function blockGraph(id: string, source: ModelSource, kind: BlockKind): Graph {
  return new BlockGraph(id, source, kind).build();
}

class BlockGraph {
  readonly #graph: GraphBuilder;
  readonly #source: ModelSource;
  readonly #kind: BlockKind;
  readonly #bases: ReadonlySet<string>;
  readonly #layer: number;

  constructor(id: string, source: ModelSource, kind: BlockKind) {
    this.#graph = new GraphBuilder(id);
    this.#source = source;
    this.#kind = kind;
    this.#bases = new Set(kind.tensors.flatMap((tensors) => tensors.map(({ place }) => place.role.base)));
    this.#layer = kind.blocks[0] ?? 0;
  }

  build(): Graph {
    let x = this.#extras(undefined, true);
    const isParallel = isParallelBlock(this.#source, this.#bases);
    const mixer = mixerOf(this.#bases);
    const shared = this.#norm("before-mixer", "norm", x);
    const mixed = mixer === "none" ? [] : this.#mixers(mixer, shared);
    const hasCross = this.#has(/^cross_attn/);
    if (isParallel) {
      const input = this.#norm("before-feed-forward", "norm-2", this.#has(/^ffn_norm$|^ln2$/) ? x : shared);
      const forward = this.#forward(input);
      if (mixed.length + forward.length > 0) x = this.#add("sum", [...mixed, ...forward], x);
    } else {
      if (mixed.length > 0) {
        const one = mixed.length === 1 ? mixed[0] : this.#sum("mixed", mixed);
        x = this.#add("sum", [this.#norm("after-mixer", "norm-after", one)], x);
      }
      x = this.#norm("after-sum", "norm-sum", x);
      if (hasCross) {
        const input = this.#norm("before-cross", "norm-cross", x);
        x = this.#add("sum-cross", [this.#cross(input)], x);
      }
      const input = this.#norm("before-feed-forward", "norm-2", x);
      const forward = this.#forward(input);
      if (forward.length > 0) {
        const one = forward.length === 1 ? forward[0] : this.#sum("forward", forward);
        x = this.#add("sum-2", [this.#norm("after-feed-forward", "norm-after-2", one)], x);
      } else x = input;
    }
    x = this.#norm("end", "norm-end", x);
    x = this.#extras(x, false);
    return this.#graph.build([this.#others(x)]);
  }

  /** The tensors of the first block. */
  get #sample(): readonly PlacedTensor[] {
    return this.#kind.tensors[0] ?? [];
  }

  #has(bases: RegExp): boolean {
    return [...this.#bases].some((base) => bases.test(base));
  }

  /** The tensors of each block for which `isOwn` holds. */
  #of(isOwn: (placed: PlacedTensor) => boolean): PartTensors {
    return new PartTensors(this.#kind.tensors.map((tensors) => tensors.filter(isOwn)));
  }

  #placeOf({ place }: PlacedTensor): NormPlace {
    return normPlace(place.role.base, (base) => this.#bases.has(base));
  }

  /** A norm of the block between its parts. Without one, the input passes unchanged. */
  #norm(where: NormPlace, name: string, input: Source): Source {
    const tensors = this.#of((placed) => this.#placeOf(placed) === where);
    const title = tensors.titleOf(/^/) ?? "Norm";
    const taken = tensors.take(/^/);
    if (taken.length === 0) return input;
    return this.#graph.add(
      {
        name,
        kind: "norm",
        title: /scale/i.test(title) ? "Scale" : "Norm",
        about: `${title}. Brings the numbers to a common size.`,
        tensors: taken,
        times: tensors.times,
      },
      [input],
    );
  }

  #sum(name: string, sources: readonly Source[]): string {
    return this.#graph.add(
      { name, kind: "join", title: "+", about: "Adds the results.", times: this.#kind.blocks.length },
      sources,
    );
  }

  /** The residual connection: what was computed is added to the input. */
  #add(name: string, computed: readonly Source[], input: Source): string {
    const id = this.#graph.add(
      {
        name,
        kind: "join",
        title: "+",
        about: "Residual connection: adds what was computed to the input.",
        times: this.#kind.blocks.length,
      },
      computed,
    );
    this.#graph.connect(input, id, true);
    return id;
  }

  #mixers(mixer: "attention" | "recurrent" | "linear-attention" | "both", input: Source): Source[] {
    const nodes: Source[] = [];
    const isRecurrent = mixer !== "attention";
    if (isRecurrent) {
      const takesAttention = mixer === "linear-attention";
      const isOwn = (placed: PlacedTensor) =>
        this.#isInside(placed, "recurrent") || (takesAttention && this.#isInside(placed, "attention"));
      const own = (placed: PlacedTensor) => isOwn(placed) && !/^channel_mix/.test(placed.place.role.base);
      nodes.push(
        this.#part("recurrent", "recurrent", own, input, (id, tensors) => this.#recurrent(id, tensors, mixer)),
      );
    }
    if (mixer === "attention" || mixer === "both") {
      const own = (placed: PlacedTensor) =>
        this.#isInside(placed, "attention") && !/^cross_attn/.test(placed.place.role.base);
      nodes.push(this.#part("attention", "attention", own, input, (id, tensors) => this.#attention(id, tensors)));
    } else if (mixer === "recurrent" && this.#has(/^attn_(?!norm|output_norm)/)) {
      // Tensors of attention without its output: they are shown, so that none is missing.
      const own = (placed: PlacedTensor) => this.#isInside(placed, "attention");
      nodes.push(this.#part("attention", "attention", own, input, (id, tensors) => this.#attention(id, tensors)));
    }
    return nodes.filter((node) => node !== undefined);
  }

  #recurrent(id: string, tensors: PartTensors, mixer: string): Graph {
    const size = this.#number("ssm.state_size") ?? this.#number("wkv.head_size");
    if (mixer === "linear-attention") return linearAttentionGraph(id, tensors, { size });
    if (tensors.has(/^time_mix/)) return timeMixGraph(id, tensors, { size });
    if (tensors.has(/^shortconv/)) return shortConvolutionGraph(id, tensors);
    return stateSpaceGraph(id, tensors, { size });
  }

  #attention(id: string, tensors: PartTensors): Graph {
    const { architecture, metadata, estimate } = this.#source;
    const facts = layerFacts(this.#source, this.#kind.prefix, this.#layer);
    const caches = this.#kind.prefix === "enc.blk." ? [] : (estimate?.caches ?? []);
    const hasPositions = this.#source.tensors.some(({ name }) => /position_embd|attn_rel_b/.test(name));
    const rotates = !hasPositions && [...metadata.keys()].some((key) => key.startsWith(`${architecture}.rope.`));
    return attentionGraph(id, tensors, { ...facts, rotates, isCached: caches.length > 0 });
  }

  #cross(input: Source): Source {
    const own = (placed: PlacedTensor) => /^cross_attn_(?!norm)/.test(placed.place.role.base);
    return this.#part("attention", "cross", own, input, crossAttentionGraph, "Cross-attention");
  }

  /** Feed-forward, experts, or both. */
  #forward(input: Source): Source[] {
    const channel = (placed: PlacedTensor) => /^channel_mix/.test(placed.place.role.base);
    const [count, used] = [this.#number("expert_count"), this.#number("expert_used_count")];
    return [
      this.#part("feed-forward", "channel", channel, input, channelMixGraph, "Channel mixing"),
      this.#part(
        "feed-forward",
        "feed-forward",
        (placed) => this.#isInside(placed, "feed-forward"),
        input,
        (id, tensors) =>
          feedForwardGraph(id, tensors, hasExchangedNames(this.#source, this.#kind.prefix, this.#sample)),
      ),
      this.#part(
        "experts",
        "experts",
        (placed) => this.#isInside(placed, "experts"),
        input,
        (id, tensors) => expertsGraph(id, tensors, { count, used }),
      ),
    ].filter((node) => node !== undefined);
  }

  /** Whether a tensor is in a part of the block. Norms in a part have names that begin like those of its other tensors. */
  #isInside(placed: PlacedTensor, part: Part): boolean {
    if (this.#placeOf(placed) !== "inside" || isExtra(placed)) return false;
    const { part: own } = placed;
    if (own.name !== "norms") return own.part === part;
    const { base } = placed.place.role;
    if (/^(?:ssm|time_mix|channel_mix|shortconv)/.test(base)) return part === "recurrent";
    if (/^ff[nw]/.test(base))
      return part === (/exps/.test(base) || !this.#has(/^ffn_(?:up|down)$/) ? "experts" : "feed-forward");
    return part === (/attn|^indexer|^[qk]_norm/.test(base) ? "attention" : "other");
  }

  /** A part of the block with its operations. Undefined if the block has none of its tensors. */
  #part(
    kind: Part,
    name: string,
    isOwn: (placed: PlacedTensor) => boolean,
    input: Source,
    operations: (id: string, tensors: PartTensors) => Graph,
    title?: string,
  ): Source {
    const own = this.#kind.tensors.map((tensors) => tensors.filter(isOwn));
    const [sample = []] = own;
    if (sample.length === 0) return undefined;
    const box = blockBoxes(this.#source, this.#kind.prefix, this.#layer, sample, "").find(
      (found) => found.kind === kind,
    );
    return this.#graph.add(
      {
        name,
        kind,
        title: title ?? this.#titleOf(kind, sample) ?? box?.title ?? "Other",
        lines: title === undefined ? (box?.lines ?? []) : [],
        about: kind === "attention" ? this.#aboutAttention() : ABOUT[kind],
        tensors: own.flat().map(({ tensor }) => tensor),
        times: own.length,
        inner: operations(this.#graph.idOf(name), new PartTensors(own)),
      },
      [input],
    );
  }

  /** What tokens see: those before them if their keys and values are kept, and all of them in an encoder. */
  #aboutAttention(): string {
    const { estimate } = this.#source;
    const isEncoder = /^(?:[av]|enc)\./.test(this.#kind.prefix);
    const seen =
      !isEncoder && estimate === undefined
        ? "other tokens"
        : isEncoder || (estimate?.caches ?? []).length === 0
          ? "all tokens"
          : "the tokens before it";
    return `Each token looks at ${seen}, and takes what it needs from them.`;
  }

  #titleOf(kind: Part, sample: readonly PlacedTensor[]): string | undefined {
    if (kind !== "recurrent") return undefined;
    const bases = sample.map(({ place }) => place.role.base);
    if (bases.some((base) => base.startsWith("time_mix"))) return "Time mixing";
    return mixerOf(this.#bases) === "linear-attention" ? "Linear attention" : undefined;
  }

  #extras(input: Source, first: boolean): Source {
    return EXTRAS.filter((extra) => extra.first === first).reduce<Source>((x, { name, title, bases, about }) => {
      const tensors = this.#of(({ place }) => bases.test(place.role.base));
      const taken = tensors.take(/^/);
      if (taken.length === 0) return x;
      return this.#graph.add({ name, kind: "other", title, about, tensors: taken, times: tensors.times }, [x]);
    }, input);
  }

  /** Tensors that no part has: how they are used is not known. Their names tell which belong together. */
  #others(input: Source): Source {
    const isOwn = (placed: PlacedTensor) =>
      !isExtra(placed) && this.#placeOf(placed) === "inside" && this.#isInside(placed, "other");
    const names = new Set(this.#sample.filter(isOwn).map(firstName));
    const isMany = names.size > MOST_OTHERS;
    return [...(isMany ? [""] : names)].reduce<Source>((x, name) => {
      const tensors = this.#of((placed) => isOwn(placed) && (isMany || firstName(placed) === name));
      const title = tensors.titleOf(/^/);
      const bases = tensors.count;
      const taken = tensors.take(/^/);
      return this.#graph.add(
        {
          name: `other-${name}`,
          kind: "other",
          title: isMany ? "Other tensors" : bases === 1 && title !== undefined ? title : name,
          about: "How these tensors are used is not known.",
          tensors: taken,
          times: tensors.times,
        },
        [x],
      );
    }, input);
  }

  #number(name: string): number | undefined {
    const value = this.#source.metadata.get(`${this.#source.architecture}.${name}`);
    const own = typeof value === "object" ? value.at(this.#layer) : value;
    return typeof own === "number" || typeof own === "bigint" ? Number(own) : undefined;
  }
}

/** The most boxes of tensors whose use is not known. */
const MOST_OTHERS = 10;

/** The first part of a base name: "self_attn" of "self_attn.q_proj". */
const firstName = ({ place }: PlacedTensor) => place.role.base.split(".")[0] ?? "";

const isExtra = ({ place }: PlacedTensor) => EXTRAS.some(({ bases }) => bases.test(place.role.base));

const ABOUT: Readonly<Record<Exclude<Part, "attention">, string>> = {
  "feed-forward": "Computes on each token alone. Most of the knowledge of a model is in these weights.",
  experts: "A router chooses a few of many feed-forward networks for each token.",
  recurrent: "Reads the tokens one after the other, and keeps a state instead of a cache.",
  other: "",
};
