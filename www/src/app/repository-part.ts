import type { Repository } from "gguf-wasm/full";
import { html, type LitElement, nothing } from "lit";
import type { Failure } from "../gguf/failure.ts";
import { repositoryPage } from "../gguf/repository-place.ts";
import type { GgufRepository, RepositoryView } from "../repository/repository.ts";
import { loadModule } from "../ui/load-module.ts";
import { type Part, PartLoader } from "../ui/part-loader.ts";
import { escapeText } from "../ui/text.ts";
import type { PageLocation } from "./page-location.ts";
import { convertLink, linkTo } from "./page-links.ts";
import { rememberAddress } from "./recent-addresses.ts";
import type { TokenUse } from "./token-use.ts";

const FILE_LIST: Part = {
  name: "repository",
  title: "The list of files",
  load: loadModule(() => import("../repository/repository.ts")),
};
/** The refusals of a hub that an access token may change. */
export const TOKEN_HELPS: ReadonlySet<string> = new Set(["repository-not-found", "repository-denied", "rate-limited"]);

/** The list of the files of a repository. Its code is loaded when it is first shown. */
export class RepositoryPart {
  readonly #host: LitElement;
  readonly #location: PageLocation;
  readonly #tokenUse: TokenUse;
  readonly #loader: PartLoader;

  constructor(host: LitElement, location: PageLocation, tokenUse: TokenUse) {
    this.#host = host;
    this.#location = location;
    this.#tokenUse = tokenUse;
    this.#loader = new PartLoader(host);
  }

  /** Loads the code of the list. */
  load(): void {
    void this.#loader.show(FILE_LIST);
  }

  /** Lists the files again. */
  reload(): void {
    void this.#host.renderRoot.querySelector<GgufRepository>("gguf-repository")?.reload();
  }

  /** The files of a repository. */
  render(place: string) {
    return html`<main>
      <h1 class="sr">Files of ${escapeText(place, 200)}</h1>
      ${this.#loader.codeOf(FILE_LIST) === "ready" ? this.#renderList(place) : this.#loader.renderPlace(FILE_LIST)}
    </main>`;
  }

  #renderList(place: string) {
    const { "repo.filter": filter = "", "repo.sort": sort = "" } = this.#location.state;
    return html`<gguf-repository
      .place=${place}
      .headers=${this.#tokenUse.token?.headers}
      .filter=${filter}
      .sort=${sort}
      .linkTo=${linkTo}
      .convertLink=${convertLink}
      chooses
      @gguf-listed=${({ detail }: CustomEvent<Repository>) => this.#onListed(place, detail)}
      @gguf-error=${this.#onError}
      @gguf-repository-view=${this.#onView}
    >
      ${this.#tokenUse.denied ? this.#tokenUse.renderForm() : nothing}
    </gguf-repository>`;
  }

  #onListed(place: string, { id }: Repository): void {
    this.#tokenUse.denied = false;
    rememberAddress({ url: repositoryPage(place), name: id, repo: place });
  }

  readonly #onError = (event: CustomEvent<Failure>) => {
    this.#tokenUse.denied = TOKEN_HELPS.has(event.detail.code);
  };

  readonly #onView = ({ detail: { filter, sort } }: CustomEvent<RepositoryView>) => {
    this.#location.update({ "repo.filter": filter, "repo.sort": sort });
  };
}
