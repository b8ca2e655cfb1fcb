import type { TensorInfo } from "gguf-wasm/explain";
import type { TensorColumn, TensorOrder } from "./tensor-state.ts";

export interface TensorFilter {
  /** Words that the name or the role must contain, in any order. */
  text: string;
  /** The types to show; empty for all. */
  types: ReadonlySet<string>;
  /** The title of the role of a tensor, in lower case; "" if it is not known. */
  roleOf?: (name: string) => string;
}

/** A row of the table: a tensor, or the heading of a group. */
export type TensorRow =
  { kind: "tensor"; tensor: TensorInfo; grouped: boolean } | { kind: "group"; group: TensorGroup };

export interface TensorGroup {
  /** "blk.3", or "" for tensors outside blocks. */
  name: string;
  tensors: TensorInfo[];
  elements: number;
  bytes: number;
}

// Numbers in names are sorted by value: blk.2 stands before blk.10. For more tensors than this, a collator is too slow.
const MAX_COLLATED = 100_000;
const NATURAL = new Intl.Collator("en", { numeric: true });

/** The tensors that match the filter, in file order. */
export function filterTensors(tensors: readonly TensorInfo[], filter: TensorFilter): TensorInfo[] {
  const matches = tensorMatcher(filter);
  return tensors.filter((tensor) => (filter.types.size === 0 || filter.types.has(tensor.type)) && matches(tensor));
}

/** The function that says whether a tensor matches the text of a filter. */
export function tensorMatcher({
  text,
  roleOf,
}: Pick<TensorFilter, "text" | "roleOf">): (tensor: TensorInfo) => boolean {
  const words = filterWords(text);
  return (tensor) => {
    if (words.length === 0) return true;
    const name = tensor.name.toLowerCase();
    const missing = words.filter((word) => nextMatch(name, word, 0) < 0);
    if (missing.length === 0) return true;
    const role = roleOf?.(tensor.name) ?? "";
    return role !== "" && missing.every((word) => role.includes(word));
  };
}

/** The words of a filter, in lower case. */
export function filterWords(text: string): string[] {
  return text.toLowerCase().split(/\s+/).filter(Boolean);
}

/**
 * The position of the first match of `word` in `name` at or after `from`, or -1. Both are in lower case. A match does not split a number:
 * "blk.3" matches "blk.3.attn_q" but not "blk.30.attn_q", and "3.attn" does not match "blk.13.attn_q".
 */
export function nextMatch(name: string, word: string, from: number): number {
  const isDigit = (at: number) => at >= 0 && /\d/.test(name.charAt(at));
  for (let at = name.indexOf(word, from); at >= 0; at = name.indexOf(word, at + 1)) {
    const end = at + word.length;
    const cutsBefore = isDigit(at) && isDigit(at - 1);
    const cutsAfter = isDigit(end - 1) && isDigit(end);
    if (!cutsBefore && !cutsAfter) return at;
  }
  return -1;
}

/** The number of tensors of each type that match the text of a filter. */
export function typeCounts(
  tensors: readonly TensorInfo[],
  filter: Pick<TensorFilter, "text" | "roleOf">,
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { type } of filterTensors(tensors, { ...filter, types: new Set() }))
    counts.set(type, (counts.get(type) ?? 0) + 1);
  return counts;
}

/** A sorted copy. Equal tensors keep their file order. Unknown sizes come last in both directions. */
export function sortTensors(tensors: readonly TensorInfo[], order: TensorOrder): TensorInfo[] {
  const sign = order.descending ? -1 : 1;
  const compareText =
    tensors.length > MAX_COLLATED ? (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0) : NATURAL.compare;
  const compareNumbers = (a: number | undefined, b: number | undefined) => {
    if (a === undefined || b === undefined) return a === b ? 0 : a === undefined ? 1 : -1;
    return sign * (a - b);
  };
  const compare: Record<TensorColumn, (a: TensorInfo, b: TensorInfo) => number> = {
    index: (a, b) => compareNumbers(a.index, b.index),
    name: (a, b) => sign * compareText(a.name, b.name),
    type: (a, b) => sign * compareText(a.type, b.type),
    dimensions: (a, b) => sign * compareDimensions(a.dimensions, b.dimensions),
    elements: (a, b) => compareNumbers(a.elementCount, b.elementCount),
    bytes: (a, b) => compareNumbers(a.byteLength, b.byteLength),
    offset: (a, b) => compareNumbers(a.offset, b.offset),
  };
  const chosen = compare[order.column];
  return [...tensors].sort((a, b) => chosen(a, b) || a.index - b.index);
}

function compareDimensions(a: readonly number[], b: readonly number[]): number {
  const shared = Math.min(a.length, b.length);
  if (a.length !== b.length) return a.length - b.length;
  for (let i = 0; i < shared; i += 1) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** The block of a tensor: its name up to its first number ("blk.3", "v.blk.0", "model.layers.7"), or "". */
export function blockOf(name: string): string {
  return /^(?:[^.\s]+\.){1,4}?\d+(?=\.)/.exec(name)?.[0] ?? "";
}

/** The groups in the order of their first tensor in the file. Tensors outside blocks come first. */
export function groupTensors(sorted: readonly TensorInfo[]): TensorGroup[] {
  const groups = new Map<string, TensorGroup & { first: number }>();
  for (const tensor of sorted) {
    const name = blockOf(tensor.name);
    let group = groups.get(name);
    if (!group) {
      group = { name, tensors: [], elements: 0, bytes: 0, first: tensor.index };
      groups.set(name, group);
    }
    group.tensors.push(tensor);
    group.elements += tensor.elementCount ?? 0;
    group.bytes += tensor.byteLength ?? 0;
    group.first = Math.min(group.first, tensor.index);
  }
  return [...groups.values()].sort((a, b) => Number(b.name === "") - Number(a.name === "") || a.first - b.first);
}

/** The rows to show: filtered, sorted and, with `grouping`, grouped. */
export function tensorRows(
  tensors: readonly TensorInfo[],
  filter: TensorFilter,
  order: TensorOrder,
  grouping: { collapsed: ReadonlySet<string> } | undefined,
): TensorRow[] {
  const sorted = sortTensors(filterTensors(tensors, filter), order);
  if (!grouping) return sorted.map((tensor) => ({ kind: "tensor", tensor, grouped: false }));
  const rows: TensorRow[] = [];
  for (const group of groupTensors(sorted)) {
    rows.push({ kind: "group", group });
    if (grouping.collapsed.has(group.name)) continue;
    for (const tensor of group.tensors) rows.push({ kind: "tensor", tensor, grouped: true });
  }
  return rows;
}
