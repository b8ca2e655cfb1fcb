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
