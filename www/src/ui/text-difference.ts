/** Computes the differences between two texts, line by line. */

/** One line of a difference. A gap stands for unchanged lines that are left out. */
export type DiffLine = { kind: "same" | "removed" | "added"; text: string } | { kind: "gap"; lines: number };

/** The number of unchanged lines that are shown before and after each difference. */
const CONTEXT = 3;
/** The most differing lines. For more, the search for the shortest difference would block the page. */
const MAX_EDITS = 2000;

/** Whether the difference of two texts should be shown line by line. */
export function hasLines(from: string, to: string): boolean {
  return from.includes("\n") || to.includes("\n");
}

/** The lines that differ and the unchanged lines around them. Undefined if the texts have too little in common. */
export async function lineDiff(from: string, to: string): Promise<readonly DiffLine[] | undefined> {
  const { structuredPatch } = await import("diff");
  const patch = structuredPatch("", "", from, to, undefined, undefined, {
    context: CONTEXT,
    maxEditLength: MAX_EDITS,
  });
  if (!patch) return undefined;
  const lines: DiffLine[] = [];
  const total = from === "" ? 0 : from.split("\n").length - (from.endsWith("\n") ? 1 : 0);
  /** The number of lines of the old text before the current position. */
  let passed = 0;
  const leaveOut = (end: number) => {
    if (end > passed) lines.push({ kind: "gap", lines: end - passed });
    passed = Math.max(passed, end);
  };
  for (const hunk of patch.hunks) {
    leaveOut(hunk.oldStart - 1);
    passed += hunk.oldLines;
    for (const line of hunk.lines) {
      // This line only says that the text has no line break at its end.
      if (line.startsWith("\\")) continue;
      const kind = line.startsWith("-") ? "removed" : line.startsWith("+") ? "added" : "same";
      lines.push({ kind, text: line.slice(1) });
    }
  }
  if (lines.length > 0) leaveOut(total);
  return lines;
}

/** Two texts without most of their common beginning. At most `before` common characters are kept. */
export function fromDifference(from: string, to: string, before: number): [string, string] {
  const shorter = Math.min(from.length, to.length);
  let same = 0;
  while (same < shorter && from.charCodeAt(same) === to.charCodeAt(same)) same += 1;
  let start = same - before;
  if (start <= 0) return [from, to];
  // Do not begin with the second half of a surrogate pair.
  if (/[\uDC00-\uDFFF]/.test(from.charAt(start))) start -= 1;
  return [`…${from.slice(start)}`, `…${to.slice(start)}`];
}

/** A text in three parts: what it has in common with the beginning and the end of another text, and what differs. */
export interface TextParts {
  readonly before: string;
  readonly differing: string;
  readonly after: string;
}

/** Both texts, split at their first and their last difference. No surrogate pair is split. */
export function splitAtDifference(from: string, to: string): [TextParts, TextParts] {
  const shorter = Math.min(from.length, to.length);
  let before = 0;
  while (before < shorter && from.charCodeAt(before) === to.charCodeAt(before)) before += 1;
  if (before > 0 && isHighSurrogate(from, before - 1)) before -= 1;
  let after = 0;
  while (after < shorter - before && from.charCodeAt(from.length - 1 - after) === to.charCodeAt(to.length - 1 - after))
    after += 1;
  if (after > 0 && isLowSurrogate(from, from.length - after)) after -= 1;
  const parts = (text: string): TextParts => ({
    before: text.slice(0, before),
    differing: text.slice(before, text.length - after),
    after: text.slice(text.length - after),
  });
  return [parts(from), parts(to)];
}

/** The parts in at most about `room` characters around the place where the texts begin to differ. A … stands for the rest. */
export function cutParts({ before, differing, after }: TextParts, room: number): TextParts {
  if (before.length + differing.length + after.length <= room) return { before, differing, after };
  const around = Math.floor(room / 4);
  const shown = cutEnd(differing, room - 2 * around);
  return {
    before: cutStart(before, around),
    differing: shown,
    after: shown === differing ? cutEnd(after, around) : "",
  };
}

/** Whether so much of both texts is equal that it helps to mark the rest. */
export function isMostlyEqual([from, to]: readonly [TextParts, TextParts]): boolean {
  const same = from.before.length + from.after.length;
  return same > 0 && 2 * same >= Math.min(from.differing.length, to.differing.length);
}

function cutStart(text: string, room: number): string {
  const start = text.length - room;
  return start <= 0 ? text : `…${text.slice(isLowSurrogate(text, start) ? start + 1 : start)}`;
}

function cutEnd(text: string, room: number): string {
  return text.length <= room ? text : `${text.slice(0, isHighSurrogate(text, room - 1) ? room - 1 : room)}…`;
}

const isHighSurrogate = (text: string, at: number) => (text.charCodeAt(at) & 0xfc00) === 0xd800;
const isLowSurrogate = (text: string, at: number) => (text.charCodeAt(at) & 0xfc00) === 0xdc00;

/**
 * The line that replaces each removed line, and the other way around: the first removed line of a run becomes the first added one. By
 * positions in the list of lines.
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
