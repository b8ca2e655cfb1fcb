/** The tokens of a file, as its metadata lists them. */

import type { MetadataArray, MetadataValue, TokenizerModelInfo, TokenSpelling } from "gguf-wasm/explain";
import { bytesOf } from "./spelling.ts";

type Metadata = ReadonlyMap<string, MetadataValue>;
type Numbers = Int32Array | Float32Array | Float64Array;

export class Vocabulary {
  /** The value of `tokenizer.ggml.model`; "" if the file has none. */
  readonly model: string;
  readonly spelling: TokenSpelling;
  /** Undefined if the file has no merges. */
  readonly merges: MetadataArray | undefined;
  readonly #tokens: MetadataArray;
  /** Undefined if the file has no types, or not one for each token. */
  readonly #types: Numbers | undefined;
  readonly #scores: Numbers | undefined;
  #typeCounts: ReadonlyMap<number, number> | undefined;
  /** The stored texts, filled while they are read for the first time. */
  readonly #texts: string[] = [];

  private constructor(tokens: MetadataArray, metadata: Metadata, models: readonly TokenizerModelInfo[]) {
    const model = metadata.get("tokenizer.ggml.model");
    this.model = typeof model === "string" ? model : "";
    this.spelling = models.find(({ name }) => name === model)?.spelling ?? "plain";
    this.#tokens = tokens;
    const merges = metadata.get("tokenizer.ggml.merges");
    this.merges = isArray(merges) && merges.elementType === "STRING" ? merges : undefined;
    this.#types = numbersOf(metadata.get("tokenizer.ggml.token_type"), tokens.length);
    this.#scores = numbersOf(metadata.get("tokenizer.ggml.scores"), tokens.length);
  }

  /** The vocabulary of a file. Undefined if the file has none. `models` are the tokenizers that are known. */
  static of(metadata: Metadata, models: readonly TokenizerModelInfo[]): Vocabulary | undefined {
    const tokens = metadata.get("tokenizer.ggml.tokens");
    return isArray(tokens) && tokens.elementType === "STRING" ? new Vocabulary(tokens, metadata, models) : undefined;
  }

  get size(): number {
    return this.#tokens.length;
  }

  get hasTypes(): boolean {
    return this.#types !== undefined;
  }

  get hasScores(): boolean {
    return this.#scores !== undefined;
  }

  /** The text of a token as the file stores it. */
  stored(id: number): string {
    if (id < this.#texts.length) return this.#texts[id] as string;
    const text = this.#tokens.at(id);
    return typeof text === "string" ? text : "";
  }

  /** Reads the stored texts up to a token, so that `stored` is fast. Texts are read in order. */
  readUpTo(end: number): void {
    const from = this.#texts.length;
    if (end > from) for (const text of this.#tokens.slice(from, end)) this.#texts.push(text as string);
  }

  type(id: number): number | undefined {
    return this.#types?.[id];
  }

  score(id: number): number | undefined {
    return this.#scores?.[id];
  }

  /** The bytes that a token stands for. */
  bytes(id: number): Uint8Array<ArrayBuffer> {
    return bytesOf(this.stored(id), this.type(id), this.spelling);
  }

  /** The number of tokens of each type. */
  typeCounts(): ReadonlyMap<number, number> {
    return (this.#typeCounts ??= countEach(this.#types ?? new Int32Array()));
  }
}

/** How often each number is there. */
function countEach(numbers: Numbers): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  // Neighbours are mostly equal, so runs are counted.
  for (let start = 0; start < numbers.length;) {
    const number = numbers[start] as number;
    let end = start + 1;
    while (end < numbers.length && numbers[end] === number) end += 1;
    counts.set(number, (counts.get(number) ?? 0) + end - start);
    start = end;
  }
  return counts;
}

function isArray(value: MetadataValue | undefined): value is MetadataArray {
  return typeof value === "object";
}

/** The elements of an array with one number for each token. */
function numbersOf(value: MetadataValue | undefined, count: number): Numbers | undefined {
  if (!isArray(value) || value.length !== count) return undefined;
  switch (value.elementType) {
    case "INT8":
    case "UINT8":
    case "INT16":
    case "UINT16":
    case "INT32":
    case "UINT32":
      return new Int32Array(value.toTypedArray() as Int32Array);
    case "FLOAT32":
    case "FLOAT64":
      return value.toTypedArray() as Float32Array;
    default:
      return undefined;
  }
}
