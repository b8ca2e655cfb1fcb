import type { MetadataValue } from "gguf-wasm/explain";
import type { Change } from "gguf-wasm/full";
import { formatCount, formatId, formatInteger } from "../ui/numbers.ts";
import { arrayPreview, isArray, valueText } from "../metadata/metadata-rows.ts";
import { fromDifference } from "../ui/text-difference.ts";
import { truncate } from "../ui/text.ts";
import { tokenChoices } from "./token-choices.ts";

/** The description of one change. Texts from the file are unescaped: they may contain invisible characters. */
export interface ChangeWords {
  /** The action: "Value", "Element 5", "Renamed". */
  what: string;
  /** The key of the entry or the name of the tensor. Undefined for a change of the whole file. */
  where?: string;
  /** The value type: one type, or "old → new" if it differs. Undefined for the change `retype`, because `what` contains both types. */
  type?: string;
  from?: string;
  to?: string;
}

/** The most characters of a value. The table shows the whole value. */
const MAX_VALUE_LENGTH = 160;

/** The entries of the file by their keys. With them, the id of a token has the text of the token beside it. */
export type Metadata = ReadonlyMap<string, MetadataValue>;

/** Describes a change: its place, its action, the old and the new value. */
export function changeWords(change: Change, metadata?: Metadata): ChangeWords {
  if (change.reverted) {
    const { what, where } = changeWords(change.reverted);
    return { what: `Revert (${what})`, ...(where === undefined ? {} : { where }) };
  }
  const words: ChangeWords = { what: actionOf(change) };
  const where = change.tensor ?? change.key;
  if (where !== undefined) words.where = where;
  const types = typeChange(change);
  const type = types ?? change.toType ?? change.fromType;
  if (type !== undefined && change.kind !== "retype") words.type = type;
  let { from: before, to: after } = change;
  if (typeof before === "string" && typeof after === "string")
    [before, after] = fromDifference(before, after, MAX_VALUE_LENGTH / 2);
  const from = change.kind === "remove-tensor" ? undefined : valueLine(before, change.fromType);
  const to = valueLine(after, change.toType ?? change.fromType);
  // If only the type has changed, both texts are equal and are left out.
  if (types !== undefined && from === to) return words;
  const named = (line: string, value: MetadataValue | undefined, type = "") => {
    const tokens = metadata && tokenChoices({ key: change.key ?? "", type }, metadata);
    const text = tokens?.textOf(Number(value));
    return text === undefined ? line : `${line} · ${truncate(text, MAX_VALUE_LENGTH)}`;
  };
  if (from !== undefined) words.from = named(from, before, change.fromType);
  if (to !== undefined) words.to = named(to, after, change.toType ?? change.fromType);
  return words;
}

function actionOf(change: Change): string {
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
      return `Moved to position ${formatId(index + 1)}`;
    case "set-element":
      return `Element ${formatId(index)}`;
    case "insert-elements":
      return `${formatCount(count, "element")} inserted at ${formatId(index)}`;
    case "remove-elements":
      return `${formatCount(count, "element")} removed at ${formatId(index)}`;
    case "rename-tensor":
      return "Tensor renamed";
    case "remove-tensor":
      return "Tensor removed";
    case "repack":
      return "Tensor data repacked without gaps";
    case "version":
      return "GGUF version";
    case "byte-order":
      return "Byte order";
    case "revert":
      return "Revert";
    case "apply":
      return `Fix (${formatCount(change.changes?.length ?? 0, "change")})`;
  }
}

/** The type before and after a change, if they differ. */
function typeChange({ fromType, toType }: Change): string | undefined {
  if (fromType === undefined || toType === undefined || fromType === toType) return undefined;
  return `${fromType} → ${toType}`;
}

/** A value in one short line. */
function valueLine(value: MetadataValue | undefined, type: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  if (isArray(value)) {
    const { items, rest } = arrayPreview(value, 80);
    return `[${items.join(", ")}${rest > 0 ? `, … ${formatInteger(rest)} more` : ""}]`;
  }
  const text = valueText(value, type?.replace(/(?:\[[^\]]*\])+$/, ""));
  if (text === "") return "(empty)";
  const cut = truncate(text, MAX_VALUE_LENGTH);
  return cut.length < text.length ? `${cut}… (${formatCount(text.length, "character")})` : text;
}

/** A change in one sentence, for screen readers. */
export function changeSentence(change: Change, metadata?: Metadata): string {
  const { what, where, from, to } = changeWords(change, metadata);
  const retyped = change.kind === "retype";
  const values = from === undefined || to === undefined ? "" : `${retyped ? ", value" : ""}: ${from} → ${to}`;
  const types = retyped ? undefined : typeChange(change);
  return `${where === undefined ? "" : `${where}: `}${what}${values}${types === undefined ? "" : `, type: ${types}`}`;
}
