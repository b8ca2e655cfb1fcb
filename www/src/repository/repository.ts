import type { Repository, RepositoryFile } from "gguf-wasm/full";
import { html, LitElement, nothing, type PropertyValues } from "lit";
import { property, state } from "lit/decorators.js";
import { type Failure, failureOf } from "../gguf/failure.ts";
import { renderHubFailure } from "../gguf/hub-failure.ts";
import { loadLibrary } from "../gguf/library.ts";
import { repositoryPage } from "../gguf/repository-place.ts";
import { renderSilence } from "../gguf/silence-notice.ts";
import { type Silence, SilenceWatch } from "../gguf/silence-watch.ts";
import { MachineWatcher } from "../memory/machine.ts";
import { define } from "../ui/define.ts";
import { RowSpace } from "../ui/density.ts";
import { icons } from "../ui/icons.ts";
import { formatBytes, formatCount, formatParameters } from "../ui/numbers.ts";
import { sectionStyles } from "../ui/panel-styles.ts";
import { renderText } from "../ui/render-text.ts";
import { renderSearchField, searchStyles } from "../ui/search-field.ts";
import { baseStyles } from "../ui/styles.ts";
import { listPageStyles } from "../ui/styles/list-page.ts";
import { bitsOf, type TypeBits, typeBits } from "./bits.ts";
import { chooseFile } from "./choice.ts";
import { renderChoice } from "./choice-view.ts";
import { chosenOrder, type Column, filesOf, formatOrder, parseOrder, totalSize } from "./file-list.ts";
import { renderFileTable, type TableView } from "./file-table.ts";
import { ALLOWANCE_RULE, shownCards } from "./fits.ts";
import { lastListed, listFiles } from "./listing.ts";
import { repositoryStyles } from "./repository-styles.ts";

/** The filter and the order of the tables, as links have them. */
export interface RepositoryView {
  filter: string;
  sort: string;
}

/**
 * The GGUF files of a repository on Hugging Face. Events: `gguf-listed` (detail: the `Repository`), `gguf-error` (detail: a `Failure`), and
 * `gguf-repository-view` (detail: a `RepositoryView`) when the filter or the order changes. The slot `help` is shown below a failure.
 */
export class GgufRepository extends LitElement {
  /** `owner/name`, with a revision and a folder if there are any. */
  @property() place = "";
  /** The headers of requests to Hugging Face, for example an access token. */
  @property({ attribute: false }) headers: HeadersInit | undefined;
  @property() filter = "";
  /** The column, with a minus sign for the largest first. */
  @property() sort = "";
  /** The address of this page that opens a file. */
  @property({ attribute: false }) linkTo: (url: string) => string = (url) => url;
  /** The address of this page that converts the model of a repository. Absent: there is no such page. */
  @property({ attribute: false }) convertLink: ((place: string) => string) | undefined;

  /** Whether to say which file is likely the best for the user's machine. */
  @property({ type: Boolean }) chooses = false;

  @state() private repository: Repository | undefined;
  @state() private failure: Failure | undefined;
  @state() private showsAll = false;
  /** Whether a person has cancelled the listing. */
  @state() private isCancelled = false;
  /** Whether Hugging Face sends nothing. */
  @state() private silence: Silence | undefined;

  readonly #watcher = new MachineWatcher(this);
  #listing: AbortController | undefined;
  /** The bits of each type. Known when the module is loaded. */
  #typeBits: TypeBits = new Map();

  constructor() {
    super();
    this.addController(new RowSpace(this));
  }

