/**
 * How many bytes the filters and methods of templates make. Most make at most a few times the bytes that they read: this is the rule for
 * all operations without a row here. Operations with a row can make many times more.
 */

import { CHARACTER, CONTAINER, ELEMENT, type MemoryBudget, NEW_ELEMENT } from "./memory-budget.ts";
import type { Value } from "./python-values.ts";

/** The arguments of a filter or method. */
export interface Arguments {
  readonly positional: readonly Value[];
  readonly keywords: ReadonlyMap<string, Value>;
}

/** The bytes of a result, or a function that spends them step by step. */
type Cost = (subject: Value, args: Arguments, budget: MemoryBudget) => number;

/** Letters may become three in upper case, and the interpreter copies a list to sort it. */
const COPIES = 3;
/** A match of a pattern, while a text is replaced. */
const MATCH = 64;
/** A character of a pattern, while it is compiled. */
const PATTERN_CHARACTER = 64;
/** An escape such as `\u0001`. */
const LONGEST_ESCAPE = 6;

export function sizeOf({ value }: Value): number {
  if (typeof value === "string") return value.length * CHARACTER;
  if (Array.isArray(value)) return value.length * ELEMENT;
  return value instanceof Map ? value.size * CONTAINER : 0;
}

const copies: Cost = (subject, { positional, keywords }) => {
  let bytes = CONTAINER + COPIES * sizeOf(subject);
  // The path of an attribute is split into its names.
  for (const argument of [...positional, ...keywords.values()]) bytes += sizeOf(argument) * ELEMENT;
  return bytes;
};

const nothing: Cost = () => 0;

const argumentOf = ({ positional, keywords }: Arguments, position: number, name: string) =>
  positional[position] ?? keywords.get(name);
const textArgument = (args: Arguments, position: number, name: string) => {
  const value: unknown = argumentOf(args, position, name)?.value;
  return typeof value === "string" ? value : "";
};
const numberArgument = (args: Arguments, position: number, name: string) => {
  const value: unknown = argumentOf(args, position, name)?.value;
  return typeof value === "number" ? value : undefined;
};

/** How often a text contains a part, up to a limit. An empty part is between all characters. */
function occurrences(text: string, part: string, most = Infinity): number {
  if (part === "") return Math.min(text.length + 1, most);
  let count = 0;
  for (let at = text.indexOf(part); at >= 0 && count < most; at = text.indexOf(part, at + part.length)) count += 1;
  return count;
}

const join: Cost = ({ value }, args) => {
  const parts: readonly Value[] | string = Array.isArray(value) || typeof value === "string" ? value : [];
  const separator = textArgument(args, 0, "separator");
  let characters = parts.length * separator.length;
  if (typeof parts === "string") characters += parts.length;
  else for (const { value: part } of parts) characters += typeof part === "string" ? part.length : 0;
  return parts.length * NEW_ELEMENT + characters * CHARACTER;
};

const replace: Cost = ({ value }, args) => {
  const text: unknown = value;
  if (typeof text !== "string") return 0;
  const [before, after] = [textArgument(args, 0, "old"), textArgument(args, 1, "new")];
  const count = numberArgument(args, 2, "count") ?? -1;
  // The pattern finds all matches, also those that stay.
  const matches = occurrences(text, before);
  const replaced = count < 0 ? matches : Math.min(matches, count);
  const characters = text.length + replaced * Math.max(0, after.length - before.length);
  return before.length * PATTERN_CHARACTER + matches * MATCH + characters * CHARACTER;
};

const split: Cost = ({ value }, args) => {
  const text: unknown = value;
  if (typeof text !== "string") return 0;
  const separator: unknown = args.positional[0]?.value;
  let parts = 1;
  if (typeof separator === "string") parts += occurrences(text, separator);
  else for (const words = /\S+/g; words.test(text);) parts += 1;
  return parts * (NEW_ELEMENT + CONTAINER) + text.length * CHARACTER;
};

const indent: Cost = ({ value }, args) => {
  const text: unknown = value;
  if (typeof text !== "string") return 0;
  const lines = occurrences(text, "\n") + 1;
  const width = numberArgument(args, 0, "width") ?? 4;
  return lines * NEW_ELEMENT + (text.length + (lines + 1) * width) * CHARACTER;
};

const toJson: Cost = (subject, { keywords }, budget) => {
  const indentation = numberArgument({ positional: [], keywords }, 0, "indent") ?? 0;
  const separators: unknown = keywords.get("separators")?.value;
  let separator = 2;
  if (Array.isArray(separators))
    for (const { value } of separators as readonly Value[]) separator += typeof value === "string" ? value.length : 0;
  spendJson(subject, { indentation, separator }, 1, budget);
  return 0;
};

/** The filters that make more than a few times what they read. */
const FILTERS: ReadonlyMap<string, Cost> = new Map([
  ["join", join],
  ["replace", replace],
  ["indent", indent],
  ["tojson", toJson],
  ...["default", "first", "int", "float", "last", "length", "safe"].map((name): [string, Cost] => [name, nothing]),
]);

const METHODS: ReadonlyMap<string, Cost> = new Map([
  ["replace", replace],
  ["split", split],
  ...["get", "startswith", "endswith"].map((name): [string, Cost] => [name, nothing]),
]);

/** Spends the bytes that a filter makes. */
export function spendFilter(name: string, subject: Value, args: Arguments, budget: MemoryBudget): void {
  budget.spend((FILTERS.get(name) ?? copies)(subject, args, budget));
}

/** Spends the bytes that a method makes. */
export function spendMethod(name: string, subject: Value, args: Arguments, budget: MemoryBudget): void {
  budget.spend((METHODS.get(name) ?? copies)(subject, args, budget));
}

/** Spends the bytes of a value as JSON. A list that is an element many times is written as often, so its parts are counted each time. */
export function spendJson(
  { value }: Value,
  layout: { readonly indentation: number; readonly separator: number },
  depth: number,
  budget: MemoryBudget,
): void {
  const content: unknown = value;
  const { indentation, separator } = layout;
  if (typeof content === "string") {
    budget.spend(NEW_ELEMENT + (content.length * LONGEST_ESCAPE + 2) * CHARACTER);
    return;
  }
  const padding = Math.max(0, indentation) * (depth + 1);
  // An empty container has padding, too, before it is left out.
  budget.spend(CONTAINER + 2 * padding * CHARACTER);
  if (Array.isArray(content)) {
    for (const part of content as readonly Value[]) {
      budget.spend((padding + separator) * CHARACTER);
      spendJson(part, layout, depth + 1, budget);
    }
  } else if (content instanceof Map) {
    for (const [key, member] of content as ReadonlyMap<string, Value>) {
      budget.spend((padding + separator + key.length * LONGEST_ESCAPE) * CHARACTER);
      spendJson(member, layout, depth + 1, budget);
    }
  }
}
