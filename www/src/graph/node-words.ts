/** What the page says about a node of the graph. */

import type { TensorInfo } from "gguf-wasm/explain";
import { formatBytes, formatCount, formatInteger, formatParameters } from "../ui/numbers.ts";
import type { Costs } from "./costs.ts";
import { formatBits } from "./colouring.ts";
import type { GraphNode } from "./graph-model.ts";
import { unitsOf } from "./units.ts";

/** "Attention: 32 heads, 8 for keys and values; head size 128". */
export function nodeWords({ title, lines, about }: GraphNode): string {
  const name = SIGNS[title] ?? title;
  const facts = lines.join("; ");
  return facts === "" ? (title in SIGNS && about !== "" ? about.replace(/\.$/, "") : name) : `${name}: ${facts}`;
}

const SIGNS: Readonly<Record<string, string>> = { "+": "Addition", "×": "Product" };

/** The name of a node in a sentence. */
export function nodeName({ title }: GraphNode): string {
  return SIGNS[title] ?? title;
}

/** What the tensors take, each figure with its name. Figures whose unit is not known are left out. */
export function figuresOf(
  used: readonly TensorInfo[],
  costs: Costs,
  { whole, each }: { readonly whole: string | undefined; readonly each: string | undefined },
): (readonly [name: string, value: string])[] {
  const { elements, bytes, bits, read, operations } = costs;
  const all: (readonly [string, string] | undefined)[] = [
    elements > 0 ? ["Parameters", formatParameters(elements)] : undefined,
    bytes > 0 ? ["Size", formatBytes(bytes)] : undefined,
    bits === undefined ? undefined : ["Bits per weight", formatBits(bits).replace(" bits", "")],
    used.length > 0 && whole !== undefined ? [`Read for ${whole}`, formatBytes(Math.round(read))] : undefined,
    used.length > 0 && operations > 0 && each !== undefined
      ? [`Operations for ${each}`, formatParameters(operations)]
      : undefined,
  ];
  return all.filter((figure) => figure !== undefined);
}

/** The figures of a node: of all blocks that it stands for. */
export function nodeFigures(node: GraphNode, costs: Costs): (readonly [name: string, value: string])[] {
  const { tensors, shared = [], times, perContext = 0 } = node;
  const units = unitsOf(node);
  return [
    ...(times > 1 ? [["Stands for", formatCount(times, "block")] as const] : []),
    ...figuresOf([...tensors, ...shared], costs, units),
    ...(perContext > 0
      ? [[`Operations for each ${units.noun[0]} that is seen`, formatInteger(perContext * times)] as const]
      : []),
  ];
}

/** The tensors of a node that differ only in the number of their block. */
export interface TensorGroup {
  /** The name with `{n}` for the number of the block. */
  readonly name: string;
  readonly shapes: string;
  /** "Q4_K", or "Q4_K × 16, Q6_K × 16". */
  readonly types: string;
  readonly bits: number | undefined;
  readonly bytes: number;
  readonly count: number;
  /** The words that filter the table of tensors. */
  readonly filter: string;
}

export function tensorGroups(tensors: readonly TensorInfo[]): TensorGroup[] {
  const groups = new Map<string, TensorInfo[]>();
  for (const tensor of tensors) {
    const name = tensor.name.replace(/(^|\.)(\d+)(?=\.)/, "$1{n}");
    const own = groups.get(name);
    if (own) own.push(tensor);
    else groups.set(name, [tensor]);
  }
  return [...groups].map(([pattern, own]) => {
    const bytes = own.reduce((sum, { byteLength = 0 }) => sum + byteLength, 0);
    const elements = own.reduce((sum, { elementCount = 0 }) => sum + elementCount, 0);
    const types = countsOf(own.map(({ type }) => type));
    const [single] = own;
    const isOne = own.length === 1;
    return {
      name: isOne && single ? single.name : pattern,
      shapes: [...countsOf(own.map(({ dimensions }) => dimensions.map(formatInteger).join(" × "))).keys()]
        .slice(0, 3)
        .join("; "),
      types: [...types]
        .map(([type, count]) => (types.size === 1 ? type : `${type} × ${formatInteger(count)}`))
        .join(", "),
      bits: bytes > 0 && elements > 0 ? (8 * bytes) / elements : undefined,
      bytes,
      count: own.length,
      filter:
        isOne && single
          ? single.name
          : pattern
              .split("{n}")
              .filter((part) => part !== "")
              .join(" "),
    };
  });
}

function countsOf(values: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}
