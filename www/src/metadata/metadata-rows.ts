import type { MetadataArray, MetadataEntry, MetadataValue } from "gguf-wasm/explain";
import type { ShownEntry } from "../gguf/shown-file.ts";
import { pause } from "../ui/in-pieces.ts";
import { formatFloat } from "../ui/numbers.ts";
import { truncate } from "../ui/text.ts";

/** A row of the table: an entry, or the heading of a section. */
export type MetadataRow = { kind: "section"; name: string; count: number } | { kind: "entry"; shown: ShownEntry };

export function isArray(value: MetadataValue): value is MetadataArray {
  return typeof value === "object";
}

/** The prefix of a key: "tokenizer.ggml" for "tokenizer.ggml.tokens"; "" for a key of one word. */
export function prefixOf(key: string): string {
  const dots = key.split(".", 4);
  if (dots.length < 2) return "";
  const first = dots[0] ?? "";
  return first === "tokenizer" && dots.length > 2 ? `${first}.${dots[1]}` : first;
}

/** How the entries are grouped: the section of each key, and the sections whose entries are hidden. */
export interface Sections {
  titleOf: (key: string) => string;
  collapsed: ReadonlySet<string>;
}

/**
 * The rows of the table. With `sections`, entries are grouped by section. A section stands where its first entry stands and occurs once,
 * even if the keys of the file alternate between sections. Entries keep their file order within a section.
 */
export function metadataRows(entries: readonly ShownEntry[], sections: Sections): MetadataRow[] {
  const members = new Map<string, ShownEntry[]>();
  for (const shown of entries) {
    const title = sections.titleOf(shown.entry.key);
    const section = members.get(title);
    if (section) section.push(shown);
    else members.set(title, [shown]);
  }
  const rows: MetadataRow[] = [];
  for (const [name, section] of members) {
    rows.push({ kind: "section", name, count: section.length });
    if (sections.collapsed.has(name)) continue;
    for (const shown of section) rows.push({ kind: "entry", shown });
  }
  return rows;
}

/** The type of an entry: "STRING" or "STRING[128,256]". */
export function typeLabel(entry: MetadataEntry): string {
  return isArray(entry.value) ? arrayLabel(entry.value) : entry.type;
}

export function arrayLabel(array: MetadataArray): string {
  return `${array.elementType}[${array.length.toLocaleString("en-US")}]`;
}

/** A value as text: a string as it is, a number in its shortest exact form, an array by its label. */
export function valueText(value: MetadataValue, type?: string): string {
  if (typeof value === "string") return value;
  if (typeof value === "number") return formatFloat(value, type === "FLOAT32" ? 32 : 64);
  return typeof value === "object" ? arrayLabel(value) : String(value);
}

/** The first elements of an array, as many as fit into about `room` characters. */
export function arrayPreview(array: MetadataArray, room = 240): { items: string[]; rest: number } {
  const items: string[] = [];
  let length = 0;
  for (const value of array.slice(0, 48)) {
    const text = typeof value === "string" ? JSON.stringify(truncate(value, 60)) : valueText(value, array.elementType);
    items.push(text);
    length += text.length + 2;
    if (length >= room) break;
  }
  return { items, rest: array.length - items.length };
}

/**
 * Whether the key, the type, the value or the other texts of the row contain every word. The words are in lower case. `more` gives the other
 * texts, in lower case: it is called only if a word is in none of the first three. All elements of arrays are searched separately, by
 * `searchArray`.
 */
export function entryMatches(entry: MetadataEntry, words: readonly string[], more: () => string = () => ""): boolean {
  const key = entry.key.toLowerCase();
  const value = isArray(entry.value) ? "" : valueText(entry.value, entry.type).toLowerCase();
  const type = entry.type.toLowerCase();
  const others = words.filter((word) => !key.includes(word) && !value.includes(word) && type !== word);
  if (others.length === 0) return true;
  const text = more();
  return others.every((word) => text.includes(word));
}

export function searchWords(query: string): string[] {
  return query.toLowerCase().split(/\s+/).filter(Boolean);
}

const ELEMENTS_PER_SLICE = 8192;

/**
 * The indices of the elements that contain `query`. Upper and lower case are equal. The array is searched in slices, and `onProgress` gets
 * the matches so far. Numbers match by their text.
 */
export async function searchArray(
  array: MetadataArray,
  query: string,
  signal: AbortSignal,
  onProgress?: (indices: readonly number[], searched: number) => void,
): Promise<number[]> {
  const found: number[] = [];
  const wanted = query.toLowerCase();
  for (let start = 0; start < array.length; start += ELEMENTS_PER_SLICE) {
    signal.throwIfAborted();
    let index = start;
    for (const value of array.slice(start, start + ELEMENTS_PER_SLICE)) {
      if (valueText(value, array.elementType).toLowerCase().includes(wanted)) found.push(index);
      index += 1;
    }
    if (start + ELEMENTS_PER_SLICE >= array.length) break;
    onProgress?.(found, start + ELEMENTS_PER_SLICE);
    await pause();
  }
  return found;
}

/** A value as clipboard text: a string as it is, an array as JSON with 64-bit integers as digits. */
export function copyText(value: MetadataValue, type?: string): string {
  if (!isArray(value)) return valueText(value, type);
  const parts = value.toArray().map((item) => {
    if (typeof item === "string") return JSON.stringify(item);
    return isArray(item) ? copyText(item) : valueText(item, value.elementType);
  });
  return `[${parts.join(", ")}]`;
}

/** The part of a long text that begins shortly before the first match. */
export function excerpt(value: string, query: string): { text: string; start: number } {
  const at = query === "" ? -1 : value.toLowerCase().indexOf(query);
  if (at < 48) return { text: value, start: 0 };
  const start = at - 24;
  // A surrogate pair is never split.
  const low = value.charCodeAt(start) & 0xfc00;
  return { text: value.slice(low === 0xdc00 ? start + 1 : start), start };
}
