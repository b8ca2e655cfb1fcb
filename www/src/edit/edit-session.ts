import type { Fix, TensorInfo } from "gguf-wasm/explain";
import type { FullGguf } from "../gguf/full.ts";
import type { Change, EditedEntry, Editor, EditPlan, EntrySelector, NewType } from "gguf-wasm/full";
import { editedPrograms, filePrograms } from "gguf-wasm/common/programs.js";
import { type HeaderFacts, headerFacts, type Mark, type ShownEntry, type ShownHeader } from "../gguf/shown-file.ts";
import { type Failure, failureOf } from "../gguf/failure.ts";
import { typeLabel } from "../metadata/metadata-rows.ts";
import { isTruncated } from "../summary/facts.ts";
import type { ChecksResult } from "../checks/findings.ts";
import { checkInWorker, takesLong } from "../checks/check-file.ts";
import { checksOf } from "../worker/checks-of-file.ts";
import { Drafts } from "./drafts.ts";
import { entryRows, rowId, tensorMarks, tensorRows } from "./edit-rows.ts";
import type { KeptEdits } from "../gguf/kept-edits.ts";
import { keptDrafts, restoredDrafts } from "./kept-drafts.ts";
import { type NetChange, netChanges } from "./net-changes.ts";
import { RecordedEditor } from "./recorded-editor.ts";

/** Milliseconds after the last change until the checks run. */
const CHECK_DELAY = 250;
/** Milliseconds after a change until arrays of the previous state are freed. Elements may still render them. */
const FREE_DELAY = 1000;
/** The most fixes that are made in one step. Each looks for its entry among all entries. */
const MAX_FIXES_AT_ONCE = 500;
/** The most steps of `fixSafe`. A fix may uncover another finding. */
const MAX_FIX_ROUNDS = 50;

/** The sizes of the edited file. Undefined if they are not known. */
interface Sizes {
  fileSize: number | undefined;
  headerSize: number;
  dataOffset: number;
}

/** A step of `fixSafe`: the changes that it made, and the number of findings that they fix. */
interface SafeStep {
  fix: Fix;
  findings: number;
}

/**
 * The edit of a file on the page. The editor of the package has the changes, undo and redo, and the identity of entries and tensors. The
 * session adds what only the page has: rows, drafts, saved and unsaved states, delayed checks, and the elements to notify.
 */
export class EditSession {
  readonly gguf: FullGguf;
  readonly #editor: Editor;
  /** The same editor, with its steps as texts. */
  readonly #recorded: RecordedEditor;
  readonly #watchers = new Set<() => void>();
  #rows: readonly ShownEntry[] | undefined;
  #tensors: readonly TensorInfo[] | undefined;
  #marks: ReadonlyMap<number, Mark> | undefined;
  #changes: readonly NetChange[] | undefined;
  #described: ShownHeader | undefined;
  #checks: ChecksResult;
  #sizes: Sizes;
  /** The facts of the last checks. */
  #facts: HeaderFacts;
  /** Set if the original file is truncated: then no edit of it can be saved. */
  readonly #truncated: Failure | undefined;
  /** The reason why the current state cannot be saved. */
  #planFailure: Failure | undefined;
  #checkTimer: ReturnType<typeof setTimeout> | undefined;
  #checking = new AbortController();
  /** The number of changes, undos, redos and reverts so far, and that number at the last save. */
  #revision = 0;
  #savedRevision = 0;
  #ended = false;
  readonly #fileName: string;
  /** Which programs load the stored file. */
  readonly #programs: ChecksResult["programs"];
  /** Texts that were typed and not applied yet, by field. */
  readonly drafts = new Drafts(() => this.#notify());

  /** `checks` are those of the original file, if they are known. `fileName` is "" if it is not known. */
  constructor(gguf: FullGguf, checks: ChecksResult | undefined, fileName: string) {
    this.#fileName = fileName;
    this.gguf = gguf;
    this.#editor = gguf.edit();
    this.#recorded = new RecordedEditor(this.#editor);
    this.#checks = checks ?? checksOf(gguf, fileName, filePrograms(gguf));
    this.#programs = this.#checks.programs;
    const { fileSize, headerSize, dataOffset } = gguf;
    this.#sizes = { fileSize, headerSize, dataOffset };
    this.#facts = headerFacts(gguf);
    this.#truncated = isTruncated(gguf) ? { code: "truncated", message: "" } : undefined;
  }

  /** The rows of the entries, including removed ones. */
  get rows(): readonly ShownEntry[] {
    this.#rows ??= entryRows(this.#editor);
    return this.#rows;
  }

  get entries(): readonly EditedEntry[] {
    return this.#editor.entries;
  }

  get metadata(): Editor["metadata"] {
    return this.#editor.metadata;
  }

  /** The edited file for the summary. Its sizes, and the facts that need the encoded header, are updated with the checks. */
  get described(): ShownHeader {
    if (this.changes.length === 0) return this.gguf;
    const { classification, suggestedName, specialTokens } = this.#facts;
    this.#described ??= {
      classification,
      fileType: this.gguf.fileType,
      metadata: this.metadata,
      tensors: this.#editor.tensors,
      entries: this.entries,
      version: this.version,
      byteOrder: this.byteOrder,
      alignment: this.alignment,
      parameterCount: this.#editor.tensors.reduce((sum, tensor) => sum + (tensor.elementCount ?? 0), 0),
      unplanned: this.gguf.fileSize !== undefined && this.#planFailure !== undefined,
      specialTokens: () => specialTokens ?? [],
      suggestFileName: () => suggestedName,
      ...this.#sizes,
    };
    return this.#described;
  }

