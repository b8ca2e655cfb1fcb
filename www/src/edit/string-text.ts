/**
 * Converts between strings and the text of a text field. A text field has only one kind of line break and does not show invisible
 * characters, so some strings need escapes.
 */

import { splitText } from "../ui/text.ts";
import type { Parsed } from "./new-values.ts";

/** The kind of all line breaks of a text. */
export type LineEnd = "lf" | "crlf";

/** A string in a form that a text field can hold. `fromField` restores every byte of it. */
export interface FieldText {
  text: string;
  /** Whether invisible characters and backslashes are written as escapes. */
  escaped: boolean;
  lineEnd: LineEnd;
}

/** Converts a string for a text field, with escapes if the field would lose something. */
export function toField(value: string, escaped = needsEscapes(value)): FieldText {
  if (escaped) return { text: withEscapes(value), escaped, lineEnd: "lf" };
  return value.includes("\r")
    ? { text: value.replaceAll("\r\n", "\n"), escaped, lineEnd: "crlf" }
    : { text: value, escaped, lineEnd: "lf" };
}

/** Converts the text of a text field to the string that it stands for. */
export function fromField({ text, escaped, lineEnd }: FieldText): Parsed<string> {
  const read = escaped ? withoutEscapes(text) : { value: text };
  if (read.problem !== undefined) return read;
  const value = lineEnd === "crlf" && !escaped ? read.value.replaceAll("\n", "\r\n") : read.value;
  return value.isWellFormed()
    ? { value }
    : { problem: "The text contains half of a character (a lone surrogate). Remove it." };
}

/** Whether a text field would lose or hide something: control characters, or line breaks of different kinds. */
export function needsEscapes(value: string): boolean {
  // eslint-disable-next-line no-control-regex -- the expression matches control characters
  if (/[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/.test(value)) return true;
  return value.includes("\r") && /\r(?!\n)|(?<!\r)\n/.test(value);
}

/** Whether some characters of a string are invisible without escapes. */
export function hidesSomething(value: string): boolean {
  return needsEscapes(value) || splitText(value, false).some((segment) => segment.escape !== undefined);
}

/** Writes invisible characters as `\r`, `\0` or `\u{…}`, and a backslash as `\\`. Line feeds and tabs do not change. */
export function withEscapes(value: string): string {
  // `splitText` does not escape CR LF, so carriage returns are escaped here.
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
      problem ??= `${whole as string} is not a valid character. Use a code point from 0 to 10ffff except d800 to dfff.`;
      return "";
    }
    const character = Object.hasOwn(simple, one ?? "") ? simple[one ?? ""] : undefined;
    if (character === undefined)
      problem ??= `${whole as string} is not a valid escape. Type \\\\ for a backslash, or an escape such as \\r, \\0 or \\u{200b}.`;
    return character ?? "";
  });
  return problem === undefined ? { value } : { problem };
}
