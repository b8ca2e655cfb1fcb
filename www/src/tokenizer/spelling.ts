/** How tokens spell bytes: the text of a token in the file is not always the text that it stands for. */

/**
 * `byte-letters`: each letter stands for a byte (models `gpt2`). `word-mark`: ▁ stands for a space, and a token of the type Byte is spelled
 * `<0x0A>` (models of SentencePiece, and `bert` in GGUF). `plain`: the token is its text.
 */
export type Spelling = "byte-letters" | "word-mark" | "plain";

const SPELLINGS: ReadonlyMap<string, Spelling> = new Map([
  ["gpt2", "byte-letters"],
  ["hybriddna", "byte-letters"],
  ["llama", "word-mark"],
  ["gemma4", "word-mark"],
  ["t5", "word-mark"],
  ["bert", "word-mark"],
]);

export function spellingOf(model: string): Spelling {
  return SPELLINGS.get(model) ?? "plain";
}

/** The mark of a space. */
const WORD_MARK = "▁";

/**
 * The letter of each byte: printable characters of Latin-1 stand for themselves, all others for characters from U+0100 on
 * (`bytes_to_unicode` of GPT-2).
 */
const LETTERS: readonly string[] = letters();
const BYTES: ReadonlyMap<string, number> = new Map(LETTERS.map((letter, byte) => [letter, byte]));

function letters(): string[] {
  const isPrintable = (byte: number) =>
    (byte > 0x20 && byte < 0x7f) || (byte > 0xa0 && byte < 0xad) || (byte > 0xad && byte <= 0xff);
  let next = 0x100;
  return Array.from({ length: 256 }, (_, byte) => String.fromCharCode(isPrintable(byte) ? byte : next++));
}

const ENCODER = new TextEncoder();
const STRICT = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The types of tokens whose text is never spelled: control, user-defined and unknown tokens. */
const LITERAL_TYPES: readonly (number | undefined)[] = [2, 3, 4];
const BYTE_TYPE = 6;

/** The bytes that a token stands for. `type` is its value in `tokenizer.ggml.token_type`. */
export function bytesOf(stored: string, type: number | undefined, spelling: Spelling): Uint8Array<ArrayBuffer> {
  if (LITERAL_TYPES.includes(type)) return ENCODER.encode(stored);
  if (spelling === "byte-letters") {
    const bytes = Array.from(stored, (letter) => BYTES.get(letter));
    // A token with other letters stands for its text.
    return bytes.includes(undefined) ? ENCODER.encode(stored) : Uint8Array.from(bytes as number[]);
  }
  if (spelling === "word-mark") {
    const byte = type === BYTE_TYPE ? /^<0x([\da-f]{2})>$/i.exec(stored)?.[1] : undefined;
    return byte === undefined
      ? ENCODER.encode(stored.replaceAll(WORD_MARK, " "))
      : Uint8Array.of(Number.parseInt(byte, 16));
  }
  return ENCODER.encode(stored);
}

/** The text of bytes. Undefined if they are no whole characters. */
export function textOf(bytes: Uint8Array<ArrayBuffer>): string | undefined {
  try {
    return STRICT.decode(bytes);
  } catch {
    return undefined;
  }
}

/** A text as tokens spell it, for a search in the stored texts. */
export function spelled(text: string, spelling: Spelling): string {
  if (spelling === "byte-letters") return Array.from(ENCODER.encode(text), (byte) => LETTERS[byte]).join("");
  return spelling === "word-mark" ? text.replaceAll(" ", WORD_MARK) : text;
}

/** Bytes as hexadecimal digits: `e2 96 81`. */
export function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join(" ");
}
