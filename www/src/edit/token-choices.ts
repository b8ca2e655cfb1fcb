/** The tokens that a key with the id of a special token may name. */

import type { MetadataArray, MetadataValue } from "gguf-wasm/explain";
import { formatId, formatInteger } from "../ui/numbers.ts";
import { isInteger, parseScalar, type Parsed, type ScalarType } from "./new-values.ts";

const TOKEN_ID_KEY = /^tokenizer\.ggml\.[a-z0-9_]+_token_id$/;
/** The types of tokens that are listed before the others, by their number in `tokenizer.ggml.token_type`: unknown, control, user-defined. */
const SPECIAL_TYPES: ReadonlySet<number> = new Set([2, 3, 4]);
/** The most special tokens that are listed. A vocabulary has up to a thousand. */
const MOST_SPECIAL = 4096;

export interface TokenChoice {
  readonly id: number;
  readonly text: string;
}

/** The vocabulary of a file, for choosing a token of it. */
export class TokenChoices {
  readonly #tokens: MetadataArray;
  readonly #types: MetadataArray | undefined;
  #special: readonly TokenChoice[] | undefined;

  constructor(tokens: MetadataArray, types: MetadataArray | undefined) {
    this.#tokens = tokens;
    this.#types = types;
  }

  get count(): number {
    return this.#tokens.length;
  }

  /** The text of a token. Undefined if the vocabulary does not have it. */
  textOf(id: number): string | undefined {
    const text = id < this.count ? this.#tokens.at(id) : undefined;
    return typeof text === "string" ? text : undefined;
  }

  /** The id that a text names: the id itself, or the text of a token. */
  parse(type: ScalarType, text: string): Parsed {
    const typed = text.trim();
    if (/^[+-]?(?:\d+|0x[\da-f]+)$/i.test(typed)) {
      const parsed = parseScalar(type, typed);
      const problem = parsed.problem ?? this.#problemOf(Number(parsed.value));
      return problem === undefined ? parsed : { problem };
    }
    const id = text === "" ? undefined : (this.#idOf(text) ?? this.#idOf(typed));
    if (id !== undefined) return parseScalar(type, String(id));
    return { problem: "No token has exactly this text. Choose a token of the list, or type its id." };
  }

  /** Why an id is refused. Undefined if the vocabulary has it. */
  #problemOf(id: number): string | undefined {
    if (id >= 0 && id < this.count) return undefined;
    return this.count === 0
      ? `The vocabulary is empty, so it has no token ${formatId(id)}.`
      : `The vocabulary has no token ${formatId(id)}. It has ${formatInteger(this.count)} tokens, so the ids are 0 to ${formatId(this.count - 1)}.`;
  }

  /** The id of the token with exactly this text. */
  #idOf(text: string): number | undefined {
    const id = this.#tokens.indexOf(text);
    return id < 0 ? undefined : id;
  }

  /** The special tokens whose text or id contains the typed text, and the token with exactly this text, if it is another one. */
  matching(typed: string): TokenChoice[] {
    const wanted = typed.trim().toLowerCase();
    const special = this.#listSpecial();
    const found = special.filter(
      ({ id, text }) => text.toLowerCase().includes(wanted) || String(id).startsWith(wanted),
    );
    const exact = typed === "" ? undefined : this.#idOf(typed);
    return exact === undefined || found.some(({ id }) => id === exact) ? found : [{ id: exact, text: typed }, ...found];
  }

  #listSpecial(): readonly TokenChoice[] {
    if (this.#special) return this.#special;
    const special: TokenChoice[] = [];
    if (this.#types && ["INT32", "UINT32"].includes(this.#types.elementType)) {
      const types = this.#types.toTypedArray();
      for (let id = 0; id < Math.min(types.length, this.count) && special.length < MOST_SPECIAL; id += 1) {
        const text = SPECIAL_TYPES.has(Number(types[id])) ? this.textOf(id) : undefined;
        if (text !== undefined) special.push({ id, text });
      }
    }
    return (this.#special = special);
  }
}

/** The choices of vocabularies. Each finds the special tokens once. */
const CHOICES = new WeakMap<MetadataArray, TokenChoices>();

/** The vocabulary that the value of an entry names a token of. Undefined for other entries, and for files without a vocabulary. */
export function tokenChoices(
  { key, type }: { key: string; type: string },
  metadata: ReadonlyMap<string, MetadataValue>,
): TokenChoices | undefined {
  if (!TOKEN_ID_KEY.test(key) || !isInteger(type)) return undefined;
  const tokens = metadata.get("tokenizer.ggml.tokens");
  const types = metadata.get("tokenizer.ggml.token_type");
  if (typeof tokens !== "object" || tokens.elementType !== "STRING") return undefined;
  const choices = CHOICES.get(tokens) ?? new TokenChoices(tokens, typeof types === "object" ? types : undefined);
  CHOICES.set(tokens, choices);
  return choices;
}
