/** Where the boxes and lines of a graph are. Each graph in a box is laid out on its own, with dagre. */

import { graphlib, layout } from "@dagrejs/dagre";
import { wrap } from "../summary/architecture/layout.ts";
import type { Graph, GraphNode } from "./graph-model.ts";

/** A box at its place, in px. */
export interface PlacedNode {
  readonly node: GraphNode;
  /** The nodes around it, from the outermost to the innermost. */
  readonly around: readonly GraphNode[];
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** Whether the graph in it is shown. */
  readonly isOpen: boolean;
  readonly title: readonly string[];
  readonly lines: readonly string[];
}

/** A line from one box to another. */
export interface PlacedEdge {
  readonly from: string;
  readonly to: string;
  readonly isResidual: boolean;
  /** The path of an SVG, and that of its arrowhead; "" without one. */
  readonly path: string;
  readonly arrow: string;
  /** The origin of both. */
  readonly x: number;
  readonly y: number;
}

export interface Placement {
  readonly nodes: readonly PlacedNode[];
  readonly edges: readonly PlacedEdge[];
  readonly width: number;
  readonly height: number;
}

/** Distances in px. `bar` is the room of the colour on the left of a box. */
export const SPACE = {
  inner: 12,
  bar: 6,
  title: 18,
  line: 16,
  head: 34,
  group: 18,
  rank: 30,
  node: 26,
  joint: 13,
  /** From a residual connection to the boxes that it passes. */
  lane: 22,
} as const;
/** The width of a letter of a title and of a line, on average, in px. */
const LETTER = { title: 8.2, line: 6.7 } as const;
/** The widths of boxes. */
const WIDTH = { part: 252, operation: 200, group: 262, pill: 60 } as const;
/** The nodes through which results get into a graph and out of it. */
const [IN, OUT] = ["\0in", "\0out"];

interface Point {
  readonly x: number;
  readonly y: number;
}

/** What a layout depends on besides the graph. */
export interface LayoutOptions {
  /** Whether the graph in a box is shown. */
  readonly isOpen: (node: GraphNode) => boolean;
  /** A line below the facts of a box; "" for none. */
  readonly moreOf?: (node: GraphNode) => string;
}

export function layOut(graph: Graph, options: LayoutOptions): Placement {
  if (graph.nodes.length === 0) return { nodes: [], edges: [], width: 0, height: 0 };
  return layOutInner(graph, [], options);
}

function layOutInner(graph: Graph, around: readonly GraphNode[], options: LayoutOptions): Placement {
  const boxes = new Map(graph.nodes.map((node) => [node.id, boxOf(node, around, options)]));
  const edges: readonly Line[] = [
    ...graph.edges.map(({ isResidual = false, ...edge }) => ({ ...edge, isResidual })),
    ...graph.entries.map((to) => ({ from: IN, to, isResidual: isJoint(boxes.get(to)?.node) })),
    ...graph.exits.map((from) => ({ from, to: OUT, isResidual: false })),
  ];
  const { dagre, width, height } = placeBoxes(boxes, edges);
  const middleOf = (id: string) => dagre.node(id) as Point;
  const lines = placeLines(boxes, edges, dagre);
  // The same room on both sides keeps the middle of the graph in the middle of its frame.
  const aside = Math.max(0, 4 - Math.min(...lines.map(({ lane }) => lane), 4));
  const placed: PlacedNode[] = [];
  const inside: PlacedEdge[] = [];
  for (const box of boxes.values()) {
    const { node, inner, title } = box;
    const at = middleOf(node.id);
    const [x, y] = [at.x - box.width / 2 + aside, at.y - box.height / 2];
    const isOpen = inner !== undefined;
    placed.push({ node, around, x, y, width: box.width, height: box.height, isOpen, title, lines: box.lines });
    if (!inner) continue;
    const [left, top] = [x + (box.width - inner.width) / 2, y + SPACE.head];
    placed.push(...inner.nodes.map((own) => ({ ...own, x: own.x + left, y: own.y + top })));
    inside.push(...inner.edges.map((edge) => ({ ...edge, x: edge.x + left, y: edge.y + top })));
  }
  const outside = lines.map(({ edge }) => ({ ...edge, x: aside }));
  return { nodes: placed, edges: [...outside, ...inside], width: width + 2 * aside, height };
}