  static override styles = [baseStyles, sectionStyles, searchStyles, listPageStyles, repositoryStyles];

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#listing?.abort();
  }

  override willUpdate(changed: PropertyValues): void {
    if (changed.has("place") || changed.has("headers")) void this.reload({ keepsLast: true });
    if (changed.has("place") || changed.has("filter")) this.showsAll = false;
  }

  /** Asks Hugging Face for the files. */
  async reload({ keepsLast = false } = {}): Promise<void> {
    const { place, headers } = this;
    this.#listing?.abort();
    this.#listing = new AbortController();
    const { signal } = this.#listing;
    this.failure = undefined;
    this.repository = undefined;
    this.isCancelled = false;
    const watch = new SilenceWatch(() => {
      if (!signal.aborted) this.silence = watch.silence;
    });
    this.silence = undefined;
    try {
      const { fileTypes, ggmlTypes } = await loadLibrary();
      signal.throwIfAborted();
      this.#typeBits = typeBits(fileTypes(), ggmlTypes());
      const known = keepsLast ? lastListed(place, headers) : undefined;
      const repository = known ?? (await listFiles(place, headers, { signal, fetch: watch.fetch }));
      if (signal.aborted) return;
      this.repository = repository;
      this.dispatchEvent(new CustomEvent("gguf-listed", { detail: repository }));
    } catch (error) {
      if (signal.aborted) return;
      this.failure = failureOf(error, { about: "repository" });
      this.dispatchEvent(new CustomEvent("gguf-error", { detail: this.failure }));
    } finally {
      watch.stop();
    }
  }

  override render() {
    const { repository, failure } = this;
    return html`<div class="page">
      <p class="sr" role="status">${repository ? this.#renderCount(repository) : nothing}</p>
      ${failure ? this.#renderFailure(failure) : repository ? this.#renderFiles(repository) : this.#renderWaiting()}
    </div>`;
  }

  #renderWaiting() {
    const place = renderText(this.place, { limit: 300 });
    if (this.isCancelled)
      return html`<div class="state">
        <p role="status">Listing the files of ${place} was cancelled.</p>
        <button type="button" @click=${() => this.reload()}>Try again</button>
      </div>`;
    return html`<div class="state" aria-busy="true">
      <p>Listing the files of ${place}…</p>
      ${renderSilence(this.silence)}
      <button type="button" @click=${this.#cancel}>Cancel</button>
      ${this.silence ? html`<button type="button" @click=${() => this.reload()}>Try again</button>` : nothing}
    </div>`;
  }

  readonly #cancel = () => {
    this.#listing?.abort();
    this.isCancelled = true;
  };

  #renderFailure(failure: Failure) {
    const convert = failure.code === "no-gguf-files" ? this.convertLink?.(this.place) : undefined;
    return renderHubFailure(failure, {
      name: this.place,
      better: convert === undefined ? undefined : { title: "Convert the model to GGUF", href: convert },
      page: { title: "Open on Hugging Face", href: repositoryPage(this.place) },
      retry: () => void this.reload(),
    });
  }

  #renderFiles(repository: Repository) {
    const { id, url, folder, revision, architecture, parameterCount, isGated, files } = repository;
    const { models, others } = filesOf(files, this.filter, parseOrder(this.sort));
    const bitsOfFile = (file: RepositoryFile) => bitsOf(file, this.#typeBits);
    const { machine } = this.#watcher;
    const choice = this.chooses ? chooseFile(files, machine, bitsOfFile) : undefined;
    const view: TableView = {
      order: parseOrder(this.sort),
      sortBy: this.#sortBy,
      linkTo: this.linkTo,
      bitsOf: bitsOfFile,
      cards: this.chooses ? shownCards(machine.cards) : [],
      ownCards: machine.cards,
      best: choice?.file,
      showsAll: this.showsAll,
      showAll: () => (this.showsAll = true),
    };
    return html`<h2>${renderText(id, { limit: 300 })}</h2>
      <div class="facts">
        <span>${formatCount(files.length, "GGUF file")}, ${formatBytes(totalSize(files))} in total</span>
        ${parameterCount === undefined ? nothing : html`<span>${formatParameters(parameterCount)} parameters</span>`}
        ${architecture === undefined ? nothing : html`<span>Architecture ${renderText(architecture, { limit: 60 })}</span>`}
        ${revision === "main" ? nothing : html`<span>Revision ${renderText(revision, { limit: 100 })}</span>`}
        ${folder === "" ? nothing : html`<span>Folder ${renderText(folder, { limit: 200 })}</span>`}
        <a href=${url} target="_blank" rel="noopener noreferrer">Open on Hugging Face</a>
      </div>
      ${
        isGated
          ? html`<p class="notice warning">
              ${icons.key}<span
                >This repository is gated. Its files can be read with an access token of an account that has accepted
                its conditions.</span
              >
            </p>`
          : nothing
      }
      ${this.chooses ? renderChoice(choice, machine, this.linkTo) : nothing}
      <div class="toolbar">
        ${renderSearchField({
          label: "Filter files",
          placeholder: "Filter by name or quantization",
          text: this.filter,
          search: this.#onFilter,
        })}
        ${this.filter === "" ? nothing : html`<span class="count">${this.#renderCount(repository)}</span>`}
      </div>
      ${models.length + others.length === 0 ? html`<p class="state">No file matches the filter.</p>` : nothing}
      ${models.length === 0 ? nothing : renderFileTable("Models", models, view)}
      ${models.length > 0 && this.chooses ? html`<p class="hint rule"><strong>Fits GPU.</strong> ${ALLOWANCE_RULE}</p>` : nothing}
      ${others.length === 0 ? nothing : renderFileTable("Other files", others, view)}`;
  }

  #renderCount({ files }: Repository) {
    const { models, others } = filesOf(files, this.filter, parseOrder(this.sort));
    const count = models.length + others.length;
    return count === files.length
      ? formatCount(count, "file")
      : `${formatCount(count, "file")} of ${formatCount(files.length, "file")}`;
  }

  readonly #onFilter = (filter: string) => {
    this.filter = filter;
    this.#report();
  };

  readonly #sortBy = (column: Column) => {
    this.sort = formatOrder(chosenOrder(parseOrder(this.sort), column));
    this.#report();
  };

  #report(): void {
    const detail: RepositoryView = { filter: this.filter, sort: this.sort };
    this.dispatchEvent(new CustomEvent("gguf-repository-view", { detail }));
  }
}

define("gguf-repository", GgufRepository);
