import type { Finding } from "gguf-wasm/explain";
import { refusalText } from "../gguf/error-texts.ts";
import type { OpenedModel } from "../gguf/opened-model.ts";
import { type FullGguf, fullGguf } from "../gguf/full.ts";
import { loadModule } from "../ui/load-module.ts";
import type { FileChecks } from "./file-checks.ts";

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
    this.#mode.start(await fullGguf(editTarget.gguf), undefined);
    return true;
  }

  /** Begins to edit the open file. */
  async begin(): Promise<void> {
    const { model, editTarget } = this.#host;
    if (!model || !editTarget || this.#mode?.edits) return;
    this.#setProblem("");
    let gguf: FullGguf;
    try {
      const [{ EditMode }, editable] = await Promise.all([loadEditMode(), fullGguf(editTarget.gguf)]);
      gguf = editable;
      this.#mode ??= new EditMode(this.#host);
    } catch {
      this.#setProblem(
        "The editor could not be loaded. Check the connection, and choose Edit again. If that does not help, reload the page.",
      );
      return;
    }
    const checks = model.set ? undefined : await this.#checks.withFixes();
    // Another file may have been opened in the meantime.
    if (this.#host.model === model) this.#mode.start(gguf, checks);
  }

  /** Makes the fix of a finding, or all fixes that need no decision if there is none. Begins to edit the file if necessary. */
  async fix(finding: Pick<Finding, "fix"> | undefined): Promise<void> {
    await this.begin();
    const failure = this.#mode?.fix(finding);
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