  /** The type of the entry with a key. */
  readonly typeOf = (key: string): string | undefined => {
    const entry = this.entries.find((candidate) => candidate.key === key);
    return entry && typeLabel(entry);
  };

  /** The tensors in the order of the original file, with their edited names and offsets. */
  get tensors(): readonly TensorInfo[] {
    this.#tensors ??= tensorRows(this.gguf.tensors, this.#editor);
    return this.#tensors;
  }

  /** The original index of the tensor at a position of the edited file. */
  originOf(position: number): number | undefined {
    return this.#editor.tensors[position]?.origin;
  }

  get tensorsRemoved(): number {
    return this.#editor.removedTensors.length;
  }

  get tensorMarks(): ReadonlyMap<number, Mark> {
    this.#marks ??= tensorMarks(this.#editor);
    return this.#marks;
  }

  /** The difference to the original file. Steps that cancel each other are not in it. */
  get changes(): readonly NetChange[] {
    this.#changes ??= netChanges(this.#editor.changes);
    return this.#changes;
  }

  get canUndo(): boolean {
    return this.#editor.canUndo;
  }

  /** The steps that can be undone. The last one is undone first. */
  get steps(): readonly Change[] {
    return this.#editor.changes;
  }

  get undone(): readonly Change[] {
    return this.#editor.undone;
  }

  /** The last checks. While others run, they say so. */
  get checks(): ChecksResult {
    return this.#checks;
  }

  /** Whether the checks knew the size of the edited file. */
  get sized(): boolean {
    return this.#sizes.fileSize !== undefined;
  }

