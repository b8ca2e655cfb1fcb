import type { Repository, RepositoryFile } from "gguf-wasm";
import { html, LitElement, nothing, type PropertyValues } from "lit";
import { errorText } from "../gguf/error-texts.ts";
import { type Failure, failureOf, technicalDetails } from "../gguf/failure.ts";
import { repositoryPage } from "../gguf/repository-place.ts";
import { renderSilence } from "../gguf/silence-notice.ts";
import { type Silence, SilenceWatch } from "../gguf/silence-watch.ts";
import { define } from "../ui/define.ts";
import { icons } from "../ui/icons.ts";
import { formatBytes, formatCount, formatParameters } from "../ui/numbers.ts";
import { sectionStyles } from "../ui/panel-styles.ts";
import { renderText } from "../ui/render-text.ts";
import { renderShowAll } from "../ui/show-all.ts";
import { renderSearchField, searchStyles } from "../ui/search-field.ts";
import { baseStyles } from "../ui/styles.ts";
import { escapeText } from "../ui/text.ts";
import { chosenOrder, type Column, filesOf, formatOrder, isModel, parseOrder, ROLES, totalSize } from "./file-list.ts";
import { lastListed, listFiles } from "./listing.ts";
import { repositoryStyles } from "./repository-styles.ts";

