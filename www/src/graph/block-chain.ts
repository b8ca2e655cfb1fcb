/** The blocks of a part of a model, one after the other. Repeated blocks are folded. */

import { blockRole } from "../summary/block-roles.ts";
import { layerFacts } from "../summary/architecture/block-boxes.ts";
import type { ModelSource, PlacedTensor } from "../summary/architecture/model-source.ts";
import { formatBlocks } from "../summary/number-ranges.ts";
import { formatId, formatInteger, formatParameters } from "../ui/numbers.ts";
import { blockGraph, type BlockKind } from "./block-graph.ts";
import { GraphBuilder, type Source } from "./graph-model.ts";
import { type Cycle, cyclesOf, type Run } from "./repeats.ts";

/** The most kinds of blocks that are told apart by the sizes of their tensors. */
const MOST_KINDS = 12;
/** The most runs that are shown one after the other. */
const MOST_RUNS = 16;
/** The most kinds of blocks that are open from the beginning. */
const MOST_OPEN = 3;

/** Adds the blocks to a graph. Returns the result of the last one. */
export function addBlocks(
  graph: GraphBuilder,
  source: ModelSource,
  prefix: string,
  numbered: ReadonlyMap<number, readonly PlacedTensor[]>,
  inputs: readonly Source[],
): Source {
  return new BlockChain(source, prefix, numbered).addTo(graph, inputs);
}

class BlockChain {
  readonly #source: ModelSource;
  readonly #prefix: string;
  readonly #tensors: ReadonlyMap<number, readonly PlacedTensor[]>;
  readonly #numbers: readonly number[];
  /** The kind of each block, in the order of their numbers. */
  readonly #kinds: readonly number[];
  readonly #opened = new Set<number>();
  /** Whether blocks of one kind can have tensors of different sizes. */
  readonly #differ: boolean;

  constructor(source: ModelSource, prefix: string, tensors: ReadonlyMap<number, readonly PlacedTensor[]>) {
    this.#source = source;
    this.#prefix = prefix;
    this.#tensors = tensors;
    this.#numbers = [...tensors.keys()].sort((a, b) => a - b);
    const exact = this.#kindsBy((own, block) => [signatureOf(own), layerFacts(source, prefix, block)]);
    this.#differ = new Set(exact).size > MOST_KINDS;
    this.#kinds = this.#differ
      ? this.#kindsBy((own) => [...new Set(own.map(({ place }) => blockRole(place.role).part))].sort())
      : exact;
  }

  #kindsBy(keyOf: (tensors: readonly PlacedTensor[], block: number) => unknown): number[] {
    const known = new Map<string, number>();
    return this.#numbers.map((block) => {
      const key = JSON.stringify(keyOf(this.#tensors.get(block) ?? [], block));
      const kind = known.get(key) ?? known.size;
      known.set(key, kind);
      return kind;
    });
  }

  addTo(graph: GraphBuilder, inputs: readonly Source[]): Source {
    let cycles = cyclesOf(this.#kinds);
    if (cycles.reduce((sum, { runs }) => sum + runs.length, 0) > MOST_RUNS) cycles = this.#byKind();
    let sources = inputs;
    for (const cycle of cycles) sources = [this.#addCycle(graph, cycle, sources)];
    return sources[0];
  }

  /** Blocks of one kind as one run, in the order of their first block: the order of the blocks has no cycles. */
  #byKind(): Cycle[] {
    const places = new Map<number, number[]>();
    for (const [place, kind] of this.#kinds.entries()) {
      const own = places.get(kind);
      if (own) own.push(place);
      else places.set(kind, [place]);
    }
    return [...places].map(([kind, own]) => ({ times: 1, runs: [{ kind, count: own.length, places: own }] }));
  }

  #addCycle(graph: GraphBuilder, { times, runs }: Cycle, inputs: readonly Source[]): Source {
    const [first] = runs;
    if (first && runs.length === 1) return this.#addRun(graph, first, inputs);
    const places = runs.flatMap((run) => run.places).sort((a, b) => a - b);
    const blocks = this.#blocksAt(places);
    const name = `${this.#prefix}${blocks[0] ?? 0}+`;
    const inner = new GraphBuilder(graph.idOf(name));
    let sources: readonly Source[] = [undefined];
    for (const run of runs) sources = [this.#addRun(inner, run, sources)];
    const each = runs.reduce((sum, { count }) => sum + count, 0);
    return graph.add(
      {
        name,
        kind: "blocks",
        title:
          times === 1
            ? `${formatInteger(each)} blocks`
            : `${formatInteger(times)} × these ${formatInteger(each)} blocks`,
        lines: [formatBlocks(blocks)],
        about: "These blocks follow each other again and again.",
        tensors: this.#tensorsOf(blocks),
        times,
        inner: inner.build(sources),
        isOpen: true,
      },
      inputs,
    );
  }

  #addRun(graph: GraphBuilder, { kind, count, places }: Run, inputs: readonly Source[]): Source {
    const blocks = this.#blocksAt(places);
    const name = `${this.#prefix}${blocks[0] ?? 0}`;
    const section = this.#tensors.get(blocks[0] ?? 0)?.[0]?.place.role.section ?? "Block";
    const isOpen = !this.#opened.has(kind) && this.#opened.size < MOST_OPEN;
    if (isOpen) this.#opened.add(kind);
    const tensors = this.#tensorsOf(blocks);
    const elements = tensors.reduce((sum, { elementCount = 0 }) => sum + elementCount, 0);
    const own: BlockKind = {
      prefix: this.#prefix,
      blocks,
      tensors: blocks.map((block) => this.#tensors.get(block) ?? []),
    };
    return graph.add(
      {
        name,
        kind: "blocks",
        title: titleOf(section, count, blocks),
        lines: [
          `${formatParameters(elements / blocks.length)} parameters${blocks.length === 1 ? "" : " each"}`,
          ...(blocks.length === 1 ? [] : [formatBlocks(blocks)]),
          ...(this.#differ ? ["sizes differ from block to block"] : []),
        ],
        about: "",
        tensors,
        times: blocks.length,
        inner: blockGraph(graph.idOf(name), this.#source, own),
        isOpen,
      },
      inputs,
    );
  }

  #blocksAt(places: readonly number[]): number[] {
    return places.map((place) => this.#numbers[place] ?? 0);
  }

  #tensorsOf(blocks: readonly number[]) {
    return blocks.flatMap((block) => (this.#tensors.get(block) ?? []).map(({ tensor }) => tensor));
  }
}

/** "Block 3", "32 × block", or "Block" if a cycle has one of the kind. */
function titleOf(section: string, count: number, blocks: readonly number[]): string {
  if (count > 1) return `${formatInteger(count)} × ${section.toLowerCase()}`;
  return blocks.length === 1 ? `${section} ${formatId(blocks[0] ?? 0)}` : section;
}

/** Names without the number of the block, and dimensions. Types do not matter. */
function signatureOf(tensors: readonly PlacedTensor[]): string[] {
  return tensors
    .map(({ tensor, place: { role } }) => `${role.base}.${role.part ?? ""} ${tensor.dimensions.join("x")}`)
    .sort();
}
