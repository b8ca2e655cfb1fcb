/** The graph of a model, from its header alone: what comes before its blocks, its blocks, and what comes after them. */

import type { TensorInfo, TensorRole } from "gguf-wasm/explain";
import type { ModelSource, PlacedTensor } from "../summary/architecture/model-source.ts";
import { formatCount, formatInteger, formatParameters } from "../ui/numbers.ts";
import { addBlocks } from "./block-chain.ts";
import { type Graph, GraphBuilder, type NodeKind, type Source } from "./graph-model.ts";
import { type PlacedModel, placeTensors } from "./place-tensors.ts";
import { isOfSound, isProjector } from "./units.ts";

const BLOCKS = "blk.";
const ENCODER = "enc.blk.";
const DECODER = "dec.blk.";

export function modelGraph(source: ModelSource, roleOf: (name: string) => TensorRole | undefined): Graph {
  return new ModelGraph(source, placeTensors(source.tensors, roleOf)).build();
}

class ModelGraph {
  readonly #graph = new GraphBuilder("");
  readonly #source: ModelSource;
  readonly #model: PlacedModel;
  /** The tensors of the section `Model` that no node has yet. */
  #left: PlacedTensor[];

  constructor(source: ModelSource, model: PlacedModel) {
    this.#source = source;
    this.#model = model;
    this.#left = [...(model.outer.get("Model") ?? []), ...(model.outer.get("Other") ?? [])];
  }

  build(): Graph {
    const results = this.#encoders();
    const isText = (this.#model.outer.get("Model") ?? []).length > 0 || this.#prefixes(false).length > 0;
    if (isText || results.length === 0) this.#text();
    else {
      const about = "For the language model.";
      const output = this.#graph.add({ name: "output", kind: "output", title: "Embeddings", about });
      for (const result of results) this.#graph.connect(result, output);
      this.#rest(undefined);
    }
    return this.#graph.build([]);
  }

  /** What the names of blocks begin with: those of encoders of images and sound, or those of other models. */
  #prefixes(ofEncoders: boolean): string[] {
    const isOfEncoder = (prefix: string) => /^[av]\./.test(prefix) || this.#source.architecture === "clip";
    return [...this.#model.blocks.keys()].filter((prefix) => isOfEncoder(prefix) === ofEncoders);
  }

  /** Takes tensors outside of blocks. */
  #take(bases: RegExp): TensorInfo[] {
    const taken = this.#left.filter(({ place }) => bases.test(place.role.base));
    this.#left = this.#left.filter(({ place }) => !bases.test(place.role.base));
    return taken.map(({ tensor }) => tensor);
  }

