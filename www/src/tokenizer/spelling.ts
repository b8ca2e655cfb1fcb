/** How tokens spell bytes: the text of a token in the file is not always the text that it stands for. */

import type { TokenSpelling } from "gguf-wasm/explain";

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
/** A character that is no letter of a byte. */
const NO_LETTER = new RegExp(`[^${LETTERS.join("").replace(/[\\\]^-]/g, "\\$&")}]`);

/** The bytes that a token stands for. `type` is its value in `tokenizer.ggml.token_type`. */
export function bytesOf(stored: string, type: number | undefined, spelling: TokenSpelling): Uint8Array<ArrayBuffer> {
  if (LITERAL_TYPES.includes(type)) return ENCODER.encode(stored);
  if (spelling === "byte-letters") {
    const bytes = Array.from(stored, (letter) => BYTES.get(letter));
    // A token with characters that are no letters of bytes stands for its own text.
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

/**
 * Whether bytes occur in the bytes of a token. The function compares stored texts where that gives the same result, because to make the
 * bytes of each token of a vocabulary takes most of a second.
 */
export function bytesFinder(
  wanted: Uint8Array<ArrayBuffer>,
  spelling: TokenSpelling,
): (stored: string, type: number | undefined) => boolean {
  const exact = (stored: string, type: number | undefined) => containsBytes(bytesOf(stored, type, spelling), wanted);
  if (spelling === "byte-letters") {
    const letters = Array.from(wanted, (byte) => LETTERS[byte]).join("");
    return (stored, type) =>
      LITERAL_TYPES.includes(type) || NO_LETTER.test(stored) ? exact(stored, type) : stored.includes(letters);
  }
  const text = textOf(wanted);
  // Only characters outside of ASCII contain bytes that are no whole characters.
  if (text === undefined) return (stored, type) => (type === BYTE_TYPE || !ASCII.test(stored)) && exact(stored, type);
  const hasSpaces = text.includes(" ") || text.includes(WORD_MARK);
  return (stored, type) => {
    if (type === BYTE_TYPE) return exact(stored, type);
    const isSpelled = hasSpaces && spelling === "word-mark" && !LITERAL_TYPES.includes(type);
    return (isSpelled ? stored.replaceAll(WORD_MARK, " ") : stored).includes(text);
  };
}

const ASCII = /^[\0-\x7f]*$/;

function containsBytes(bytes: Uint8Array, wanted: Uint8Array): boolean {
  const [first = 0] = wanted;
  for (let at = bytes.indexOf(first); at >= 0; at = bytes.indexOf(first, at + 1))
    if (wanted.every((byte, offset) => bytes[at + offset] === byte)) return true;
  return false;
}

/** A text as tokens spell it, for a search in the stored texts. */
export function spelled(text: string, spelling: TokenSpelling): string {
  if (spelling === "byte-letters") return Array.from(ENCODER.encode(text), (byte) => LETTERS[byte]).join("");
  return spelling === "word-mark" ? text.replaceAll(" ", WORD_MARK) : text;
}

/** Bytes as hexadecimal digits: `e2 96 81`. */
export function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join(" ");
}
