/** The places where two sequences of bytes differ, for texts that are not UTF-8. */

/** A place: the bytes of both sides from a position on. */
export interface BytePlace {
  readonly start: number;
  readonly a: string;
  readonly b: string;
}

/** The bytes before and after the difference that are shown. */
const AROUND = 4;
/** The most bytes of a place that are shown. */
const MAX_BYTES = 24;
/** The most places that are listed. */
const MAX_PLACES = 20;

/**
 * The first places where the bytes differ, in hexadecimal, with a few equal bytes around them. If the lengths differ, that is one place:
 * from the first to the last difference.
 */
export function bytePlaces(a: Uint8Array, b: Uint8Array): { places: BytePlace[]; isCut: boolean } {
  const places: BytePlace[] = [];
  if (a.length !== b.length) {
    const shorter = Math.min(a.length, b.length);
    let before = 0;
    while (before < shorter && a[before] === b[before]) before += 1;
    let after = 0;
    while (after < shorter - before && a[a.length - 1 - after] === b[b.length - 1 - after]) after += 1;
    return { places: [placeOf(a, b, before, a.length - after, b.length - after)], isCut: false };
  }
  let at = 0;
  while (at < a.length) {
    if (a[at] === b[at]) {
      at += 1;
      continue;
    }
    if (places.length === MAX_PLACES) return { places, isCut: true };
    const start = at;
    let end = at + 1;
    // Differences that are close together are one place.
    for (; at < Math.min(a.length, end + AROUND); at += 1) if (a[at] !== b[at]) end = at + 1;
    places.push(placeOf(a, b, start, end, end));
  }
  return { places, isCut: false };
}

function placeOf(a: Uint8Array, b: Uint8Array, start: number, endA: number, endB: number): BytePlace {
  const from = Math.max(0, start - AROUND);
  return { start, a: hexOf(a, from, endA + AROUND), b: hexOf(b, from, endB + AROUND) };
}

function hexOf(bytes: Uint8Array, start: number, wanted: number): string {
  const end = Math.min(bytes.length, wanted, start + MAX_BYTES);
  const hex = [...bytes.subarray(start, end)].map((byte) => byte.toString(16).padStart(2, "0")).join(" ");
  return `${start > 0 ? "… " : ""}${hex}${end < bytes.length ? " …" : ""}`;
}
