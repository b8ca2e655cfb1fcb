import type { Change, EditedEntry, Editor, EditPlan, Finding, Gguf, NewType, TensorInfo } from "gguf-wasm";
import type { Mark, ShownEntry, ShownHeader } from "../gguf/shown-file.ts";
import { editedEntries, editedTensors, entryId, tensorMarks } from "./edit-rows.ts";
import { type Failure, failureOf } from "../gguf/failure.ts";
import { typeLabel } from "../metadata/metadata-rows.ts";
import { isTruncated } from "../summary/facts.ts";
import { unplannedLayout } from "./unplanned.ts";

/** Checks wait until nobody has changed anything for so long. */
const CALM = 250;
/** What showed the file before the last change may still look at it for so long. */
const LEAVE = 1000;

/** Where things will lie in the file. */
interface Layout {
  fileSize: number | undefined;
  headerSize: number | undefined;
  dataOffset: number | undefined;
}

/** A file that is being edited: its editor, what the page shows of it, and who looks at it. */
export class EditSession {
  readonly gguf: Gguf;
  readonly #editor: Editor;
  readonly #watchers = new Set<() => void>();
  /** The entries that changes are about, by the identifiers of the changes. */
  readonly #touched = new Map<number, string>();
  #rows: readonly ShownEntry[] | undefined;
  #tensors: readonly TensorInfo[] | undefined;
  #marks: ReadonlyMap<number, Mark> | undefined;
  #changes: readonly Change[] | undefined;
  #findings: readonly Finding[];
  #layout: Layout;
  /** Why nothing that is changed in the file can be saved, and why it cannot be as it is now. */
  readonly #hopeless: Failure | undefined;
  #refused: Failure | undefined;
  #described: ShownHeader | undefined;
  #checking: ReturnType<typeof setTimeout> | undefined;
  /** What entries are known by that were added with another key than they have, or with one that was in use before. */
  readonly #ids = new Map<string, string>();
  /** Counts what was done, undone and done again. */
  #revision = 0;
  #saved = 0;
  #ended = false;
  /** What was typed and is not a value yet, by what it was typed for. */
  readonly drafts = new Map<string, string>();

  /** `findings` are those of the file as it is. */
  constructor(gguf: Gguf, findings: readonly Finding[] | undefined) {
    this.gguf = gguf;
    this.#editor = gguf.edit();
    this.#findings = findings ?? gguf.validate();
    const { fileSize, headerSize, dataOffset } = gguf;
    this.#layout = { fileSize, headerSize, dataOffset };
    this.#hopeless = isTruncated(gguf) ? { code: "truncated", message: "" } : undefined;
  }

  /** The entries as they will be, and those that are removed. */
  get rows(): readonly ShownEntry[] {
    this.#rows ??= editedEntries(
      this.gguf.entries,
      this.#editor.entries,
      new Set(this.changes.flatMap((change) => this.#touched.get(change.id) ?? [])),
      this.#idOf,
    );
    return this.#rows;
  }

  get entries(): readonly EditedEntry[] {
    return this.#editor.entries;
  }

  get metadata(): Editor["metadata"] {
    return this.#editor.metadata;
  }

  /** The file as it will be; sizes are a moment behind the last change, and missing where it cannot be written. */
  get described(): ShownHeader {
    if (this.changes.length === 0) return this.gguf;
    this.#described ??= {
      metadata: this.metadata,
      tensors: this.#editor.tensors,
      entries: this.entries,
      version: this.version,
      byteOrder: this.byteOrder,
      alignment: this.alignment,
      parameterCount: this.#editor.tensors.reduce((sum, tensor) => sum + (tensor.elementCount ?? 0), 0),
      unplanned: this.gguf.fileSize !== undefined && this.#refused !== undefined,
      ...this.#layout,
    };
    return this.#described;
  }

  /** The type of an entry by its key. */
  readonly typeOf = (key: string): string | undefined => {
    const entry = this.entries.find((known) => known.key === key);
    return entry && typeLabel(entry);
  };

  /** Where an entry stands by now. */
  positionOf(id: string): number | undefined {
    return this.rows.find((row) => row.id === id && row.mark !== "removed")?.position;
  }

