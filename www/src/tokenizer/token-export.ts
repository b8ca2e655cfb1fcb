/** The tokens as a table for other programs. */

import { inPieces } from "../ui/in-pieces.ts";
import { hexOf } from "./spelling.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** A field of a CSV file (RFC 4180). */
function field(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * A CSV file with a row for each token: the id, the stored text, the bytes, the type and the score.
 * @throws the reason of `signal` once it is aborted
 */
export async function tokensAsCsv(
  vocabulary: Vocabulary,
  ids: Uint32Array,
  typeName: (type: number) => string,
  signal: AbortSignal,
): Promise<Blob> {
  const parts: string[] = [
    `id,token,bytes${vocabulary.hasTypes ? ",type" : ""}${vocabulary.hasScores ? ",score" : ""}\r\n`,
  ];
  await inPieces(ids.length, signal, (from, to) => {
    for (const id of ids.subarray(from, to)) {
      const row = [String(id), field(vocabulary.stored(id)), hexOf(vocabulary.bytes(id))];
      if (vocabulary.hasTypes) row.push(field(typeName(vocabulary.type(id) ?? NaN)));
      if (vocabulary.hasScores) row.push(String(vocabulary.score(id)));
      parts.push(`${row.join(",")}\r\n`);
    }
  });
  return new Blob(parts, { type: "text/csv;charset=utf-8" });
}
