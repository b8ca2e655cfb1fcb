import { html, type LitElement, nothing } from "lit";
import type { Failure } from "../gguf/failure.ts";
import type { GgufModelSearch } from "../search/search.ts";
import { loadModule } from "../ui/load-module.ts";
import { type Part, PartLoader } from "../ui/part-loader.ts";
import { escapeText } from "../ui/text.ts";
import { repositoryLink } from "./page-links.ts";
import { TOKEN_HELPS } from "./repository-part.ts";
import type { TokenUse } from "./token-use.ts";

const MODELS: Part = {
  name: "search",
  title: "The list of models",
  load: loadModule(() => import("../search/search.ts")),
};

/** The models that a search has found. Its code is loaded when it is first shown. */
export class SearchPart {
  readonly #host: LitElement;
  readonly #tokenUse: TokenUse;
  readonly #loader: PartLoader;

  constructor(host: LitElement, tokenUse: TokenUse) {
    this.#host = host;
    this.#tokenUse = tokenUse;
    this.#loader = new PartLoader(host);
  }

  /** Loads the code of the list. */
  load(): void {
    void this.#loader.show(MODELS);
  }

  /** Searches again. */
  reload(): void {
    void this.#host.renderRoot.querySelector<GgufModelSearch>("gguf-model-search")?.reload();
  }

  /** The models for words. */
  render(words: string) {
    return html`<main>
      <h1 class="sr">Models for ${escapeText(words, 200)}</h1>
      ${this.#loader.codeOf(MODELS) === "ready" ? this.#renderList(words) : this.#loader.renderPlace(MODELS)}
    </main>`;
  }

  #renderList(words: string) {
    return html`<gguf-model-search
      .words=${words}
      .headers=${this.#tokenUse.token?.headers}
      .linkTo=${repositoryLink}
      @gguf-found=${() => (this.#tokenUse.denied = false)}
      @gguf-error=${({ detail }: CustomEvent<Failure>) => (this.#tokenUse.denied = TOKEN_HELPS.has(detail.code))}
    >
      ${this.#tokenUse.denied ? this.#tokenUse.renderForm() : nothing}
    </gguf-model-search>`;
  }
}
