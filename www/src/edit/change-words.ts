import type { Change, MetadataValue } from "gguf-wasm";
import { formatCount, formatInteger } from "../ui/numbers.ts";
import { arrayPreview, isArray, valueText } from "../metadata/metadata-rows.ts";
import { fromDifference } from "./text-difference.ts";
import { truncate } from "../ui/text.ts";

/** One change as a person reads it; the texts are the file's, not yet made visible. */
export interface ChangeWords {
  /** "Value", "Element 5", "Renamed". */
  what: string;
  /** The key or the name of the tensor; undefined for what is of the file. */
  where?: string;
  /** The type, with the one before where that has changed. A change of the type says both in `what`. */
  type?: string;
  from?: string;
  to?: string;
}

/** Longer texts are cut: the whole of them is in the table. */
const LONGEST = 160;

/** Where a change was made, what it did, and from what to what. */
export function changeWords(change: Change): ChangeWords {
  if (change.reverted) {
    const { what, where } = changeWords(change.reverted);
    return { what: `Revert (${what})`, ...(where === undefined ? {} : { where }) };
  }
  const words: ChangeWords = { what: whatOf(change) };
  const where = change.tensor ?? change.key;
  if (where !== undefined) words.where = where;
  const types = typeChange(change);
  const type = types ?? change.toType ?? change.fromType;
  if (type !== undefined && change.kind !== "retype") words.type = type;
  let { from: before, to: after } = change;
  if (typeof before === "string" && typeof after === "string")
    [before, after] = fromDifference(before, after, LONGEST / 2);
  const from = change.kind === "remove-tensor" ? undefined : textOf(before, change.fromType);
  const to = textOf(after, change.toType ?? change.fromType);
  // The same text twice says nothing: only the type has changed.
  if (types !== undefined && from === to) return words;
  if (from !== undefined) words.from = from;
  if (to !== undefined) words.to = to;
  return words;
}

function whatOf(change: Change): string {
  const { index = 0, count = 0 } = change;
  switch (change.kind) {
    case "set":
      return "Value";
    case "add":
      return "Added";
    case "remove":
      return "Removed";
    case "rename":
      return "Renamed";
    case "retype":
      return `Type: ${typeChange(change) ?? change.toType}`;
    case "move":
      return `Moved to place ${formatInteger(index + 1)}`;
    case "set-element":
      return `Element ${formatInteger(index)}`;
    case "insert-elements":
      return `${formatCount(count, "element")} inserted at ${formatInteger(index)}`;
    case "remove-elements":
      return `${formatCount(count, "element")} removed at ${formatInteger(index)}`;
    case "rename-tensor":
      return "Tensor renamed";
    case "remove-tensor":
      return "Tensor removed";
    case "repack":
      return "Tensors placed anew, without gaps";
    case "version":
      return "GGUF version";
    case "byte-order":
      return "Byte order";
    case "revert":
      return "Revert";
  }
}

/** The type before and after a change, if they differ. */
function typeChange({ fromType, toType }: Change): string | undefined {
  if (fromType === undefined || toType === undefined || fromType === toType) return undefined;
  return `${fromType} → ${toType}`;
}

/** A value in one short line. */
function textOf(value: MetadataValue | undefined, type: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  if (isArray(value)) {
    const { items, rest } = arrayPreview(value, 80);
    return `[${items.join(", ")}${rest > 0 ? `, … ${formatInteger(rest)} more` : ""}]`;
  }
  const text = valueText(value, type?.replace(/(?:\[[^\]]*\])+$/, ""));
  if (text === "") return "(empty)";
  const cut = truncate(text, LONGEST);
  return cut.length < text.length ? `${cut}… (${formatCount(text.length, "character")})` : text;
}

/** A change in one sentence, for who hears the page. */
export function changeSentence(change: Change): string {
  const { what, where, from, to } = changeWords(change);
  const retyped = change.kind === "retype";
  const values = from === undefined || to === undefined ? "" : `${retyped ? ", value" : ""}: ${from} → ${to}`;
  const types = retyped ? undefined : typeChange(change);
  return `${where === undefined ? "" : `${where}: `}${what}${values}${types === undefined ? "" : `, type: ${types}`}`;
}
