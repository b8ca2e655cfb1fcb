/** The node that an arrow key leads to. */

import { type PlacedNode, SPACE } from "./layout.ts";

/** The next node in the direction of a key: the nearest one, those straight ahead first. Home and End lead to the ends of the graph. */
export function nextNode(nodes: readonly PlacedNode[], from: string, key: string): string | undefined {
  const marks = nodes.map((placed) => ({ id: placed.node.id, ...middleOf(placed) }));
  const start = marks.find(({ id }) => id === from);
  if (!start) return undefined;
  const byHeight = marks.toSorted((a, b) => a.y - b.y || a.x - b.x);
  if (key === "Home") return byHeight[0]?.id;
  if (key === "End") return byHeight.at(-1)?.id;
  const isVertical = key === "ArrowDown" || key === "ArrowUp";
  const sign = key === "ArrowDown" || key === "ArrowRight" ? 1 : -1;
  let best: { id: string; distance: number } | undefined;
  for (const { id, x, y } of marks) {
    const [ahead, aside] = isVertical
      ? [sign * (y - start.y), Math.abs(x - start.x)]
      : [sign * (x - start.x), Math.abs(y - start.y)];
    if (id === from || ahead < 4 || (!isVertical && aside > 2 * ahead)) continue;
    const distance = ahead + 1.6 * aside;
    if (best === undefined || distance < best.distance) best = { id, distance };
  }
  return best?.id;
}

/** The middle of a box, or of the first line of an open one. */
function middleOf({ x, y, width, height, isOpen }: PlacedNode): { x: number; y: number } {
  return { x: x + width / 2, y: y + (isOpen ? SPACE.head : height) / 2 };
}
