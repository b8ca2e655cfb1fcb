import { type CSSResult, unsafeCSS } from "lit";

/** A width: a number of units, which follow the text size, or a share of the free room, such as `2fr`. A pair has the least and the most. */
type Track = number | `${number}fr` | "auto" | readonly [least: number, most: number | `${number}fr`];

/** The columns of a grid, for `grid-template-columns`. */
export function tracks(...columns: readonly Track[]): CSSResult {
  return unsafeCSS(columns.map(textOf).join(" "));
}

function textOf(track: Track): string {
  if (track === "auto") return track;
  if (typeof track === "number") return `calc(${track} * var(--gguf-unit))`;
  // A share alone would be at least as wide as its content.
  const [least, most] = typeof track === "string" ? ([0, track] as const) : track;
  return `minmax(${least === 0 ? "0" : textOf(least)}, ${typeof most === "number" ? textOf(most) : most})`;
}