/** The rows that are listed at first. A repository may have 100,000 files. */
const FIRST_ROWS = 300;

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
  static override properties = {
    place: {},
    headers: { attribute: false },
    filter: {},
    sort: {},
    linkTo: { attribute: false },
    convertLink: { attribute: false },
    repository: { state: true },
    failure: { state: true },
    showsAll: { state: true },
    isCancelled: { state: true },
    silence: { state: true },
  };

  /** `owner/name`, with a revision and a folder if there are any. */
  declare place: string;
  /** The headers of requests to Hugging Face, for example an access token. */
  declare headers: HeadersInit | undefined;
  declare filter: string;
  /** The column, with a minus sign for the largest first. */
  declare sort: string;
  /** The address of this page that opens a file. */
  declare linkTo: (url: string) => string;
  /** The address of this page that converts the model of a repository. Absent: there is no such page. */
  declare convertLink: ((place: string) => string) | undefined;

  declare private repository: Repository | undefined;
  declare private failure: Failure | undefined;
  declare private showsAll: boolean;
  /** Whether a person has cancelled the listing. */
  declare private isCancelled: boolean;
  /** Whether Hugging Face sends nothing. */
  declare private silence: Silence | undefined;

  #listing: AbortController | undefined;

  constructor() {
    super();
    this.place = "";
    this.headers = undefined;
    this.filter = "";
    this.sort = "";
    this.linkTo = (url) => url;
    this.convertLink = undefined;
    this.repository = undefined;
    this.failure = undefined;
    this.showsAll = false;
    this.isCancelled = false;
    this.silence = undefined;
  }

  static override styles = [baseStyles, sectionStyles, searchStyles, repositoryStyles];

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
    const { title, what, next: steps, link } = errorText(failure);
    // The message says when to try again, and the help below offers an access token.
    const next = failure.code === "rate-limited" ? [] : steps;
    return html`<div class="card" role="alert">
      <h2>${title}</h2>
      <p class="name">${renderText(this.place, { limit: 300 })}</p>
      <p class="what">${renderText(what, { limit: 600 })}</p>
      ${
        next.length === 0
          ? nothing
          : html`<ul>
              ${next.map((step) => html`<li>${step}</li>`)}
            </ul>`
      }
      <p class="technical">${renderText(technicalDetails(failure), { limit: 1000 })}</p>
      <slot name="help"></slot>
      <div class="buttons">
        ${
          failure.code === "no-gguf-files" && this.convertLink
            ? html`<a class="button primary" href=${this.convertLink(this.place)}>Convert the model to GGUF</a>`
            : nothing
        }
        <button type="button" class=${failure.code === "no-gguf-files" ? "" : "primary"} @click=${() => this.reload()}>
          Try again
        </button>
        <a class="button" href=${repositoryPage(this.place)} target="_blank" rel="noopener noreferrer"
          >Open on Hugging Face</a
        >
        ${link === undefined ? nothing : html`<a class="button" href=${link.href} target="_blank" rel="noopener noreferrer">${link.title}</a>`}
      </div>
    </div>`;
  }

  #renderFiles(repository: Repository) {
    const { id, url, folder, revision, architecture, parameterCount, isGated, files } = repository;
    const order = parseOrder(this.sort);
    const { models, others } = filesOf(files, this.filter, order);
    const hasBits = files.some(({ bitsPerWeight }) => bitsPerWeight !== undefined);
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
      <div class="toolbar">
        ${renderSearchField({
          label: "Filter files",
          placeholder: "Filter by name or encoding",
          text: this.filter,
          search: this.#onFilter,
        })}
        ${this.filter === "" ? nothing : html`<span class="count">${this.#renderCount(repository)}</span>`}
      </div>
      ${models.length + others.length === 0 ? html`<p class="state">No file matches the filter.</p>` : nothing}
      ${models.length === 0 ? nothing : this.#renderTable("Models", models, hasBits)}
      ${others.length === 0 ? nothing : this.#renderTable("Other files", others, false)}`;
  }

  #renderCount({ files }: Repository) {
    const { models, others } = filesOf(files, this.filter, parseOrder(this.sort));
    const count = models.length + others.length;
    return count === files.length
      ? formatCount(count, "file")
      : `${formatCount(count, "file")} of ${formatCount(files.length, "file")}`;
  }

  #renderTable(title: string, files: readonly RepositoryFile[], hasBits: boolean) {
    const shown = this.showsAll ? files : files.slice(0, FIRST_ROWS);
    const id = title === "Models" ? "models" : "others";
    const isOther = id === "others";
    return html`<section aria-labelledby=${id}>
      <h3 id=${id}>${title}<span>${formatCount(files.length, "file")}, ${formatBytes(totalSize(files))}</span></h3>
      <div class="scroll">
        <table aria-labelledby=${id}>
          <thead>
            <tr>
              ${this.#renderHead("name", "Name")} ${isOther ? html`<th scope="col" class="role">Kind</th>` : nothing}
              ${this.#renderHead("encoding", "Encoding")}
              ${hasBits ? this.#renderHead("bits", "Bits per weight", "number bits") : nothing}
              ${this.#renderHead("size", "Size", "number")}
            </tr>
          </thead>
          <tbody>
            ${shown.map((file) => this.#renderRow(file, hasBits))}
          </tbody>
        </table>
      </div>
      ${renderShowAll(shown.length, files.length, "file", () => {
        this.showsAll = true;
      })}
    </section>`;
  }

  #renderHead(column: Column, title: string, type = column === "encoding" ? "encoding" : "") {
    const order = parseOrder(this.sort);
    const isSorted = order.column === column;
    const direction = order.isDescending ? "descending" : "ascending";
    return html`<th scope="col" class=${type} aria-sort=${isSorted ? direction : "none"}>
      <button type="button" class=${isSorted ? "" : "unsorted"} @click=${() => this.#sortBy(column)}>
        ${title}${order.isDescending ? icons.down : icons.up}
      </button>
    </th>`;
  }

  #renderRow(file: RepositoryFile, hasBits: boolean) {
    const { name, url, size, encoding, bitsPerWeight, shards, role } = file;
    const none = html`<span class="none" aria-label="Unknown">–</span>`;
    const slash = name.lastIndexOf("/") + 1;
    return html`<tr>
      <th scope="row">
        <a href=${this.linkTo(url)} title=${escapeText(name, 300)}
          >${slash === 0 ? nothing : html`<span class="folder">${renderText(name.slice(0, slash), { limit: 200 })}</span>`}${renderText(name.slice(slash), { limit: 200 })}</a
        >
        ${
          shards === undefined
            ? nothing
            : shards.present === shards.count
              ? html`<span class="shards">${formatCount(shards.count, "shard")}</span>`
              : html`<span class="shards missing"
                  >${shards.present} of ${formatCount(shards.count, "shard")}: the set is not complete</span
                >`
        }
        ${isModel(file) ? nothing : html`<span class="shards role">${ROLES[role]}</span>`}
      </th>
      ${isModel(file) ? nothing : html`<td class="role">${ROLES[role]}</td>`}
      <td class="encoding">${encoding === undefined ? none : renderText(encoding, { limit: 40 })}</td>
      ${hasBits ? html`<td class="number bits">${bitsPerWeight === undefined ? none : bitsPerWeight.toFixed(2)}</td>` : nothing}
      <td class="number">${formatBytes(size)}</td>
    </tr>`;
  }

  readonly #onFilter = (filter: string) => {
    this.filter = filter;
    this.#report();
  };

  #sortBy(column: Column): void {
    this.sort = formatOrder(chosenOrder(parseOrder(this.sort), column));
    this.#report();
  }

  #report(): void {
    const detail: RepositoryView = { filter: this.filter, sort: this.sort };
    this.dispatchEvent(new CustomEvent("gguf-repository-view", { detail }));
  }
}

define("gguf-repository", GgufRepository);
