import type { Finding } from "gguf-wasm/explain";
import { type KeptEdits, KeptPlace } from "../gguf/kept-edits.ts";
import { refusalText } from "../gguf/error-texts.ts";
import type { OpenedModel } from "../gguf/opened-model.ts";
import { type FullGguf, fullGguf } from "../gguf/full.ts";
import { announce } from "../ui/announce.ts";
import { loadModule } from "../ui/load-module.ts";
import { formatCount } from "../ui/numbers.ts";
import type { FileChecks } from "./file-checks.ts";

/** The problem of an editor that could not be loaded. */
const NOT_LOADED =
  "The editor could not be loaded. Check the connection, and choose Edit again. If that does not help, reload the page.";

const loadEditMode = loadModule(() => import("../edit/edit-mode.ts"));

type EditModeClass = typeof import("../edit/edit-mode.ts").EditMode;

/** Edit mode. Its module is loaded when editing begins. */
export type EditMode = InstanceType<EditModeClass>;

type Host = ConstructorParameters<EditModeClass>[0] & {
  readonly model: OpenedModel | undefined;
  readonly editable: boolean;
  focusIfLost(): void;
};

/** How a viewer begins and ends to edit its file. Edit mode is loaded when editing begins. */
export class ViewerEditing {
  readonly #host: Host;
  /** The checks of the stored file. */
  readonly #checks: FileChecks;
  #mode: EditMode | undefined;
  #problem = "";
  /** The edits of a session that ended because a module has stopped. */
  #carried: KeptEdits | undefined;
  /** Where the unsaved edits of the open file are kept, and those of an earlier session that wait for an answer. */
  #kept: { readonly place: KeptPlace; edits: KeptEdits | undefined } | undefined;

  constructor(host: Host, checks: FileChecks) {
    this.#host = host;
    this.#checks = checks;
  }

  /** Edit mode. Undefined until a person has edited a file. */
  get mode(): EditMode | undefined {
    return this.#mode;
  }

  /** Why editing could not begin, or why a fix was refused. */
  get problem(): string {
    return this.#problem;
  }

  /** The unsaved edits of an earlier session of the open file, which can be restored. */
  get kept(): KeptEdits | undefined {
    return this.#kept?.edits;
  }

  /** Makes the edits of an earlier session again. Whether the file is edited then. */
  async restore(): Promise<boolean> {
    const isEdited = await this.begin((mode) => {
      const { kept } = this;
      if (!kept) return;
      this.#forgetKept();
      const refused = mode.restore(kept);
      if (refused > 0) this.#setProblem(`${formatCount(refused, "change")} could not be restored.`);
    });
    return isEdited;
  }

  /** Drops the edits of an earlier session. */
  readonly discardKept = async (): Promise<void> => {
    this.#kept?.place.write(undefined);
    this.#forgetKept();
    this.#mode?.forgetEarlier();
    announce(this.#host, "The unsaved changes are discarded");
    await this.#host.updateComplete;
    this.#host.focusIfLost();
  };

  #forgetKept(): void {
    if (this.#kept) this.#kept.edits = undefined;
    this.#host.requestUpdate();
  }

  /** Opens the file again with `reopen`, and makes its unsaved edits again. */
  async restart(reopen: () => Promise<void>): Promise<void> {
    const edits = this.#mode?.handOver();
    // They cannot be made again. The person may save them before.
    if (edits === "too large" && !((await this.#mode?.mayLeave()) ?? true)) return;
    this.#carried = edits === "too large" ? undefined : edits;
    await reopen();
    if (edits !== undefined) await this.restore();
  }

  /** Looks for unsaved edits of the file that the viewer has opened. */
  lookForKept(): void {
    const { editTarget, editable } = this.#host;
    this.#kept = undefined;
    if (!editTarget || !editable) return;
    const place = new KeptPlace(editTarget.gguf);
    this.#kept = { place, edits: this.#carried ?? place.read() };
    this.#carried = undefined;
    this.#host.requestUpdate();
  }

  /** Called when the viewer has opened a file. If it is the edited file after a save, continues editing and returns true. */
  async resume(): Promise<boolean> {
    const { editTarget } = this.#host;
    if (!this.#mode?.takeSaved() || !editTarget) return false;
    const gguf = await fullGguf(editTarget.gguf).catch(() => undefined);
    if (!gguf) this.#setProblem(NOT_LOADED);
    else if (this.#host.editTarget?.gguf === editTarget.gguf) this.#start(gguf, undefined);
    return gguf !== undefined;
  }

  /**
   * Begins to edit the open file. Whether it is edited then: another file may have been opened in the meantime. `first` is done before the
   * controls are shown.
   */
  async begin(first: (mode: EditMode) => void = () => {}): Promise<boolean> {
    const { model, editTarget } = this.#host;
    if (!model || !editTarget) return false;
    if (this.#mode?.edits) {
      first(this.#mode);
      return true;
    }
    this.#setProblem("");
    let gguf: FullGguf;
    try {
      const [{ EditMode }, editable] = await Promise.all([loadEditMode(), fullGguf(editTarget.gguf)]);
      gguf = editable;
      this.#mode ??= new EditMode(this.#host);
    } catch {
      if (this.#host.model === model) this.#setProblem(NOT_LOADED);
      return false;
    }
    if (this.#host.model !== model) return false;
    this.#start(gguf, model.set ? undefined : this.#checks.stored);
    first(this.#mode);
    void this.#addFixes();
    return true;
  }

  #start(gguf: FullGguf, checks: FileChecks["stored"]): void {
    // The file that was read is in the module of the editor now.
    this.#mode?.start(gguf, checks, { place: new KeptPlace(gguf), edits: this.kept });
  }

  /** Gives the session the checks of the stored file with fixes. Those of a set of shards have them from the beginning. */
  async #addFixes(): Promise<void> {
    const { model } = this.#host;
    if (!model || model.set) return;
    const checks = await this.#checks.withFixes();
    if (checks && this.#host.model === model) this.#mode?.session?.takeChecks(checks);
  }

  /** Makes the fix of a finding, or all fixes that need no decision if there is none. Begins to edit the file if necessary. */
  async fix(finding: Pick<Finding, "fix"> | undefined): Promise<void> {
    if (!(await this.begin())) return;
    const { session } = this.#mode ?? {};
    if (!finding) await this.#addFixes();
    // Another file may have been opened in the meantime.
    if (!session || this.#mode?.session !== session) return;
    const failure = this.#mode.fix(finding);
    if (failure) this.#setProblem(`The fix was refused. ${refusalText(failure)}`);
    else if (this.#mode?.edits) this.#setProblem("");
    await this.#host.updateComplete;
    this.#host.focusIfLost();
  }

  /** Stops editing, and moves the focus to the button that begins it. */
  readonly stop = async () => {
    if (!(await this.#mode?.stop())) return;
    await this.#host.updateComplete;
    this.#host.renderRoot.querySelector<HTMLElement>(".edit")?.focus();
  };

  /** Ends editing, because another file is opened. */
  close(): void {
    this.#setProblem("");
    this.#mode?.close();
    this.#kept = undefined;
  }

  #setProblem(problem: string): void {
    this.#problem = problem;
    this.#host.requestUpdate();
  }
}
