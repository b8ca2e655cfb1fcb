import type { Finding } from "gguf-wasm/explain";
import { refusalText } from "../gguf/error-texts.ts";
import type { OpenedModel } from "../gguf/opened-model.ts";
import { type FullGguf, fullGguf } from "../gguf/full.ts";
import { loadModule } from "../ui/load-module.ts";
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
  focusIfLost(): void;
};

/** How a viewer begins and ends to edit its file. Edit mode is loaded when editing begins. */
export class ViewerEditing {
  readonly #host: Host;
  /** The checks of the stored file. */
  readonly #checks: FileChecks;
  #mode: EditMode | undefined;
  #problem = "";

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

  /** Called when the viewer has opened a file. If it is the edited file after a save, continues editing and returns true. */
  async resume(): Promise<boolean> {
    const { editTarget } = this.#host;
    if (!this.#mode?.takeSaved() || !editTarget) return false;
    const gguf = await fullGguf(editTarget.gguf).catch(() => undefined);
    if (!gguf) this.#setProblem(NOT_LOADED);
    else if (this.#host.editTarget?.gguf === editTarget.gguf) this.#mode.start(gguf, undefined);
    return gguf !== undefined;
  }

  /** Begins to edit the open file. Whether it is edited then: another file may have been opened in the meantime. */
  async begin(): Promise<boolean> {
    const { model, editTarget } = this.#host;
    if (!model || !editTarget) return false;
    if (this.#mode?.edits) return true;
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
    this.#mode.start(gguf, model.set ? undefined : this.#checks.stored);
    void this.#addFixes();
    return true;
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
  }

  #setProblem(problem: string): void {
    this.#problem = problem;
    this.#host.requestUpdate();
  }
}
