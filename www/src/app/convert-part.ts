import { html, type LitElement, nothing } from "lit";
import type { Failure } from "../gguf/failure.ts";
import type { SelfOpening } from "../gguf/model-source.ts";
import type { GgufHubModel } from "../models/hub-model.ts";
import type { ModelFolder } from "../models/model-folder.ts";
import type { WrittenFile } from "../saving/written-files.ts";
import { loadModule } from "../ui/load-module.ts";
import { type Part, PartLoader } from "../ui/part-loader.ts";
import { escapeText } from "../ui/text.ts";
import { TOKEN_HELPS } from "./repository-part.ts";
import type { TokenUse } from "./token-use.ts";

const CONVERSION: Part = {
  name: "convert-model",
  title: "The conversion of models",
  load: loadModule(() => import("../models/hub-model.ts")),
};

/** A model in the layout of Hugging Face: a folder, or a repository. */
export interface ConvertedSubject {
  readonly folder: ModelFolder | undefined;
  readonly place: string;
}

interface Actions {
  /** Opens files that the page has written. */
  readonly open: (files: readonly WrittenFile[]) => void;
  /** Shows a source in the viewer. */
  readonly show: (source: SelfOpening) => void;
  /** Lets the person choose a folder, and opens it. */
  readonly chooseFolder: () => void;
}

/** The page that converts a model in the layout of Hugging Face. Its code is loaded when it is first shown. */
export class ConvertPart {
  readonly #host: LitElement;
  readonly #tokenUse: TokenUse;
  readonly #loader: PartLoader;
  readonly #actions: Actions;

  constructor(host: LitElement, tokenUse: TokenUse, actions: Actions) {
    this.#host = host;
    this.#tokenUse = tokenUse;
    this.#actions = actions;
    this.#loader = new PartLoader(host);
  }

  get #element(): GgufHubModel | null {
    return this.#host.renderRoot.querySelector("gguf-hub-model");
  }

  /** Whether `mayLeave` asks, because a conversion runs. */
  get asksBeforeLeaving(): boolean {
    return this.#element?.asksBeforeLeaving ?? false;
  }

  /** Whether another file may be opened. Asks the person if a conversion runs. */
  mayLeave(): Promise<boolean> {
    return this.#element?.mayLeave() ?? Promise.resolve(true);
  }

  /** Loads the code. */
  load(): void {
    void this.#loader.show(CONVERSION);
  }

  render({ folder, place }: ConvertedSubject) {
    return html`<main>
      <h1 class="sr">Convert ${escapeText(folder?.name ?? place, 200)}</h1>
      ${this.#loader.codeOf(CONVERSION) === "ready" ? this.#renderModel(folder, place) : this.#loader.renderPlace(CONVERSION)}
    </main>`;
  }

  #renderModel(folder: ModelFolder | undefined, place: string) {
    return html`<gguf-hub-model
      .folder=${folder}
      .place=${place}
      .headers=${this.#tokenUse.token?.headers}
      @gguf-listed=${() => (this.#tokenUse.denied = false)}
      @gguf-error=${this.#onError}
      @gguf-open-written=${({ detail }: CustomEvent<readonly WrittenFile[]>) => this.#actions.open(detail)}
      @gguf-show-source=${({ detail }: CustomEvent<SelfOpening>) => this.#actions.show(detail)}
    >
      ${this.#tokenUse.denied ? this.#tokenUse.renderForm() : nothing} ${folder ? this.#renderChoose() : nothing}
    </gguf-hub-model>`;
  }

  /** A file of a model was opened alone, or a folder without all its files. */
  #renderChoose() {
    return html`<p slot="choose" class="choose">
      <button type="button" class="primary" @click=${this.#actions.chooseFolder}>
        Choose the folder of the model…
      </button>
    </p>`;
  }

  readonly #onError = (event: CustomEvent<Failure>) => {
    const { code, status } = event.detail;
    this.#tokenUse.denied = TOKEN_HELPS.has(code) || status === 401 || status === 403;
  };
}
