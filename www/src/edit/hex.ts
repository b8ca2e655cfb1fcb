/** Converts between bytes and hexadecimal text with two digits per byte. */

import type { Parsed } from "./new-values.ts";

/** Bytes as hexadecimal text, sixteen bytes per line. */
export function hexText(bytes: Uint8Array): string {
  const lines: string[] = [];
  for (let start = 0; start < bytes.length; start += 16)
    lines.push(Array.from(bytes.subarray(start, start + 16), (byte) => byte.toString(16).padStart(2, "0")).join(" "));
  return lines.join("\n");
}

/** Parses hexadecimal text. Spaces, line breaks, commas and `0x` are ignored. */
export function parseHex(text: string): Parsed<Uint8Array<ArrayBuffer>> {
  const digits = text.replace(/0x|[\s,]/gi, "");
  const wrong = /[^\da-f]/iu.exec(digits);
  if (wrong) return { problem: `“${wrong[0]}” is not a hexadecimal digit.` };
  if (digits.length % 2 === 1) return { problem: "The last byte has only one digit. Type two digits for each byte." };
  return {
    value: Uint8Array.from({ length: digits.length / 2 }, (_, at) => parseInt(digits.slice(at * 2, at * 2 + 2), 16)),
  };
}

/** Bytes decoded as UTF-8; undefined if they are not valid UTF-8. */
export function utf8Text(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
