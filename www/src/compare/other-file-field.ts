import { css, html, LitElement, nothing, type PropertyValues } from "lit";
import { property, state } from "lit/decorators.js";
import { live } from "lit/directives/live.js";
import { loadLibrary } from "../gguf/library.ts";
import { typedSource } from "../gguf/repository-place.ts";
import { renderSilence } from "../gguf/silence-notice.ts";
import type { Silence } from "../gguf/silence-watch.ts";
import "../repository/repository.ts";
import type { RepositoryView } from "../repository/repository.ts";
import { define } from "../ui/define.ts";
import { DropBox, dropBoxStyles } from "../ui/drop-box.ts";
import { renderText } from "../ui/render-text.ts";
import { baseStyles } from "../ui/styles.ts";
import { hintStyles, problemStyles } from "../ui/styles/notices.ts";
import type { OtherSource } from "./sides.ts";
import "./suggested-files.ts";
import type { SuggestedFile, SuggestedGroup } from "./suggestions.ts";

const NO_FILTER: RepositoryView = { filter: "", sort: "" };

/**
 * Chooses the second file of a comparison: by its address, from the list of a repository, from disk, or the original of the edited file.
 * The event `gguf-other-file` reports the choice (detail: an `OtherSource`), and `gguf-other-cancel` that the opening should stop.
 */
export class GgufOtherFile extends LitElement {
  /** The address that a link asks for. */
  @property() address = "";
  /** The name of the file that is being opened. Undefined if none is. */
  @property({ attribute: false }) opening: string | undefined;
  /** The server of that file, if it sends nothing. */
  @property({ attribute: false }) silence: Silence | undefined;
  /** Why the file could not be opened; "" if there was no failure. */
  @property({ attribute: false }) problem = "";
  /** Whether the open file is being edited, so that it has an original. */
  @property({ type: Boolean }) edited = false;
  /** The headers of requests to Hugging Face, for example an access token. */
  @property({ attribute: false }) hubHeaders: HeadersInit | undefined;
  /** The address of the open file. Undefined for other sources. */
  @property({ attribute: false }) openAddress: string | undefined;
  /** Files that the page suggests. */
  @property({ attribute: false }) suggestions: readonly SuggestedGroup[] = [];
  /** The repository whose files are listed. */
  @state() private repository: string | undefined;
  @state() private repositoryView: RepositoryView = NO_FILTER;
  @state() private typed = "";
  /** Why the typed text cannot be opened; "" if it can. */
  @state() private refusal = "";

  readonly #drop: DropBox = new DropBox(this, { take: (files) => this.#report({ kind: "files", files }) });

  static override styles = [
    baseStyles,
    css`
      :host {
        display: block;
      }
      ${dropBoxStyles}
      .drop-box {
        padding: 16px;
      }
      form,
      .opening {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 8px;
      }
      .opening {
        font-size: 13px;
        overflow-wrap: anywhere;
      }
      input[type="text"] {
        flex: 1 1 240px;
        min-width: 0;
      }
      gguf-repository {
        margin-top: 12px;
      }
      ${hintStyles}
      .hint {
        margin-top: 8px;
      }
      gguf-suggested-files {
        margin-top: 12px;
      }
      ${problemStyles}
      .problem {
        margin-top: 8px;
      }
    `,
  ];

  override willUpdate(changed: PropertyValues): void {
    if (changed.has("address")) this.typed = this.address;
  }

