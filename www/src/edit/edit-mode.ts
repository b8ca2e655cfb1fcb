import type { GgufSource } from "gguf-wasm/explain";
import type { Change } from "gguf-wasm/full";
import { html, type LitElement, nothing, type ReactiveController } from "lit";
import type { ChecksResult, ShownFinding } from "../checks/findings.ts";
import type { Failure } from "../gguf/failure.ts";
import type { ViewerSource } from "../gguf/model-source.ts";
import type { FullGguf } from "../gguf/full.ts";
import type { EditTarget } from "../gguf/opened-model.ts";
import type { EditedFile, EditStatus } from "../gguf/shown-file.ts";
import { freeSafely } from "../gguf/free-safely.ts";
import { clearCollected } from "../saving/private-storage.ts";
import { modelName } from "../summary/facts.ts";
import { announce } from "../ui/announce.ts";
import "../ui/ask.ts";
import type { GgufAsk } from "../ui/ask.ts";
import { focusedElement } from "../ui/focused-element.ts";
import type { MenuGroup } from "../ui/menu.ts";
import { formatCount } from "../ui/numbers.ts";
import { escapeText } from "../ui/text.ts";
import "./add-entry.ts";
import type { GgufAddEntry } from "./add-entry.ts";
import { changeSentence } from "./change-words.ts";
import "./edit-bar.ts";
import { EditKeeper } from "./edit-keeper.ts";
import type { EditBarActions } from "./edit-bar.ts";
import { EditSession } from "./edit-session.ts";
import { SessionFile } from "./edited-file.ts";
import "./file-settings.ts";
import type { KeptEdits, KeptPlace } from "../gguf/kept-edits.ts";
import type { GgufFileSettings } from "./file-settings.ts";
import "./save-dialog.ts";
import type { GgufSaveDialog } from "./save-dialog.ts";
import type { SavedNote } from "./saved-note.ts";
import type { Original, Saved } from "./saving.ts";
import { obstacleNotice } from "./obstacle-notice.ts";

/** The members of `GgufViewer` that edit mode uses. */
export interface EditHost extends LitElement {
  /** The file that editing changes: the open file, or the first shard of the open set. */
  readonly editTarget: EditTarget | undefined;
  /** The name of this file; "" if it is not known. */
  readonly fileName: string;
  /** The row that was selected last. */
  readonly selected: Selection;
  src: string;
  source: ViewerSource | undefined;
  handle: FileSystemFileHandle | undefined;
  select(selection: Selection, options?: { keepFilter?: boolean }): Promise<void>;
  /** Whether work on the open file may end. Asks the person if some runs. */
  mayEndWork(): Promise<boolean>;
  /** Moves the focus to the shown panel if the element that had the focus is gone. */
  focusIfLost(): void;
}

interface Selection {
  key?: string | undefined;
  tensor?: string | undefined;
}

/**
 * Edit mode of a viewer: its session, its toolbar, its dialogs and its keys. The viewer loads this module when editing begins, and keeps
 * one `EditMode` from then on.
 */
export class EditMode implements ReactiveController {
  session: EditSession | undefined;
  /** The file after editing, as the panels show it. Undefined while the file is not being edited. */
  edits: EditedFile | undefined;
  readonly #host: EditHost;
  #keeper: EditKeeper | undefined;
  /** What the last save has done, until the file is changed again. */
  #saved: SavedNote | undefined;
  /** Whether the next file that the viewer opens is the edited file after a save. */
  #resumes = false;

  constructor(host: EditHost) {
    this.#host = host;
    host.addController(this);
  }