  /** The tensors by their places in the file as it is, with the names and offsets that they will have. */
  get tensors(): readonly TensorInfo[] {
    this.#tensors ??= editedTensors(this.gguf.tensors, this.#editor.tensors);
    return this.#tensors;
  }

  /** The place in the file as it is of a tensor by that which it will have. */
  originOf(position: number): number | undefined {
    return this.#editor.tensors[position]?.origin;
  }

  get tensorsRemoved(): number {
    return this.gguf.tensors.length - this.#editor.tensors.length;
  }

  get tensorMarks(): ReadonlyMap<number, Mark> {
    this.#marks ??= tensorMarks(this.gguf.tensors, this.#editor.tensors);
    return this.#marks;
  }

  get changes(): readonly Change[] {
    this.#changes ??= this.#editor.changes;
    return this.#changes;
  }

  get undone(): readonly Change[] {
    return this.#editor.undone;
  }

  /** What is wrong with the file as it will be; a moment behind the last change. */
  get findings(): readonly Finding[] {
    return this.#findings;
  }

  /** Whether it was known for the findings how long the file will be. */
  get sized(): boolean {
    return this.#layout.fileSize !== undefined;
  }

  /** Why the file cannot be saved, if it cannot; a moment behind the last change. */
  get obstacle(): Failure | undefined {
    return this.#hopeless ?? this.#refused;
  }

  get version(): number {
    return this.#editor.version;
  }

  get alignment(): number {
    return this.#editor.alignment;
  }

  get byteOrder(): Editor["byteOrder"] {
    return this.#editor.byteOrder;
  }

  /** Whether there are changes that have been saved nowhere. */
  get unsaved(): boolean {
    return this.#revision !== this.#saved && this.changes.length > 0;
  }

  /** Takes note that the file has been saved as it is now. */
  saved(): void {
    this.#saved = this.#revision;
    this.#tell();
  }

  /** Does something to the file; returns why not where that is refused, and then nothing has changed. */
  #attempt(touched: string | undefined, change: (editor: Editor) => void): Failure | undefined {
    // What a field still holds when it leaves the page with the session is given up.
    if (this.#ended) return undefined;
    const before = this.changes.length;
    try {
      change(this.#editor);
    } catch (error) {
      return failureOf(error);
    }
    this.#changes = undefined;
    const made = this.changes.slice(before);
    // The editor records no change that leaves everything as it was.
    if (made.length === 0) return undefined;
    if (touched !== undefined) for (const { id } of made) this.#touched.set(id, touched);
    this.#name(touched);
    this.#changed();
    return undefined;
  }

  readonly #idOf = (entry: EditedEntry): string =>
    (entry.origin === undefined ? this.#ids.get(entry.key) : undefined) ?? entryId(entry);

  /** Keeps an entry that was added known by one name, whatever its key is by now. */
  #name(touched: string | undefined): void {
    const last = this.changes.at(-1);
    if (last?.kind === "rename" && touched?.startsWith("+")) this.#ids.set(String(last.to), touched);
    if (last?.kind !== "add" || last.key === undefined) return;
    const inUse = [...this.#ids].some(([key, id]) => key !== last.key && id === `+${last.key}`);
    if (inUse) this.#ids.set(last.key, `+${last.key} ${this.#revision}`);
  }

  /** Does something to the entry at a position; `change` is to leave an entry there, or none. */
  entry(position: number, change: (editor: Editor) => void): Failure | undefined {
    const entry = this.entries[position];
    return this.#attempt(entry && this.#idOf(entry), change);
  }

  /** Does something to the file that is about no entry. */
  file(change: (editor: Editor) => void): Failure | undefined {
    return this.#attempt(undefined, change);
  }

  /** Does something to a tensor, by its place in the file as it is. */
  tensor(origin: number, change: (editor: Editor, position: number) => void): Failure | undefined {
    return this.#attempt(undefined, (editor) => {
      const position = editor.tensors.findIndex((tensor) => tensor.origin === origin);
      change(editor, position);
    });
  }

