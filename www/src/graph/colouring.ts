/** What the colour of a box tells: its part of the model, its bits, its size, its error, or its device. */

import type { TensorInfo } from "gguf-wasm/explain";
import { bitsColour, type ThemeColours } from "../gguf/bits-colours.ts";
import { errorMark, type ErrorScale, scaleTicks } from "../gguf/error-scale.ts";
import { formatError } from "../gguf/nmse.ts";
import { formatBytes, formatPercent } from "../ui/numbers.ts";
import type { Costs } from "./costs.ts";
import type { GraphNode, NodeKind } from "./graph-model.ts";
import type { Colouring } from "./graph-state.ts";

/** How a box is painted. */
export interface Paint {
  /** Undefined: the box has no colour of its own. */
  readonly colours: ThemeColours | undefined;
  /** From 0 to 1: how dark the box is with forced colours. */
  readonly place: number;
  /** The length of the bar at the bottom of the box, from 0 to 1. */
  readonly share: number | undefined;
  /** What the colour says, in words. */
  readonly words: string;
}

const NO_PAINT: Paint = { colours: undefined, place: 0, share: undefined, words: "" };

/** The colours of the parts: strong enough for a bar on a surface, in both themes. */
const PART_COLOURS: Readonly<Partial<Record<NodeKind, ThemeColours>>> = {
  attention: ["#2f6fb7", "#7db4f0"],
  "feed-forward": ["#a8690a", "#e5b25c"],
  experts: ["#b8433b", "#f0908a"],
  recurrent: ["#7a4fb5", "#bb9bf0"],
  norm: ["#667077", "#9aa4ab"],
  input: ["#0b7a6a", "#5fd3bd"],
  output: ["#0b7a6a", "#5fd3bd"],
  other: ["#667077", "#9aa4ab"],
};

/** On the GPU, and in the main memory. */
export const DEVICE_COLOURS: Readonly<Record<"gpu" | "cpu", ThemeColours>> = {
  gpu: ["#0b7a6a", "#5fd3bd"],
  cpu: ["#a8690a", "#e5b25c"],
};

/** The ramp for sizes. */
const RAMP: readonly ThemeColours[] = [
  ["#8d9aa3", "#6f7b84"],
  ["#5b8fc4", "#6d9bce"],
  ["#2f6fb7", "#7db4f0"],
  ["#5a3fa8", "#b7a1f5"],
  ["#8c1d6b", "#f2a3d8"],
];

/** What the colours of a model are computed with. */
export interface PaintContext {
  readonly costsOf: (node: GraphNode) => Costs;
  /** The bytes of the largest box. */
  readonly largest: number;
  /** The normalized mean squared error of tensors, by name. Undefined if none is known. */
  readonly errors: ReadonlyMap<string, number> | undefined;
  /** The scale of these errors, as in Compare. */
  readonly errorScale: ErrorScale | undefined;
  /** Whether a tensor is on the GPU. Undefined if it is not known. */
  readonly isOnGpu: ((tensor: TensorInfo) => boolean) | undefined;
}

export function paintOf(node: GraphNode, colouring: Colouring, context: PaintContext): Paint {
  switch (colouring) {
    case "part":
      return { ...NO_PAINT, colours: PART_COLOURS[node.kind], place: 0.3 };
    case "bits": {
      const { bits } = context.costsOf(node);
      if (bits === undefined) return NO_PAINT;
      return { colours: bitsColour(bits), place: Math.min(1, bits / 16), share: undefined, words: formatBits(bits) };
    }
    case "size": {
      const { bytes } = context.costsOf(node);
      if (bytes === 0) return NO_PAINT;
      const share = context.largest > 0 ? bytes / context.largest : 0;
      return { colours: onRamp(share), place: share, share, words: formatBytes(bytes) };
    }
    case "error": {
      const error = errorOf(node, context.errors);
      if (error === undefined) return NO_PAINT;
      const mark = errorMark(context.errorScale, error);
      return {
        colours: mark?.colours,
        place: mark?.place ?? 0,
        share: mark?.place,
        words: `error ${formatError(error)}`,
      };
    }
    case "device": {
      const { isOnGpu } = context;
      const { bytes } = context.costsOf(node);
      if (!isOnGpu || bytes === 0) return NO_PAINT;
      const onGpu = node.tensors.reduce((sum, tensor) => sum + (isOnGpu(tensor) ? (tensor.byteLength ?? 0) : 0), 0);
      const share = onGpu / bytes;
      const words = share === 1 ? "GPU" : share === 0 ? "CPU" : `${formatPercent(onGpu, bytes)} on the GPU`;
      return {
        colours: DEVICE_COLOURS[share > 0 ? "gpu" : "cpu"],
        place: share,
        share: share === 0 ? undefined : share,
        words,
      };
    }
  }
}

/** The mean of the errors of the tensors, by their elements. Undefined if none is known. */
export function errorOf({ tensors }: GraphNode, errors: ReadonlyMap<string, number> | undefined): number | undefined {
  let [sum, weight] = [0, 0];
  for (const { name, elementCount = 0 } of errors ? tensors : []) {
    const error = errors?.get(name);
    if (error === undefined) continue;
    sum += error * elementCount;
    weight += elementCount;
  }
  return weight > 0 ? sum / weight : undefined;
}

export function formatBits(bits: number): string {
  return `${Number(bits.toFixed(2))} bits`;
}

function onRamp(place: number): ThemeColours {
  // Small shares would all be in the first step without the root.
  const at = Math.min(RAMP.length - 1, Math.floor(Math.sqrt(Math.max(0, place)) * RAMP.length));
  return RAMP[at] ?? ["#5b8fc4", "#6d9bce"];
}

/** The entries of the legend: a colour and its words. */
export function legendOf(
  colouring: Colouring,
  nodes: Iterable<GraphNode>,
  context: PaintContext,
): readonly LegendEntry[] {
  if (colouring === "device")
    return [
      { colours: DEVICE_COLOURS.gpu, words: "on the GPU" },
      { colours: DEVICE_COLOURS.cpu, words: "in the main memory" },
    ];
  if (colouring === "size")
    return [
      { colours: onRamp(0), words: "smallest" },
      { colours: onRamp(1), words: formatBytes(context.largest) },
    ];
  if (colouring === "error")
    return (context.errorScale ? scaleTicks(context.errorScale) : []).map((tick) => ({
      colours: errorMark(context.errorScale, tick)?.colours,
      words: formatError(tick),
    }));
  const all = [...nodes];
  if (colouring === "part") {
    const kinds = new Set(all.map(({ kind }) => kind));
    return PART_TITLES.filter(([kind]) => kinds.has(kind)).map(([kind, words]) => ({
      colours: PART_COLOURS[kind],
      words,
    }));
  }
  const types = new Map<string, number>();
  for (const { tensors } of all)
    for (const { type, byteLength, elementCount = 0 } of tensors)
      if (byteLength !== undefined && elementCount > 0 && !types.has(type))
        types.set(type, (8 * byteLength) / elementCount);
  return [...types]
    .sort(([, a], [, b]) => a - b)
    .map(([type, bits]) => ({ colours: bitsColour(bits), words: `${type}, ${formatBits(bits)}` }));
}

export interface LegendEntry {
  readonly colours: ThemeColours | undefined;
  readonly words: string;
}

const PART_TITLES: readonly (readonly [NodeKind, string])[] = [
  ["input", "Input and output"],
  ["attention", "Attention"],
  ["recurrent", "With a state"],
  ["feed-forward", "Feed-forward"],
  ["experts", "Experts"],
  ["norm", "Norms and other"],
];
