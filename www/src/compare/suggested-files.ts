import type { Repository } from "gguf-wasm/full";
import { css, html, LitElement, nothing, type PropertyValues } from "lit";
import { property, state } from "lit/decorators.js";
import { problemText } from "../gguf/error-texts.ts";
import { startedLibrary } from "../gguf/started-library.ts";
import { lastListed, listFiles } from "../repository/listing.ts";
import { define } from "../ui/define.ts";
import { renderText } from "../ui/render-text.ts";
import { baseStyles } from "../ui/styles.ts";
import { problemStyles } from "../ui/styles/notices.ts";
import { repositoryOf } from "../gguf/repository-place.ts";
import { siblings, type SuggestedFile, type SuggestedGroup } from "./suggestions.ts";

/**
 * Suggests files to compare with: other files of the repository, and those that the page knows. The repository is asked when the person
 * wants it, unless its files are known. The event `gguf-suggested` reports the choice (detail: a `SuggestedFile`).
 */
export class GgufSuggestedFiles extends LitElement {
  /** The address of the open file. */
  @property({ attribute: false }) address: string | undefined;
  /** The headers of requests to Hugging Face. */
  @property({ attribute: false }) hubHeaders: HeadersInit | undefined;
  /** What the page suggests. */
  @property({ attribute: false }) groups: readonly SuggestedGroup[] = [];
  /** The files of the repository of the open file. */
  @state() private listed: Repository | undefined;
  @state() private isListing = false;
  @state() private problem = "";

  #place: string | undefined;
  #abort: AbortController | undefined;

  static override styles = [
    baseStyles,
    css`
      :host {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: 12px;
      }
      h4 {
        margin-bottom: 4px;
        color: var(--gguf-ink-2);
        font-size: var(--gguf-text-dense);
        font-weight: 600;
      }
      ul {
        display: grid;
        grid-template-columns: repeat(auto-fill, minmax(min(calc(300 * var(--gguf-unit)), 100%), 1fr));
        gap: 4px;
      }
      li {
        min-width: 0;
      }
      li button {
        justify-content: space-between;
        gap: 12px;
        width: 100%;
        min-width: 0;
        font-size: var(--gguf-text-dense);
        font-weight: 400;
        text-align: start;
      }
      .name {
        min-width: 0;
        overflow: hidden;
        text-overflow: ellipsis;
        white-space: nowrap;
      }
      .about {
        flex: none;
        max-width: 50%;
        overflow: hidden;
        color: var(--gguf-ink-2);
        text-overflow: ellipsis;
        white-space: nowrap;
      }
      ${problemStyles}
    `,
  ];

  override willUpdate(changed: PropertyValues): void {
    if (!changed.has("address") && !changed.has("hubHeaders")) return;
    this.#abort?.abort();
    this.isListing = false;
    this.problem = "";
    // A file is open, so the module that knows addresses has been loaded.
    const library = startedLibrary();
    this.#place = library && repositoryOf(this.address, library.parseRepository);
    this.listed = this.#place === undefined ? undefined : lastListed(this.#place, this.hubHeaders);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#abort?.abort();
    this.isListing = false;
  }

  override render() {
    return html`${this.#place === undefined ? nothing : this.#renderRepository(this.#place)}
    ${this.groups.map(({ title, files }) => this.#renderGroup(title, files))}`;
  }

  #renderRepository(place: string) {
    const { listed, address } = this;
    if (listed) return this.#renderGroup(`Other files of ${place}`, siblings(listed, address ?? ""));
    return html`<div>
      <button type="button" aria-disabled=${this.isListing} @click=${() => void this.#list(place)}>
        ${this.isListing ? "Listing the files…" : html`<span>List the other files of ${renderText(place, { limit: 120 })}</span>`}
      </button>
      ${this.problem === "" ? nothing : html`<p class="problem" role="alert">${this.problem}</p>`}
    </div>`;
  }

  #renderGroup(title: string, files: readonly SuggestedFile[]) {
    if (files.length === 0) return nothing;
    return html`<section>
      <h4>${renderText(title, { limit: 160 })}</h4>
      <ul>
        ${files.map(
          (file) =>
            html`<li>
              <button type="button" title=${file.name} @click=${() => this.#choose(file)}>
                <span class="name">${renderText(file.name, { limit: 160 })}</span
                >${file.about === "" ? nothing : html`<span class="about">${renderText(file.about, { limit: 80 })}</span>`}
              </button>
            </li>`,
        )}
      </ul>
    </section>`;
  }

  async #list(place: string): Promise<void> {
    if (this.isListing) return;
    const { signal } = (this.#abort = new AbortController());
    this.isListing = true;
    this.problem = "";
    try {
      const listed = await listFiles(place, this.hubHeaders, { signal });
      if (signal.aborted) return;
      this.listed = listed;
      await this.updateComplete;
      this.renderRoot.querySelector("button")?.focus();
    } catch (error) {
      if (!signal.aborted) this.problem = problemText(error);
    } finally {
      if (!signal.aborted) this.isListing = false;
    }
  }

  #choose(file: SuggestedFile): void {
    this.dispatchEvent(new CustomEvent("gguf-suggested", { detail: file }));
  }
}

define("gguf-suggested-files", GgufSuggestedFiles);