  override render() {
    return html`<div class="drop-box ${this.#drop.isOver ? "over" : ""}">
      ${this.opening === undefined ? this.#renderForm() : this.#renderOpening(this.opening)}
      ${this.opening === undefined && this.repository !== undefined ? this.#renderRepository(this.repository) : nothing}
      ${this.#problem === "" ? nothing : html`<p class="problem" id="problem" role="alert">${renderText(this.#problem, { limit: 600 })}</p>`}
    </div>`;
  }

  /** Why there is no comparison: the text was refused, or its file could not be opened. */
  get #problem(): string {
    return this.refusal || this.problem;
  }

  #renderOpening(name: string) {
    return html`<p class="opening" role="status">
        <span>Comparing with ${renderText(name, { limit: 160 })} …</span>
        <button type="button" @click=${() => this.dispatchEvent(new CustomEvent("gguf-other-cancel"))}>Cancel</button>
      </p>
      ${renderSilence(this.silence)}`;
  }

  #renderForm() {
    const isWrong = this.#problem !== "";
    return html`<form novalidate @submit=${this.#onSubmit}>
        <input
          type="text"
          inputmode="url"
          aria-label="Address of the file to compare with, or a repository"
          aria-describedby=${isWrong ? "problem about" : "about"}
          aria-invalid=${isWrong}
          placeholder="Address of a .gguf file, or owner/name"
          autocomplete="off"
          autocapitalize="off"
          spellcheck="false"
          .value=${live(this.typed)}
          @input=${(event: Event) => {
            this.typed = (event.target as HTMLInputElement).value;
          }}
        />
        <button type="submit" class="primary">Compare</button>
        <button type="button" @click=${() => this.renderRoot.querySelector<HTMLInputElement>(".sr")?.click()}>
          Choose a file
        </button>
        ${
          this.edited
            ? html`<button type="button" @click=${() => this.#report({ kind: "original" })}>
                Compare with the original
              </button>`
            : nothing
        }
        <input class="sr" type="file" multiple tabindex="-1" aria-hidden="true" @change=${this.#onChosen} />
      </form>
      <p class="hint" id="about">
        You can also drop a file here. If a model is split into several files, give the address of any of them, or
        choose all of them.
      </p>
      <gguf-suggested-files
        .address=${this.openAddress}
        .hubHeaders=${this.hubHeaders}
        .groups=${this.suggestions}
        @gguf-suggested=${({ detail }: CustomEvent<SuggestedFile>) => void this.#take(detail)}
      ></gguf-suggested-files>`;
  }

  #renderRepository(place: string) {
    return html`<gguf-repository
      .place=${place}
      .headers=${this.hubHeaders}
      .filter=${this.repositoryView.filter}
      .sort=${this.repositoryView.sort}
      @gguf-repository-view=${({ detail }: CustomEvent<RepositoryView>) => (this.repositoryView = detail)}
      @click=${this.#onFileOfRepository}
    ></gguf-repository>`;
  }

  /** Moves the focus to the field for the address, or to the button that cancels. */
  override focus(): void {
    this.renderRoot.querySelector<HTMLElement>('input[type="text"], .opening button')?.focus();
  }

  readonly #onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    void this.#openTyped(this.typed.trim());
  };

  /** Opens a typed address, or lists the files of a typed repository. */
  async #openTyped(typed: string): Promise<void> {
    // Without the module, opening the address reports why.
    const library = await loadLibrary().catch(() => undefined);
    this.repositoryView = NO_FILTER;
    this.repository = undefined;
    this.refusal = "";
    try {
      const source = typedSource(typed, library?.parseRepository, document.baseURI);
      if ("repository" in source) this.repository = source.repository;
      else this.#report({ kind: "address", address: source.text });
    } catch (error) {
      this.refusal = error instanceof Error ? error.message : String(error);
    }
  }

  /** A file of the list is compared instead of opened. Links to pages about it stay links. */
  readonly #onFileOfRepository = (event: MouseEvent) => {
    const link = event.composedPath().find((node) => node instanceof HTMLAnchorElement);
    if (!link || link.target !== "" || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    this.#report({ kind: "address", address: link.href });
  };

  readonly #onChosen = (event: Event) => {
    const input = event.target as HTMLInputElement;
    const files = [...(input.files ?? [])];
    // The same file can be chosen again.
    input.value = "";
    if (files.length > 0) this.#report({ kind: "files", files });
  };

  /** Opens a suggested file. */
  async #take({ open }: SuggestedFile): Promise<void> {
    this.refusal = "";
    try {
      this.#report(await open());
    } catch (error) {
      this.refusal = error instanceof Error ? error.message : String(error);
    }
  }

  #report(source: OtherSource): void {
    this.dispatchEvent(new CustomEvent("gguf-other-file", { detail: source }));
  }
}

define("gguf-other-file", GgufOtherFile);