  hostConnected(): void {
    addEventListener("keydown", this.#onKey);
    this.#guard();
  }

  hostDisconnected(): void {
    removeEventListener("keydown", this.#onKey);
    removeEventListener("beforeunload", this.#onUnload);
  }

  /** The checks of the file after editing. Undefined while the file is not being edited. */
  get checks(): ChecksResult | undefined {
    return this.session?.checks;
  }

  get unsaved(): boolean {
    return this.session?.unsaved ?? false;
  }

  /** Called when the viewer has opened a file. Whether it is the edited file after a save, which is to be edited on. */
  takeSaved(): boolean {
    const isSaved = this.#resumes;
    this.#resumes = false;
    return isSaved;
  }

  /** Ends the session without asking: the viewer opens another file. */
  close(): void {
    const { session } = this;
    this.session = undefined;
    this.edits = undefined;
    if (!this.#resumes) this.#saved = undefined;
    if (!session) return;
    this.#keeper?.end();
    this.#keeper = undefined;
    session.end();
    void this.#host.updateComplete.then(() => setTimeout(() => freeSafely(session), 0));
    this.#reportStatus();
  }

  /**
   * Begins to edit a file. `checks` is the result of the checks of this file, if it is known. `earlier` are the edits that are kept at
   * `place`, and which a person may still restore.
   */
  start(
    gguf: FullGguf,
    checks: ChecksResult | undefined,
    { place, edits: earlier }: { readonly place: KeptPlace; readonly edits: KeptEdits | undefined },
  ): void {
    if (this.session) return;
    this.session = new EditSession(gguf, checks, this.#host.fileName);
    this.edits = new SessionFile(this.session);
    this.#keeper = new EditKeeper(this.session, place, earlier);
    this.session.watch(this.#changed);
    this.#host.requestUpdate();
    this.#reportStatus();
    void clearCollected().catch(() => undefined);
    const { obstacle } = this.session;
    announce(this.#host, obstacle ? `Editing. ${obstacleNotice(obstacle).title}` : "Editing. Open a row to change it.");
  }

  /**
   * Makes the fix of a finding, or all fixes that need no decision if there is no finding. Returns the reason if the fix of the finding is
   * refused.
   */
  fix(finding: Pick<ShownFinding, "fix"> | undefined): Failure | undefined {
    const { session } = this;
    if (!session) return undefined;
    if (finding === undefined) {
      const fixed = session.fixSafe();
      announce(this.#host, `${formatCount(fixed, "finding")} fixed. Undo restores the entries and tensors.`);
      return undefined;
    }
    const failure = finding.fix && session.fix(finding.fix);
    if (finding.fix && !failure) announce(this.#host, `Fixed: ${escapeText(finding.fix.title, 160)}`);
    return failure;
  }

  /** Makes the edits of an earlier session again. Returns the number of steps that are refused. */
  restore(edits: KeptEdits): number {
    const refused = this.session?.resume(edits) ?? 0;
    this.#keeper?.forgetEarlier();
    announce(this.#host, `${formatCount(edits.count, "unsaved change")} restored`);
    return refused;
  }

  /** Gives the edits to the next session of the same file, which takes the place of this one. */
  handOver(): KeptEdits | undefined | "too large" {
    return this.#keeper?.handOver();
  }

  /** Keeps the edits of an earlier session no longer. */
  forgetEarlier(): void {
    this.#keeper?.forgetEarlier();
  }

  /** Ends editing, unless the person keeps unsaved changes. Returns whether editing has ended. */
  readonly stop = async (): Promise<boolean> => {
    if (!this.session || !(await this.mayLeave())) return false;
    this.close();
    this.#host.requestUpdate();
    announce(this.#host, "No longer editing");
    return true;
  };

  /** Whether the session may end. Asks the person if there are unsaved changes. */
  async mayLeave(): Promise<boolean> {
    if (!this.unsaved) return true;
    const count = this.session?.changes.length ?? 0;
    const ask = this.#find<GgufAsk>("#changes-question");
    return (
      (await ask?.ask({
        title: "Leave without saving?",
        text: `${formatCount(count, "change")} will be lost.`,
        yes: "Leave without saving",
        no: "Continue editing",
      })) ?? true
    );
  }

  /** Opens the save dialog. Other work on the file must end first, because the saved file is opened in its place. */
  readonly save = (): void => {
    applyFocusedField();
    const { session } = this;
    // A text that is not valid cannot be applied. The dialog says so.
    if (session && (session.changes.length > 0 || session.drafts.size > 0)) void this.#save();
  };

  async #save(): Promise<void> {
    if (await this.#host.mayEndWork()) await this.#find<GgufSaveDialog>("gguf-save-dialog")?.open();
  }

  readonly #changed = () => {
    if (this.unsaved) this.#saved = undefined;
    this.#keeper?.keep();
    this.#host.requestUpdate();
    this.#reportStatus();
  };

  /** Reports the number of changes and whether they are saved to the page, with the event `gguf-edit`. */
  #reportStatus(): void {
    this.#guard();
    this.#host.dispatchEvent(
      new CustomEvent("gguf-edit", {
        detail: {
          changes: this.session?.changes.length ?? 0,
          unsaved: this.unsaved,
          name: this.session && modelName(this.session.described, this.#host.fileName),
        } satisfies EditStatus,
        bubbles: true,
        composed: true,
      }),
    );
  }

  /**
   * Makes the browser ask before the page is closed while there are unsaved changes. The listener exists only then, because pages with such
   * a listener are not kept in the back/forward cache.
   */
  #guard(): void {
    if (this.unsaved && this.#host.isConnected) addEventListener("beforeunload", this.#onUnload);
    else removeEventListener("beforeunload", this.#onUnload);
  }

  #find<T extends Element>(name: string): T | null {
    return this.#host.renderRoot.querySelector<T>(name);
  }

  readonly #undo = () => this.#tell("Undone", this.session?.undo());
  readonly #redo = () => this.#tell("Redone", this.session?.redo());

  #tell(word: string, change: Change | undefined): void {
    if (change) announce(this.#host, `${word}: ${escapeText(changeSentence(change, this.session?.metadata), 160)}`);
  }

  readonly #discard = () => {
    if (!this.session?.discard()) return;
    announce(this.#host, "All changes discarded. Redo restores them.");
  };

  /** The original file, for saving. */
  get #original(): Original {
    const { editTarget, handle, fileName } = this.#host;
    const { source, shardCount, isContained = false } = editTarget ?? {};
    return {
      name: fileName || "model.gguf",
      blob: source instanceof Blob ? source : undefined,
      // The handle of a container would write over it.
      handle: isContained ? undefined : (handle ?? (isHandle(source) ? source : undefined)),
      shardCount,
    };
  }

  /** Opens the saved file in edit mode, with the same row selected. */
  readonly #reopen = async ({ kind, handle }: Saved): Promise<boolean> => {
    const file = await handle?.getFile().catch(() => undefined);
    if (!handle || !file) return false;
    const host = this.#host;
    this.#resumes = true;
    const before = host.editTarget?.source;
    // The saved shard stays in its set. A copy is opened alone.
    const source =
      kind === "in-place" && Array.isArray(host.source)
        ? (host.source as readonly GgufSource[]).map((one) => (one === before ? file : one))
        : file;
    Object.assign(host, { src: "", source, handle });
    host.dispatchEvent(
      new CustomEvent("gguf-saved", { detail: { file, handle, source }, bubbles: true, composed: true }),
    );
    // The viewer opens the new file when it updates.
    const { selected } = host;
    await host.updateComplete;
    await host.select(selected, { keepFilter: true });
    return true;
  };

  readonly #onUnload = (event: BeforeUnloadEvent) => {
    if (this.unsaved) event.preventDefault();
  };

  readonly #onKey = (event: KeyboardEvent) => {
    const { session } = this;
    if (!session || event.altKey || !(event.ctrlKey || event.metaKey) || event.defaultPrevented) return;
    const path = event.composedPath();
    // Keys are for the viewer that contains the focus, or for any viewer if no element has the focus.
    if (!path.includes(this.#host) && path[0] !== document.body) return;
    const key = event.key.toLowerCase();
    if (path.some((node) => node instanceof HTMLDialogElement)) return;
    if (key === "s") {
      event.preventDefault();
      this.save();
      return;
    }
    if (isText(path[0])) return;
    if (key === "z" && !event.shiftKey) this.#undo();
    else if ((key === "z" && event.shiftKey) || (key === "y" && !event.shiftKey)) this.#redo();
    else return;
    event.preventDefault();
  };

  /** The toolbar above the panels. `stop` is the action of the Stop button, `more` gives further items for the menu of a compact toolbar. */
  renderBar({ stop, isCompact, more }: { stop: () => Promise<void>; isCompact: boolean; more: () => MenuGroup[] }) {
    const { session } = this;
    if (!session) return nothing;
    const actions: EditBarActions = {
      undo: this.#undo,
      redo: this.#redo,
      discard: this.#discard,
      add: this.#add,
      settings: this.#settings,
      stop,
      save: this.save,
      dismiss: this.#dismiss,
    };
    const { changes, steps, undone, unsaved, obstacle, canUndo, drafts } = session;
    return html`<gguf-edit-bar
      .changes=${changes}
      .metadata=${session.metadata}
      .steps=${steps}
      .undone=${undone}
      .unsaved=${unsaved}
      .canUndo=${canUndo}
      .hasDrafts=${drafts.size > 0}
      .saved=${this.#saved}
      .obstacle=${obstacle}
      .isKept=${this.#keeper?.isTooLarge !== true}
      .shardName=${this.#host.editTarget?.shardCount === undefined ? "" : this.#host.fileName}
      .actions=${actions}
      ?compact=${isCompact}
      .more=${more}
    ></gguf-edit-bar>`;
  }

  readonly #note = (note: SavedNote) => {
    this.#saved = note;
    this.#host.requestUpdate();
  };

  readonly #dismiss = () => {
    this.#saved = undefined;
    this.#host.requestUpdate();
    // The button that had the focus is gone.
    this.#host.focusIfLost();
  };

  readonly #add = () => {
    void this.#find<GgufAddEntry>("gguf-add-entry")?.open(this.#currentEntry());
  };

  #currentEntry(): { key: string; position: number } | undefined {
    const { key } = this.#host.selected;
    const position = this.session?.entries.findIndex((entry) => entry.key === key) ?? -1;
    return key === undefined || position < 0 ? undefined : { key, position };
  }

  readonly #settings = () => {
    void this.#find<GgufFileSettings>("gguf-file-settings")?.open();
  };

  /** The dialogs of edit mode. `checks` are those of the edited file, with its chat templates. */
  renderDialogs(checks: ChecksResult | undefined) {
    const { session } = this;
    return html`<gguf-ask id="changes-question"></gguf-ask>${
        session
          ? html`<gguf-add-entry .session=${session}></gguf-add-entry>
              <gguf-file-settings .session=${session}></gguf-file-settings>
              <gguf-save-dialog
                .session=${session}
                .original=${this.#original}
                .checks=${checks}
                .saved=${this.#reopen}
                .noted=${this.#note}
              ></gguf-save-dialog>`
          : nothing
      }`;
  }
}

/** Applies the text of the field that has the focus. A field does that when it loses the focus, and gets it back. */
function applyFocusedField(): void {
  const focused = focusedElement();
  if (!isText(focused)) return;
  focused?.blur();
  focused?.focus();
}

/** Whether an element is a text field. A text field has its own undo. */
function isText(target: EventTarget | undefined): boolean {
  if (target instanceof HTMLTextAreaElement) return true;
  if (target instanceof HTMLElement && target.isContentEditable) return true;
  return target instanceof HTMLInputElement && !["checkbox", "radio", "button"].includes(target.type);
}

function isHandle(source: unknown): source is FileSystemFileHandle {
  return typeof FileSystemFileHandle === "function" && source instanceof FileSystemFileHandle;
}
