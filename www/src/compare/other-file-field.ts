import { css, html, nothing, type PropertyValues } from "lit";
import { property, state } from "lit/decorators.js";
import { AddressField } from "../gguf/file-field.ts";
import type { Silence } from "../gguf/silence-watch.ts";
import "../repository/repository.ts";
import type { RepositoryView } from "../repository/repository.ts";
import { define } from "../ui/define.ts";
import { DropBox, dropBoxStyles } from "../ui/drop-box.ts";
import { baseStyles } from "../ui/styles.ts";
import { hintStyles } from "../ui/styles/notices.ts";
import type { OtherSource } from "./sides.ts";
import "./suggested-files.ts";
import type { SuggestedFile, SuggestedGroup } from "./suggestions.ts";

const NO_FILTER: RepositoryView = { filter: "", sort: "" };

/**
 * Chooses the second file of a comparison: by its address, from the list of a repository, from disk, or the original of the edited file.
 * The event `gguf-other-file` reports the choice (detail: an `OtherSource`), and `gguf-other-cancel` that the opening should stop.
 */
export class GgufOtherFile extends AddressField {
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

  readonly #drop: DropBox = new DropBox(this, { take: (files) => this.#report({ kind: "files", files }) });

  static override styles = [
    baseStyles,
    AddressField.fieldStyles,
    css`
      :host {
        display: block;
      }
      ${dropBoxStyles}
      .drop-box {
        padding: 16px;
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
    `,
  ];

  override willUpdate(changed: PropertyValues): void {
    if (changed.has("address")) this.typed = this.address;
  }

  override render() {
    return html`<div class="drop-box ${this.#drop.isOver ? "over" : ""}">
      ${this.opening === undefined ? this.#renderForm() : this.renderOpening("Comparing with", this.opening, this.silence, this.#cancel)}
      ${this.opening === undefined && this.repository !== undefined ? this.#renderRepository(this.repository) : nothing}
      ${this.renderProblem()}
    </div>`;
  }

  protected override get shownProblem(): string {
    return this.refusal || this.problem;
  }

  readonly #cancel = () => this.dispatchEvent(new CustomEvent("gguf-other-cancel"));

  #renderForm() {
    return html`<form novalidate @submit=${this.#onSubmit}>
        ${this.renderField({
          label: "Address of the file to compare with, or a repository",
          placeholder: "Address of a .gguf file, or owner/name",
          type: "text",
        })}
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
    this.repositoryView = NO_FILTER;
    this.repository = undefined;
    void this.take((source) => {
      if ("repository" in source) this.repository = source.repository;
      else this.#report({ kind: "address", address: source.text });
    });
  };

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
