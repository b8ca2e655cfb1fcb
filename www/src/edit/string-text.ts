/** Strings in a text field, which knows of line breaks only one kind, and shows nothing where a character cannot be seen. */

import { splitText } from "../ui/text.ts";
import type { Parsed } from "./new-values.ts";

/** Which bytes a line break is, where all of them are the same. */
export type LineEnd = "lf" | "crlf";

/** A string as a text field can hold it, so that `fromField` gives back every byte of it. */
export interface FieldText {
  text: string;
  /** Whether invisible characters and backslashes are written as escapes. */
  escaped: boolean;
  lineEnd: LineEnd;
}

/** A string for a text field: as it is where that loses nothing, otherwise with escapes. */
export function toField(value: string, escaped = needsEscapes(value)): FieldText {
  if (escaped) return { text: withEscapes(value), escaped, lineEnd: "lf" };
  return value.includes("\r")
    ? { text: value.replaceAll("\r\n", "\n"), escaped, lineEnd: "crlf" }
    : { text: value, escaped, lineEnd: "lf" };
}

/** What a text field holds, as the string that it stands for. */
export function fromField({ text, escaped, lineEnd }: FieldText): Parsed<string> {
  const read = escaped ? withoutEscapes(text) : { value: text };
  if (read.problem !== undefined) return read;
  const value = lineEnd === "crlf" && !escaped ? read.value.replaceAll("\n", "\r\n") : read.value;
  return value.isWellFormed() ? { value } : { problem: "The text has half of a character in it (a lone surrogate)." };
}

/** Whether a text field would lose or hide something: control characters, line breaks of more than one kind. */
export function needsEscapes(value: string): boolean {
  // eslint-disable-next-line no-control-regex -- control characters are what is looked for
  if (/[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/.test(value)) return true;
  return value.includes("\r") && /\r(?!\n)|(?<!\r)\n/.test(value);
}

/** Whether some of the string cannot be seen without escapes. */
export function hidesSomething(value: string): boolean {
  return needsEscapes(value) || splitText(value, false).some((segment) => segment.escape !== undefined);
}

/** The string with `\r`, `\0`, `\u{…}` for what cannot be seen, and `\\` for a backslash; line feeds and tabs stay. */
export function withEscapes(value: string): string {
  // A CRLF in a block of text counts as visible there.
  return value
    .split("\r")
    .map((part) =>
      splitText(part, false)
        .map(({ text, escape }) => (escape === undefined ? text.replaceAll("\\", "\\\\") : escapeOf(escape)))
        .join(""),
    )
    .join("\\r");
}

function escapeOf(described: string): string {
  const code = parseInt(described.slice(2), 16);
  return code === 0 ? "\\0" : `\\u{${code.toString(16)}}`;
}

function withoutEscapes(text: string): Parsed<string> {
  const simple: Record<string, string> = { "\\": "\\", n: "\n", r: "\r", t: "\t", "0": "\0" };
  let problem: string | undefined;
  const value = text.replace(/\\(?:u\{([\da-f]{1,6})\}|x([\da-f]{2})|u([\da-f]{4})|([\s\S]?))/gi, (whole, ...found) => {
    const [braced, byte, four, one] = found as (string | undefined)[];
    const digits = braced ?? byte ?? four;
    if (digits !== undefined) {
      const code = parseInt(digits, 16);
      if (code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)) return String.fromCodePoint(code);
      problem ??= `There is no character ${whole as string}.`;
      return "";
    }
    const character = Object.hasOwn(simple, one ?? "") ? simple[one ?? ""] : undefined;
    if (character === undefined)
      problem ??= `${whole as string} is no escape: a backslash itself is written \\\\, others are \\r, \\0, \\u{200b}.`;
    return character ?? "";
  });
  return problem === undefined ? { value } : { problem };
}
