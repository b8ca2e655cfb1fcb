import type { Finding } from "gguf-wasm/full";
import type { ChecksResult } from "../checks/findings.ts";
import { refusalText } from "../gguf/error-texts.ts";
import type { OpenedModel } from "../gguf/opened-model.ts";
import { loadModule } from "../ui/load-module.ts";

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
  readonly #checks: () => ChecksResult | undefined;
  #mode: EditMode | undefined;
  #problem = "";

  constructor(host: Host, checks: () => ChecksResult | undefined) {
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

  /** Begins to edit the open file. */
  async begin(): Promise<void> {
    const { model } = this.#host;
    if (!model || this.#mode?.edits) return;
    this.#setProblem("");
    try {
      const { EditMode } = await loadEditMode();
      this.#mode ??= new EditMode(this.#host);
    } catch {
      this.#setProblem(
        "The editor could not be loaded. Check the connection, and choose Edit again. If that does not help, reload the page.",
      );
      return;
    }
    // Another file may have been opened while the module was loaded.
    if (this.#host.model === model) this.#mode.start(model.set ? undefined : this.#checks());
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