  /** The reason why the edited file cannot be saved, since the last checks. */
  get obstacle(): Failure | undefined {
    return this.#truncated ?? this.#planFailure;
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

  /** Whether there are changes that have not been saved. */
  get unsaved(): boolean {
    return this.#revision !== this.#savedRevision && this.changes.length > 0;
  }

  /** Records that the current state has been saved. */
  saved(): void {
    this.#savedRevision = this.#revision;
    this.#notify();
  }

  /** Changes the file. Returns the reason if the change is refused. */
  edit(change: (editor: Editor) => void): Failure | undefined {
    // A field that leaves the page with the session can still fire a change event.
    if (this.#ended) return undefined;
    const before = this.#editor.changes.length;
    try {
      change(this.#recorded.editor);
    } catch (error) {
      return failureOf(error);
    }
    // The editor does not record a change that changes nothing.
    if (this.#editor.changes.length !== before) this.#changed();
    return undefined;
  }

  /** Makes the fix of a finding. Returns the reason if it is refused. */
  fix(fix: Fix): Failure | undefined {
    const failure = this.edit((editor) => editor.apply(fix));
    this.#check();
    return failure;
  }

  /**
   * Makes all fixes that need no decision, until the checks find no more. One undo undoes them. Returns the number of findings that were
   * fixed.
   */
  fixSafe(): number {
    const steps: SafeStep[] = [];
    while (steps.length < MAX_FIX_ROUNDS) {
      const step = this.#fixTogether(this.#safeFixes());
      if (step === undefined) break;
      steps.push(step);
    }
    this.#joinSteps(steps);
    this.#check();
    return steps.reduce((sum, { findings }) => sum + findings, 0);
  }

  #safeFixes(): Fix[] {
    const findings = this.#editor.validate();
    return findings.flatMap(({ fix }) => (fix?.isSafe ? [fix] : [])).slice(0, MAX_FIXES_AT_ONCE);
  }

  /** Makes fixes in one step. If that is refused, makes the first one that is not. Returns the step that was made. */
  #fixTogether(fixes: readonly Fix[]): SafeStep | undefined {
    const makes = (fix: Fix) => {
      const before = this.#editor.changes.length;
      return this.edit((editor) => editor.apply(fix)) === undefined && this.#editor.changes.length !== before;
    };
    const [first] = fixes;
    if (first === undefined) return undefined;
    const all = { ...first, changes: fixes.flatMap(({ changes }) => changes) };
    if (makes(all)) return { fix: all, findings: fixes.length };
    const fix = fixes.find(makes);
    return fix && { fix, findings: 1 };
  }

  /** Replaces the last steps by one step with all their changes. */
  #joinSteps(steps: readonly SafeStep[]): void {
    const [first] = steps;
    if (first === undefined || steps.length === 1) return;
    const changes = steps.flatMap(({ fix }) => fix.changes);
    steps.forEach(() => this.#recorded.undo());
    const failure = this.edit((editor) => editor.apply({ ...first.fix, changes }));
    if (failure) steps.forEach(() => this.#recorded.redo());
  }

  /** Changes the entry of a row, unless it has been removed. Returns the reason if the change is refused. */
  editEntry(
    row: ShownEntry,
    change: (editor: Editor, entry: EntrySelector, position: number) => void,
  ): Failure | undefined {
    const entry = this.entries.find(({ id }) => rowId(id) === row.id);
    return entry && this.edit((editor) => change(editor, entry, entry.index));
  }

  /** Reverts one change: all its steps, or none. Returns the reason if the revert is refused. */
  readonly revert = ({ steps }: NetChange): Failure | undefined => {
    if (this.#ended) return undefined;
    let reverted = 0;
    try {
      for (const step of [...steps].reverse()) {
        this.#recorded.revert(step);
        reverted += 1;
      }
    } catch (error) {
      while (reverted-- > 0) this.#recorded.undo();
      return failureOf(error);
    }
    this.#changed();
    return undefined;
  };

  /** Whether the table has a row for the entry of a change. */
  readonly isListed = ({ entryId }: Change): boolean =>
    entryId === undefined || this.rows.some((row) => row.id === rowId(entryId));

  /** Restores the removed entry of a row. Returns the reason if that is refused. */
  restore(row: ShownEntry): Failure | undefined {
    const isRemoval = ({ kind, entryId }: Change) =>
      kind === "remove" && entryId !== undefined && rowId(entryId) === row.id;
    const removal = this.#editor.changes.findLast(isRemoval);
    if (removal && this.revert({ ...removal, steps: [removal] }) === undefined) return undefined;
    // A later change depends on the removal, so the entry is added again.
    const { entry, position } = row;
    return this.edit((editor) => {
      const value = entry.type === "STRING" ? this.gguf.stringBytes(entry) : entry.value;
      // An array of arrays keeps the types of its elements.
      const type: NewType = typeof entry.value === "object" ? `${entry.value.elementType}[]` : entry.type;
      editor.add(this.gguf.keyBytes(entry), value, type, position);
    });
  }

  /** The unsaved edits, for another session of the same file. Undefined if there are none; "too large" if they are too large to be kept. */
  get kept(): KeptEdits | undefined | "too large" {
    const changes = this.unsaved ? this.changes.length : 0;
    const drafts = keptDrafts(this.drafts, this.gguf.entries.length, this.entries);
    if (changes === 0 && drafts.length === 0) return undefined;
    const steps = changes === 0 ? [] : this.#recorded.steps;
    return steps ? { steps, drafts, count: changes + drafts.length } : "too large";
  }

  /** Makes the edits of another session of the same file. Returns the number of steps that are refused. */
  resume(edits: KeptEdits): number {
    let refused = 0;
    for (const step of edits.steps) {
      try {
        this.#recorded.repeat(step);
      } catch {
        refused += 1;
      }
    }
    restoredDrafts(edits.drafts, this.entries).forEach(([field, text]) => this.drafts.set(field, text));
    this.#changed();
    return refused;
  }

  undo(): Change | undefined {
    const undone = this.#recorded.undo();
    if (undone) this.#changed();
    return undone;
  }

  redo(): Change | undefined {
    const redone = this.#recorded.redo();
    if (redone) this.#changed();
    return redone;
  }

  /** Undoes all changes, so that they can be redone. Returns whether there were any. */
  discard(): boolean {
    this.drafts.clear();
    if (!this.#editor.canUndo) return false;
    while (this.#editor.canUndo) this.#recorded.undo();
    this.#changed();
    return true;
  }

  /** Plans the edited file, or throws the reason why it cannot be written. */
  plan(): EditPlan {
    return this.#editor.plan();
  }

  /** Plans the edited file. Returns the plan, or undefined if the file cannot be written. */
  #updateSizes(): EditPlan | undefined {
    try {
      const plan = this.plan();
      this.#sizes = { fileSize: plan.size, headerSize: plan.headerSize, dataOffset: plan.dataOffset };
      this.#planFailure = undefined;
      return plan;
    } catch (error) {
      this.#planFailure = failureOf(error);
      const plan = this.#editor.planHeader();
      this.#sizes = { fileSize: undefined, headerSize: plan.headerSize, dataOffset: plan.dataOffset };
      plan.free();
      return undefined;
    }
  }

  /** The bytes of the STRING value of a row, as the edited file stores them. */
  stringBytes(row: ShownEntry): Uint8Array<ArrayBuffer> {
    return this.#editor.stringBytes(row.entry);
  }

  /** Calls a function after every change, and after the checks. */
  watch(watcher: () => void): void {
    this.#watchers.add(watcher);
  }

  unwatch(watcher: () => void): void {
    this.#watchers.delete(watcher);
  }

  /** Ends the session. Later changes are ignored. */
  end(): void {
    this.#ended = true;
    this.#stopChecks();
    this.#watchers.clear();
  }

  /** Frees the memory of the editor. Call it when no element shows the session any more. */
  free(): void {
    this.end();
    this.#editor.free();
  }

  #changed(): void {
    this.#revision += 1;
    this.#freeCopiedArrays();
    this.#rows = undefined;
    this.#tensors = undefined;
    this.#marks = undefined;
    this.#changes = undefined;
    this.#described = undefined;
    this.#stopChecks();
    this.#checks = { ...this.#checks, running: "all" };
    this.#checkTimer = setTimeout(() => void this.#checkLater(), CHECK_DELAY);
    this.#notify();
  }

  /** Runs waiting checks at once, unless they take long. */
  checkSoon(): void {
    if (this.#checks.running !== undefined && !takesLong(this.gguf)) this.#check();
  }

  /** Takes the checks of the stored file, which a person may have changed already. */
  takeChecks(checks: ChecksResult): void {
    if (this.#revision === 0 && !this.#ended) this.#become(checks, this.#facts);
  }

  #stopChecks(): void {
    clearTimeout(this.#checkTimer);
    this.#checking.abort();
  }

  /** Runs the checks. */
  #check(): void {
    if (this.#ended) return;
    this.#stopChecks();
    this.#updateSizes()?.free();
    const facts = headerFacts(this.#editor);
    const programs = editedPrograms(this.#programs, this.gguf.classification, facts.classification);
    this.#become(checksOf(this.#editor, this.#fileName, programs), facts);
  }

  /** Runs the checks of a large header in a worker: they decode the header. A change ends them. */
  async #checkLater(): Promise<void> {
    if (!takesLong(this.gguf)) {
      this.#check();
      return;
    }
    const { signal } = (this.#checking = new AbortController());
    const plan = this.#updateSizes();
    const request = plan && { header: plan.headerBytes(), size: plan.size, fileName: this.#fileName, withFixes: true };
    plan?.free();
    const checked = request && (await checkInWorker(request, signal).catch(() => undefined));
    if (signal.aborted) return;
    if (checked) this.#become(checked, checked.facts);
    else this.#check();
  }

  #become(checks: ChecksResult, facts: HeaderFacts): void {
    this.#checks = checks;
    this.#facts = facts;
    this.#described = undefined;
    this.#notify();
  }

  /**
   * Frees the changed and added arrays of the previous rows. Each is a copy in the memory of the module, which the garbage collector
   * would free much later. Unchanged arrays share the memory of the original header.
   */
  #freeCopiedArrays(): void {
    const copies = this.#rows?.filter(({ mark }) => mark === "changed" || mark === "added") ?? [];
    setTimeout(() => {
      for (const { entry } of copies) if (typeof entry.value === "object") entry.value.free();
    }, FREE_DELAY);
  }

  #notify(): void {
    for (const watcher of this.#watchers) watcher();
  }
}
