import { windowSize } from "./styles/breakpoints.ts";

/** The width and the height, in units of the text size, up to which a box is as small as a phone. */
const WIDTH = 640;
const HEIGHT = 480;

/** A media query that matches windows as small as a phone. */
export const COMPACT_WINDOW = `(max-width: ${windowSize(WIDTH).cssText}), (max-height: ${windowSize(HEIGHT).cssText})`;

/** Whether a box is as small as a phone: its bars then have one row, and most of their actions are in menus. */
export function isCompact(width: number, height: number): boolean {
  return width <= WIDTH || height <= HEIGHT;
}
