/** A file as the panels show it: as it is stored, or as it will be after editing. */

import type {
  Classification,
  Gguf,
  MetadataEntry,
  MetadataValue,
  ModelFileType,
  SpecialToken,
  TensorInfo,
} from "gguf-wasm/explain";
import type { Change } from "gguf-wasm/full";
import type { Arrival } from "./arrival.ts";
import type { OpenedModel } from "./opened-model.ts";

/** How an edit changed an entry or a tensor. */
export type Mark = "added" | "changed" | "removed";

/** The word that marks a changed row. */
export const MARK_LABELS: Record<Mark, string> = { added: "Added", changed: "Changed", removed: "Removed" };

/** One row of the metadata table. */
export interface ShownEntry {
  entry: MetadataEntry;
  /** Identifies the entry while other entries are added, moved or removed. */
  id: string;
  mark?: Mark;
  /** The position among the entries after editing. A removed entry has the position that it would be restored to. */
  position: number;
}

/** The rows of a file that is not being edited. */
export function plainEntries(entries: readonly MetadataEntry[]): ShownEntry[] {
  return entries.map((entry, position) => ({ entry, id: String(entry.index), position }));
}

/** The header facts that the summary shows. A `Gguf` has them all; edit mode computes them for the edited file. */
export interface ShownHeader {
  /** What the file is. Undefined if the edited file cannot be written. */
  readonly classification: Classification | undefined;
  /**
   * The types of the tensors. Edits do not change them, so the value of the stored file is good enough. Undefined, like all that explains
   * the file, until the main module is loaded.
   */
  readonly fileType: Pick<ModelFileType, "tensors" | "mainTensorType"> | undefined;
  /** What is known of a header before the panels are there. The members of a part of a header that follow from the whole have no meaning. */
  readonly arrival?: Arrival | undefined;
  readonly metadata: ReadonlyMap<string, MetadataValue>;
  readonly tensors: readonly TensorInfo[];
  readonly entries: { readonly length: number };
  readonly version: number;
  /** The format, if it is not GGUF. */
  readonly format?: string | undefined;
  /** The facts of a file that is not GGUF, in place of those that follow from its metadata. */
  readonly ownFacts?: readonly { readonly label: string; readonly value: string }[] | undefined;
  readonly byteOrder: string;
  readonly alignment: number;
  readonly parameterCount: number;
  readonly fileSize?: number | undefined;
  /** Whether the file size is missing because the edited file cannot be written. */
  readonly unplanned?: boolean;
  /** Undefined if the edited file cannot be written and the size cannot be computed another way. */
  readonly headerSize: number | undefined;
  readonly dataOffset: number | undefined;
  /** The name that the metadata gives the file. Undefined if the edited file cannot be written. */
  suggestFileName(): string | undefined;
  /** Throws if a token is too long for a text. */
  specialTokens(): readonly SpecialToken[];
}

/** The facts about a file that need its whole header, encoded. For an edited file, they are computed together with its checks. */
export interface HeaderFacts {
  /** What the file is. Undefined, like the others, if the edited file cannot be written. */
  readonly classification: Classification | undefined;
  readonly suggestedName: string | undefined;
  /** Also undefined if a token is too long for a text. */
  readonly specialTokens: readonly SpecialToken[] | undefined;
}

export function headerFacts(header: Pick<Gguf, "classification" | "suggestFileName" | "specialTokens">): HeaderFacts {
  return {
    classification: orUndefined(() => header.classification),
    suggestedName: orUndefined(() => header.suggestFileName()),
    specialTokens: orUndefined(() => header.specialTokens()),
  };
}

function orUndefined<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** The bytes and requests that reading the header took. */
export interface OpenCost {
  bytes: number;
  /** HTTP requests. Undefined for local files. */
  requests?: number;
}

/**
 * A file that is being edited, as the panels see it. Edit mode implements it, so that no panel imports edit mode, which is loaded only
 * when editing begins.
 */
export interface EditedFile {
  readonly header: ShownHeader;
  readonly metadata: ReadonlyMap<string, MetadataValue>;
  /** The entries after editing, and the removed entries at their old places. */
  readonly rows: readonly ShownEntry[];
  /** The tensors in their original order, with their new names and offsets. Removed tensors are included. */
  readonly tensors: readonly TensorInfo[];
  /** The changed tensors, by original index. */
  readonly tensorMarks: ReadonlyMap<number, Mark>;
  readonly entryCount: number;
  readonly tensorCount: number;
  readonly changes: readonly Change[];
  /**
   * Opens the file after editing, as it would be saved now. The caller frees it.
   * @throws the reason if it cannot be saved
   */
  open(): Promise<OpenedModel>;
  /** The original index of the tensor that has an index after editing. */
  originOf(index: number): number | undefined;
  /** The controls that edit an entry, to be shown below its row. `query` is the text to find in an array. */
  renderEntry(row: ShownEntry, query: string): unknown;
  /** The controls that edit a tensor. */
  renderTensor(tensor: TensorInfo, mark: Mark | undefined): unknown;
  /** The controls that edit a token of the vocabulary. */
  renderToken(id: number): unknown;
  /** Sets the text of the STRING entry of a row. Returns the reason if the change is refused. */
  setText(row: ShownEntry, text: string): string | undefined;
  /** Notes a text that was typed and is not applied yet, so that it can be saved. Undefined if the field has none. */
  setDraft(field: string, text: string | undefined): void;
  /** The text that was typed into a field and is not applied yet. */
  draft(field: string): string | undefined;
  /** The list of changes. */
  renderChanges(): unknown;
}

/** The state of edit mode, for the page around the viewer: detail of the event `gguf-edit`. */
export interface EditStatus {
  changes: number;
  /** Whether there are changes that have not been saved. */
  unsaved: boolean;
  /** The name that the model will have. Undefined if the file is not being edited. */
  name: string | undefined;
}