  /** Reverts one change. Returns the reason if it is refused. */
  readonly revert = (change: Change): Failure | undefined => {
    if (this.#ended) return undefined;
    try {
      this.#editor.revert(change);
    } catch (error) {
      return failureOf(error);
    }
    this.#changed();
    return undefined;
  };

  /** Whether a table has a row for the entry of a change, though it may be removed. */
  readonly isListed = (change: Change): boolean => {
    const id = this.#touched.get(change.id);
    return id === undefined || this.rows.some((row) => row.id === id);
  };

  /** Restores an entry that was removed. */
  restore(row: ShownEntry): Failure | undefined {
    const { entry } = row;
    const removal = this.changes.findLast(
      (change) => change.kind === "remove" && this.#touched.get(change.id) === row.id,
    );
    if (removal && this.revert(removal) === undefined) return undefined;
    // A later change has the key or needs the removal: the entry is added as a new one.
    return this.#attempt(row.id, (editor) => {
      const value =
        entry.type === "STRING" ? this.gguf.valueBytes(entry).subarray(stringStart(this.gguf.version)) : entry.value;
      const key = this.gguf.keyBytes(entry);
      // Arrays in arrays keep types of their own.
      const type: NewType = typeof entry.value === "object" ? `${entry.value.elementType}[]` : entry.type;
      editor.add(key, value, type, row.position);
    });
  }

  undo(): Change | undefined {
    const undone = this.#editor.undo();
    if (undone) this.#changed();
    return undone;
  }

  redo(): Change | undefined {
    const redone = this.#editor.redo();
    if (redone) this.#changed();
    return redone;
  }

  /** Undoes everything; what is undone can be done again. Says whether there was anything. */
  discard(): boolean {
    this.drafts.clear();
    let undone = 0;
    while (this.#editor.undo()) undone += 1;
    if (undone > 0) this.#changed();
    return undone > 0;
  }

  /** How the file as it is now would be written; throws what cannot be. */
  plan(): EditPlan {
    return this.#editor.plan();
  }

  /** Takes note of where things will lie, or why not. */
  #lay(): void {
    try {
      const plan = this.plan();
      this.#layout = { fileSize: plan.size, headerSize: plan.headerSize, dataOffset: plan.dataOffset };
      plan.free();
      this.#refused = undefined;
    } catch (error) {
      this.#layout = { fileSize: undefined, ...unplannedLayout(this.gguf, this.#editor) };
      this.#refused = failureOf(error);
    }
  }

  /** The bytes of a string as they will be stored. */
  stringBytes(row: ShownEntry): Uint8Array<ArrayBuffer> {
    return this.#editor.valueBytes(row.entry).slice(stringStart(this.version));
  }

  watch(watcher: () => void): void {
    this.#watchers.add(watcher);
  }

  unwatch(watcher: () => void): void {
    this.#watchers.delete(watcher);
  }

  /** Ends the session: nothing is changed any more, and the changes are gone. */
  end(): void {
    this.#ended = true;
    clearTimeout(this.#checking);
    this.#watchers.clear();
  }

  /** Frees its memory, once nothing on the page looks at it any more. */
  free(): void {
    this.end();
    this.#editor.free();
  }

  #changed(): void {
    this.#revision += 1;
    this.#release();
    this.#rows = undefined;
    this.#tensors = undefined;
    this.#marks = undefined;
    this.#changes = undefined;
    this.#described = undefined;
    clearTimeout(this.#checking);
    this.#checking = setTimeout(() => {
      this.#findings = this.#editor.validate();
      this.#lay();
      this.#described = undefined;
      this.#tell();
    }, CALM);
    this.#tell();
  }

  /** Each state of the header is a copy of it, which would wait for the garbage collector as long as its arrays do. */
  #release(): void {
    const before = this.#rows?.filter((row) => row.mark !== "removed").map((row) => row.entry.value) ?? [];
    setTimeout(() => {
      for (const value of before) if (typeof value === "object") value.free();
    }, LEAVE);
  }

  #tell(): void {
    for (const watcher of this.#watchers) watcher();
  }
}

/** Bytes of a string's length, which stand before it. */
function stringStart(version: number): number {
  return version === 1 ? 4 : 8;
}