/** A line of a graph, also one from its input or to its output. */
interface Line {
  readonly from: string;
  readonly to: string;
  readonly isResidual: boolean;
}

/** Places the boxes of one graph. Residual connections are drawn beside the rest, which stays in a straight line. */
function placeBoxes(boxes: ReadonlyMap<string, Box>, edges: readonly Line[]) {
  const dagre = new graphlib.Graph({ multigraph: true });
  dagre.setGraph({ rankdir: "TB", ranksep: SPACE.rank, nodesep: SPACE.node, edgesep: 14, marginx: 2, marginy: 2 });
  dagre.setDefaultEdgeLabel(() => ({}));
  for (const [id, { width, height }] of boxes) dagre.setNode(id, { width, height });
  if (edges.some(({ from }) => from === IN)) dagre.setNode(IN, { width: 1, height: 1 });
  if (edges.some(({ to }) => to === OUT)) dagre.setNode(OUT, { width: 1, height: 1 });
  for (const { from, to, isResidual } of edges) if (!isResidual) dagre.setEdge(from, to, {}, `${from} ${to}`);
  layout(dagre);
  const { width = 0, height = 0 } = dagre.graph() as { width?: number; height?: number };
  return { dagre, width, height };
}

/** The lines of one graph. `lane` is how far on the left a line gets. */
function placeLines(
  boxes: ReadonlyMap<string, Box>,
  edges: readonly Line[],
  dagre: graphlib.Graph,
): { readonly edge: PlacedEdge; readonly lane: number }[] {
  const middleOf = (id: string) => dagre.node(id) as Point;
  const endOf = (id: string, isStart: boolean): Point => {
    const { x, y } = middleOf(id);
    const height = boxes.get(id)?.height ?? 0;
    return { x, y: y + (isStart ? height / 2 : -height / 2) };
  };
  const laneOf = (from: string, to: string): number => {
    const [top, bottom] = [endOf(from, true).y, middleOf(to).y];
    const beside = [...boxes.values()].filter(({ node, height }) => {
      const { y } = middleOf(node.id);
      return y + height / 2 > top && y - height / 2 < bottom;
    });
    return Math.min(...beside.map(({ node, width }) => middleOf(node.id).x - width / 2)) - SPACE.lane;
  };
  return edges.map(({ from, to, isResidual }) => {
    const target = boxes.get(to);
    const [start, end] = [endOf(from, true), endOf(to, false)];
    if (isResidual && isJoint(target?.node)) {
      const lane = laneOf(from, to);
      return { edge: { from, to, isResidual, ...lanePath(start, middleOf(to), lane), x: 0, y: 0 }, lane };
    }
    const label = dagre.edge(from, to, `${from} ${to}`) as { points?: Point[] } | undefined;
    const path = edgePath(start, (label?.points ?? []).slice(1, -1), end, target !== undefined);
    return { edge: { from, to, isResidual, ...path, x: 0, y: 0 }, lane: Math.min(start.x, end.x) };
  });
}

interface Box {
  readonly node: GraphNode;
  readonly width: number;
  readonly height: number;
  readonly inner: Placement | undefined;
  readonly title: readonly string[];
  readonly lines: readonly string[];
}

