/** Computes the differences between two texts, line by line. */

import type { textHunks } from "gguf-wasm/full";

/** One line of a difference. A gap stands for unchanged lines that are left out. */
export type DiffLine = { kind: "same" | "removed" | "added"; text: string } | { kind: "gap"; lines: number };

/** The number of unchanged lines that are shown before and after each difference. */
const CONTEXT = 3;
/** The most differing lines. A longer list would help nobody. */
const MAX_EDITS = 2000;

/**
 * The lines that differ, which `hunksOf` finds, and the unchanged lines around them. Undefined if the texts have too little in common.
 */
export function lineDiff(from: string, to: string, hunksOf: typeof textHunks): readonly DiffLine[] | undefined {
  const hunks = hunksOf(from, to);
  const edits = hunks.reduce((sum, { startA, endA, startB, endB }) => sum + endA - startA + endB - startB, 0);
  if (edits > MAX_EDITS) return undefined;
  const [before, after] = [linesOf(from), linesOf(to)];
  const lines: DiffLine[] = [];
  const add = (kind: "same" | "removed" | "added", texts: readonly string[]) =>
    lines.push(...texts.map((text) => ({ kind, text })));
  /** The number of lines of the old text before the current position. */
  let passed = 0;
  for (const [at, { startA, endA, startB, endB }] of hunks.entries()) {
    const shown = Math.max(passed, startA - CONTEXT);
    if (shown > passed) lines.push({ kind: "gap", lines: shown - passed });
    add("same", before.slice(shown, startA));
    add("removed", before.slice(startA, endA));
    add("added", after.slice(startB, endB));
    passed = Math.min(endA + CONTEXT, hunks[at + 1]?.startA ?? before.length);
    add("same", before.slice(endA, passed));
  }
  if (hunks.length > 0 && passed < before.length) lines.push({ kind: "gap", lines: before.length - passed });
  return lines;
}

/** The lines of a text, without their line feeds. */
function linesOf(text: string): string[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

/**
 * Pairs removed and added lines: the first removed line of a run belongs to the first added line, and so on. Maps the position of each line
 * to the position of its partner, in both directions.
 */
export function linePairs(lines: readonly DiffLine[]): Map<number, number> {
  const pairs = new Map<number, number>();
  let at = 0;
  while (at < lines.length) {
    const removed = at;
    while (lines[at]?.kind === "removed") at += 1;
    const added = at;
    while (lines[at]?.kind === "added") at += 1;
    for (let i = 0; i < Math.min(added - removed, at - added); i += 1) {
      pairs.set(removed + i, added + i);
      pairs.set(added + i, removed + i);
    }
    if (at === removed) at += 1;
  }
  return pairs;
}
