import type { ReactiveControllerHost } from "lit";
import { refusalText } from "../gguf/error-texts.ts";
import { failureOf } from "../gguf/failure.ts";
import type { ChosenFile, LocalFile } from "./local-file.ts";
import { type LocalModel, modelsOf, singleModel } from "./local-model.ts";
import {
  forgetFile,
  readRecentFiles,
  type RecentFile,
  rememberFile,
  reopenFile,
  reopenMessage,
} from "./recent-files.ts";

interface Actions {
  /** Shows a model in the page. */
  readonly show: (model: LocalModel) => Promise<void>;
  /** Asks which of several models to open. */
  readonly choose: (models: readonly LocalModel[]) => Promise<LocalModel | undefined>;
}

/** The files of this computer that the page opens, and those that it has opened before. */
export class LocalFiles {
  readonly #host: ReactiveControllerHost;
  readonly #actions: Actions;
  #recent: readonly RecentFile[] = [];
  #problem = "";
  #together: readonly LocalModel[] = [];

  constructor(host: ReactiveControllerHost, actions: Actions) {
    this.#host = host;
    this.#actions = actions;
  }

  /** The files that can be opened again. */
  get recent(): readonly RecentFile[] {
    return this.#recent;
  }

  /** The models that were chosen or dropped together with a model, and the model itself. */
  togetherWith(model: LocalModel | undefined): readonly LocalModel[] {
    return model !== undefined && this.#together.includes(model) ? this.#together : [];
  }

  /** Why nothing could be opened; "" if all is well. */
  get problem(): string {
    return this.#problem;
  }

  set problem(problem: string) {
    this.#problem = problem;
    this.#host.requestUpdate();
  }

  /** Reads the list of the files that can be opened again. */
  async list(): Promise<void> {
    this.#recent = await readRecentFiles();
    this.#host.requestUpdate();
  }

  /** Opens the model that the files are. If they are several models, the person chooses one. */
  async open(chosen: readonly ChosenFile[]): Promise<void> {
    const models = await modelsOf(chosen).catch((error: unknown) => {
      this.problem = refusalText(failureOf(error));
    });
    if (!models) return;
    this.#together = models;
    const [first] = models;
    if (models.length > 1) {
      const model = await this.#actions.choose(models);
      if (model) await this.#show(model);
    } else if (first) {
      await this.#show(first);
    } else {
      this.problem = "There is no .gguf file in what you chose, and no model with config.json and safetensors.";
    }
  }

  /** Opens files that are still being looked for. */
  async openChosen(choosing: Promise<readonly ChosenFile[] | null>): Promise<void> {
    this.problem = "";
    try {
      const chosen = await choosing;
      if (chosen) await this.open(chosen);
    } catch {
      this.problem = "The folder could not be read. It may have been moved, or the browser did not allow it.";
    }
  }

  /** Opens a file again. */
  async reopen(file: RecentFile): Promise<void> {
    this.problem = "";
    const reopened = await reopenFile(file);
    if (typeof reopened === "string") this.problem = reopenMessage(file.name, reopened);
    else await this.#show(singleModel(reopened));
  }

  async forget({ id }: RecentFile): Promise<void> {
    this.problem = "";
    await forgetFile(id);
    await this.list();
  }

  /** Remembers a file, so that it can be opened again. */
  remember(file: LocalFile): Promise<void> {
    return rememberFile(file);
  }

  async #show(model: LocalModel): Promise<void> {
    this.problem = "";
    await this.#actions.show(model);
    const [file] = model.files;
    // Only single files are remembered: the browser would ask for permission for each shard.
    if (file && model.files.length === 1 && !model.folder) await rememberFile(file);
    await this.list();
  }
}
