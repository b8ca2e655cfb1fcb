/** The difference of two texts. */

/** Whether the difference of two texts should be shown line by line. */
export function hasLines(from: string, to: string): boolean {
  return from.includes("\n") || to.includes("\n");
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