  /** Adds a node with tensors outside of blocks, if there are such. Otherwise the input passes unchanged. */
  #tensors(name: string, kind: NodeKind, title: string, bases: RegExp, input: Source, about = ""): Source {
    const tensors = this.#take(bases);
    if (tensors.length === 0) return input;
    return this.#graph.add({ name, kind, title, about, tensors, lines: kind === "norm" ? [] : shapeLines(tensors) }, [
      ...(input === undefined ? [] : [input]),
    ]);
  }

  #text(): void {
    // It is taken from the list with the input.
    const embedding = this.#left.find(({ place }) => place.role.base === "token_embd")?.tensor;
    const input = this.#tensors("altup", "other", "AltUp", /^altup_proj$/, this.#input(), "Computes more streams.");
    const x = this.#blocks(input, this.#beside(), embedding);
    const joined = this.#tensors("altup-end", "other", "AltUp", /^altup_unembd_proj$/, x, "Joins the streams.");
    this.#output(this.#norm("output-norm", /output_norm/, joined), embedding);
  }

  /** What all blocks get besides the result of the block before. */
  #beside(): Source[] {
    const tokens = this.#graph.idOf("tokens");
    const about = "An embedding of the token for each block.";
    const perLayer = this.#tensors("per-layer", "input", "Per-layer embedding", /^per_layer/, tokens, about);
    const turned = "All blocks turn queries and keys with these factors.";
    const rotary = this.#tensors("rope", "other", "Rotary factors", /^rope/, undefined, turned);
    return [perLayer, rotary].filter((node) => node !== undefined && node !== tokens);
  }

  /** All blocks of a text model: those of an encoder and a decoder, or those of one stack. */
  #blocks(input: Source, beside: readonly Source[], embedding: TensorInfo | undefined): Source {
    const { blocks } = this.#model;
    const add = (prefix: string, inputs: readonly Source[]) =>
      addBlocks(this.#graph, this.#source, prefix, blocks.get(prefix) ?? new Map(), inputs);
    let x = input;
    if (blocks.has(ENCODER)) x = this.#norm("enc-norm", /^enc\.output_norm$/, add(ENCODER, [x, ...beside]));
    if (blocks.has(DECODER)) {
      const start = this.#graph.add({
        name: "written",
        kind: "input",
        title: "Tokens written so far",
        about: "They have the same embedding.",
        ...(embedding ? { shared: [embedding] } : {}),
      });
      x = this.#norm("dec-norm", /^dec\.output_norm$/, add(DECODER, [start, x]));
    }
    if (blocks.has(BLOCKS)) x = add(BLOCKS, [x, ...beside]);
    const known: readonly string[] = [ENCODER, DECODER, BLOCKS];
    for (const prefix of this.#prefixes(false)) if (!known.includes(prefix)) x = add(prefix, [x]);
    return x;
  }

  /** What the model says, and the tensors that compute it. */
  #output(input: Source, embedding: TensorInfo | undefined): void {
    const { estimate } = this.#source;
    const about = "Rates each token of the vocabulary.";
    let x = this.#tensors("output", "output", "Output", /^output$|^output_hc/, input, about);
    const isTied = x === input && (estimate?.weights?.tiedOutput ?? 0) > 0 && embedding !== undefined;
    const writes = isTied || x !== input;
    if (isTied)
      x = this.#graph.add(
        {
          name: "output",
          kind: "output",
          title: "Output",
          lines: ["shares the token embedding"],
          about: "Rates each token of the vocabulary with the weights of the token embedding.",
          shared: [embedding],
        },
        [x],
      );
    const classes = this.#tensors("classifier", "output", "Classifier", /^cls/, x, "Rates the text.");
    const isRated = classes !== x;
    x = this.#rest(this.#tensors("dense", "output", "Dense", /^dense/, classes));
    this.#graph.add(
      {
        name: "result",
        kind: "output",
        title: writes ? "Next token" : isRated ? "Scores" : embedding ? "Embedding" : "Result",
        about: writes ? "A rating of each token of the vocabulary." : "What the model computes.",
      },
      [x],
    );
  }

  /** Tokens, their embedding, and what is added to it. */
  #input(): Source {
    const hasTokens = this.#left.some(({ place }) => place.role.base === "token_embd");
    const tokens = this.#graph.add({
      name: "tokens",
      kind: "input",
      title: hasTokens ? "Tokens" : "Input",
      about: hasTokens ? "The ids of the tokens of the text." : "",
    });
    const parts = [
      this.#tensors(
        "embedding",
        "input",
        "Token embedding",
        /^token_embd$/,
        tokens,
        "Looks up the vector of each token.",
      ),
      this.#tensors(
        "types",
        "input",
        "Token types",
        /^token_types$/,
        tokens,
        "Tells the first text from the second one.",
      ),
      this.#tensors(
        "positions",
        "input",
        "Position embedding",
        /^position_embd$/,
        tokens,
        "Looks up the vector of each position.",
      ),
    ].filter((part) => part !== tokens);
    const sum =
      parts.length > 1
        ? this.#graph.add({ name: "input-sum", kind: "join", title: "+", about: "Adds the vectors." }, parts)
        : parts[0];
    return this.#norm("input-norm", /^token_embd_norm$/, sum ?? tokens);
  }

  #norm(name: string, bases: RegExp, input: Source): Source {
    return this.#tensors(name, "norm", "Norm", bases, input, "Brings the numbers to a common size.");
  }

  /** Tensors of the model whose use is not known. */
  #rest(input: Source): Source {
    return this.#tensors("rest", "other", "Other tensors", /^/, input, "How these tensors are used is not known.");
  }

  /** Encoders of images and sound, and what projects their results. Returns the results. */
  #encoders(): Source[] {
    const sections = [...this.#model.outer].filter(([title]) => title !== "Model" && title !== "Other");
    const results: { readonly isSound: boolean; readonly end: Source }[] = [];
    const prefixes = this.#prefixes(true);
    const left = new Set(sections.map(([title]) => title));
    for (const prefix of prefixes) {
      const isSound = isOfSound(prefix);
      const word = isSound ? "audio" : "vision";
      let x: Source = this.#graph.add({ name: `${prefix}input`, kind: "input", title: isSound ? "Sound" : "Image" });
      const own = sections.filter(([title]) => title.toLowerCase().includes(word) && !isProjector(title));
      const after = (placed: PlacedTensor) => /post|out|^ln_post|final/.test(placed.place.role.base);
      for (const [title, tensors] of own) {
        left.delete(title);
        x = this.#section(
          `${prefix}${title}`,
          title,
          tensors.filter((placed) => !after(placed)),
          x,
        );
      }
      x = addBlocks(this.#graph, this.#source, prefix, this.#model.blocks.get(prefix) ?? new Map(), [x]);
      for (const [title, tensors] of own) {
        const last = tensors.filter(after);
        const isNorm = last.every(({ place }) => /norm|ln/.test(place.role.base));
        x = this.#section(`${prefix}${title} after`, isNorm ? "Norm" : "Output", last, x);
      }
      results.push({ isSound, end: x });
    }
    let ends = results;
    for (const [title, tensors] of sections.filter(([name]) => left.has(name)).sort(projectorsLast)) {
      const node = this.#section(title, title, tensors, undefined);
      if (node === undefined) continue;
      // Image and sound have a projector each, or one for both.
      const isSound = isOfSound(title);
      const isOwn = (result: { readonly isSound: boolean }) => result.isSound === isSound;
      const own = ends.some(isOwn) ? ends.filter(isOwn) : ends;
      for (const { end } of own) this.#graph.connect(end, node);
      ends = [...ends.filter((result) => !own.includes(result)), { isSound, end: node }];
    }
    return ends.map(({ end }) => end);
  }

  #section(name: string, title: string, tensors: readonly PlacedTensor[], input: Source): Source {
    if (tensors.length === 0) return input;
    const own = tensors.map(({ tensor }) => tensor);
    const elements = own.reduce((sum, { elementCount = 0 }) => sum + elementCount, 0);
    const kind = title === "Norm" ? "norm" : isProjector(title) ? "feed-forward" : "input";
    return this.#graph.add(
      {
        name,
        kind,
        title,
        lines: kind === "norm" ? [] : [formatCount(own.length, "tensor"), `${formatParameters(elements)} parameters`],
        tensors: own,
      },
      input === undefined ? [] : [input],
    );
  }
}

const projectorsLast = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]) =>
  Number(isProjector(a)) - Number(isProjector(b));

/** The dimensions of the largest tensor. */
function shapeLines(tensors: readonly TensorInfo[]): string[] {
  const [largest] = [...tensors].sort((a, b) => (b.elementCount ?? 0) - (a.elementCount ?? 0));
  return largest && largest.dimensions.length > 1 ? [largest.dimensions.map(formatInteger).join(" × ")] : [];
}