function boxOf(node: GraphNode, around: readonly GraphNode[], options: LayoutOptions): Box {
  const inner = node.inner && options.isOpen(node) ? layOutInner(node.inner, [...around, node], options) : undefined;
  if (inner) {
    const words = node.kind === "blocks" ? [node.title, ...node.lines].join("   ") : node.title;
    const least = words.length * LETTER.title + 70;
    const width = Math.max(inner.width + 2 * SPACE.group, Math.min(least, 420), 200);
    const height = inner.height + SPACE.head;
    return { node, width, height, inner, title: [node.title], lines: node.lines };
  }
  if (isJoint(node))
    return { node, width: 2 * SPACE.joint, height: 2 * SPACE.joint, inner, title: [node.title], lines: [] };
  const isPart = node.inner !== undefined || around.every(({ kind }) => kind === "blocks");
  const most = node.kind === "blocks" ? WIDTH.group : isPart ? WIDTH.part : WIDTH.operation;
  const room = most - 2 * SPACE.inner - SPACE.bar - (node.inner ? 22 : 0);
  const title = wrap(node.title, room / LETTER.title);
  const more = options.moreOf?.(node) ?? "";
  const lines = [...node.lines, ...(more === "" ? [] : [more])].flatMap((line) =>
    wrap(line, (most - 2 * SPACE.inner - SPACE.bar) / LETTER.line),
  );
  const longest = Math.max(
    ...title.map((line) => line.length * LETTER.title),
    ...lines.map((line) => line.length * LETTER.line),
  );
  const width = node.inner
    ? most
    : Math.max(WIDTH.pill, Math.min(most, Math.ceil(longest + 2 * SPACE.inner + SPACE.bar + 4)));
  const height = 2 * SPACE.inner - 6 + title.length * SPACE.title + lines.length * SPACE.line;
  return { node, width, height, inner, title, lines };
}

/** Whether a node is drawn as a small circle. */
export function isJoint(node: GraphNode | undefined): boolean {
  return node?.kind === "join" && node.title.length <= 1;
}

/** A curve through points, which leaves and arrives vertically. Results that leave a graph end at its frame, without an arrowhead. */
function edgePath(
  from: Point,
  between: readonly Point[],
  to: Point,
  hasArrow: boolean,
): Pick<PlacedEdge, "path" | "arrow"> {
  let path = `M ${text(from)}`;
  let at = from;
  for (const point of [...between, to]) {
    const middle = (at.y + point.y) / 2;
    path +=
      Math.abs(at.x - point.x) < 0.5
        ? ` L ${text(point)}`
        : ` C ${text({ x: at.x, y: middle })}, ${text({ x: point.x, y: middle })}, ${text(point)}`;
    at = point;
  }
  return { path, arrow: hasArrow ? arrowTo(to, 0, 1) : "" };
}

/** The way of a residual connection: aside to its lane, down, and to the side of the addition. */
function lanePath(from: Point, addition: Point, lane: number): Pick<PlacedEdge, "path" | "arrow"> {
  const turn = 14;
  const start = from.y + 7;
  const end = { x: addition.x - SPACE.joint, y: addition.y };
  const path = [
    `M ${text(from)} L ${text({ x: from.x, y: start - 4 })}`,
    `Q ${text({ x: from.x, y: start })}, ${text({ x: from.x - 4, y: start })}`,
    `L ${text({ x: lane + turn, y: start })} Q ${text({ x: lane, y: start })}, ${text({ x: lane, y: start + turn })}`,
    `L ${text({ x: lane, y: end.y - turn })} Q ${text({ x: lane, y: end.y })}, ${text({ x: lane + turn, y: end.y })}`,
    `L ${text(end)}`,
  ];
  return { path: path.join(" "), arrow: arrowTo(end, 1, 0) };
}

/** A triangle whose point is at the end of a line that arrives in a direction. */
function arrowTo({ x, y }: Point, right: number, down: number): string {
  const [length, half] = [7, 3.6];
  const back = { x: x - right * length, y: y - down * length };
  const one = { x: back.x - down * half, y: back.y - right * half };
  const other = { x: back.x + down * half, y: back.y + right * half };
  return `M ${text({ x, y })} L ${text(one)} L ${text(other)} Z`;
}

const text = ({ x, y }: Point) => `${x.toFixed(1)} ${y.toFixed(1)}`;
