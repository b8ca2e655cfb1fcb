import type { Imatrix } from "gguf-wasm/convert";
import { css, html, LitElement, nothing } from "lit";
import { property, state } from "lit/decorators.js";
import { live } from "lit/directives/live.js";
import { AddressError, fileName, originOf } from "../gguf/address.ts";
import { problemText } from "../gguf/error-texts.ts";
import { loadLibrary } from "../gguf/library.ts";
import { typedSource } from "../gguf/repository-place.ts";
import { renderSilence } from "../gguf/silence-notice.ts";
import { type Silence, SilenceWatch } from "../gguf/silence-watch.ts";
import { chooseFile } from "../ui/choose-file.ts";
import { define } from "../ui/define.ts";
import { DropBox, dropBoxStyles } from "../ui/drop-box.ts";
import { icons } from "../ui/icons.ts";
import { formatCount } from "../ui/numbers.ts";
import { renderText } from "../ui/render-text.ts";
import { baseStyles } from "../ui/styles.ts";
import { problemStyles } from "../ui/styles/notices.ts";
import { loadConvert } from "./convert-module.ts";

/**
 * Opens an importance matrix from disk or from an address. The event `gguf-imatrix` reports it (detail: the `Imatrix`, or null once it is
 * removed).
 */
export class GgufImatrixField extends LitElement {
  @property({ attribute: false }) imatrix: Imatrix | undefined;
  /** The address of the model. Its headers are sent to its origin only. */
  @property() address: string | undefined;
  @property({ attribute: false }) headers: HeadersInit | undefined;
  @property({ type: Boolean }) disabled = false;
  /** The name of the file that is being opened. */
  @state() private opening: string | undefined;
  /** The server of that file, if it sends nothing. */
  @state() private silence: Silence | undefined;
  /** The text of the address field. */
  @state() private typed = "";
  /** Why a file could not be opened. */
  @state() private problem = "";

  readonly #drop: DropBox = new DropBox(this, {
    take: ([file]) => file && void this.#open(file, file.name),
    isOpen: () => !this.disabled,
  });
  #abort: AbortController | undefined;

  static override styles = [
    baseStyles,
    css`
      :host {
        display: block;
      }
      ${dropBoxStyles}
      form {
        display: flex;
        flex-wrap: wrap;
        gap: 8px;
      }
      input {
        flex: 1 1 220px;
        min-width: 0;
      }
      h4 {
        margin-bottom: 2px;
        font-size: 12.5px;
        font-weight: 600;
      }
      .file {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 4px 12px;
        font-size: 13px;
        overflow-wrap: anywhere;
      }
      .hint {
        margin-bottom: 8px;
        color: var(--gguf-ink-2);
        font-size: 12.5px;
      }
      .file + .hint {
        margin: 2px 0 0;
      }
      ${problemStyles}
      .problem {
        margin-top: 8px;
      }
    `,
  ];

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#abort?.abort();
  }

  override render() {
    const { imatrix, opening, problem } = this;
    return html`<div class="drop-box ${this.#drop.isOver ? "over" : ""}" role="group" aria-labelledby="title">
      <h4 id="title">Importance matrix</h4>
      ${
        imatrix
          ? this.#renderImatrix(imatrix)
          : opening !== undefined
            ? html`<p class="file" role="status">
                  <span>Reading ${renderText(opening, { limit: 120 })} …</span>
                  <button type="button" class="quiet" @click=${() => this.#abort?.abort()}>Cancel</button>
                </p>
                ${renderSilence(this.silence)}`
            : this.#renderForm()
      }
      ${problem === "" ? nothing : html`<p class="problem" id="problem" role="alert">${problem}</p>`}
    </div>`;
  }

  #renderForm() {
    const isWrong = this.problem !== "";
    return html`<p class="hint" id="about">
        Says which columns of a tensor matter most. It improves types with 4 bits or fewer. Choose or drop an imatrix
        file of this model, or give its address.
      </p>
      <form novalidate @submit=${this.#onSubmit}>
        <button type="button" aria-describedby="about" ?disabled=${this.disabled} @click=${this.#choose}>
          Choose an imatrix file
        </button>
        <input
          type="url"
          inputmode="url"
          aria-label="Address of an imatrix file"
          aria-describedby=${isWrong ? "problem about" : "about"}
          aria-invalid=${isWrong}
          placeholder="Address of an imatrix file"
          autocomplete="off"
          autocapitalize="off"
          spellcheck="false"
          ?disabled=${this.disabled}
          .value=${live(this.typed)}
          @input=${(event: Event) => {
            this.typed = (event.target as HTMLInputElement).value;
          }}
        />
        ${this.typed.trim() === "" ? nothing : html`<button type="submit" ?disabled=${this.disabled}>Load</button>`}
      </form>`;
  }

  #renderImatrix({ fileName, tensorNames, datasets, chunkCount }: Imatrix) {
    const facts = [
      formatCount(tensorNames.length, "tensor"),
      ...(chunkCount === undefined ? [] : [formatCount(chunkCount, "chunk")]),
      ...(datasets.length === 0 ? [] : [`measured with ${datasets.slice(0, 3).join(", ")}`]),
    ];
    return html`<p class="file">
        <span>${renderText(fileName, { limit: 160 })}</span>
        <button
          type="button"
          class="quiet"
          aria-label="Remove the importance matrix"
          ?disabled=${this.disabled}
          @click=${this.#remove}
        >
          ${icons.close}Remove
        </button>
      </p>
      <p class="hint">${renderText(facts.join(", "), { limit: 400 })}</p>`;
  }

  readonly #choose = async () => {
    const file = await chooseFile();
    if (file) await this.#open(file, file.name);
  };

  readonly #onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    if (!this.disabled && this.typed.trim() !== "") void this.#openTyped();
  };

  /** Opens the file that the typed text names. */
  async #openTyped(): Promise<void> {
    try {
      const library = await loadLibrary().catch(() => undefined);
      const source = typedSource(this.typed, library?.parseRepository, document.baseURI);
      if ("repository" in source)
        throw new AddressError(`${source.repository} is a repository. Paste the address of the imatrix file in it.`);
      await this.#open(source.address, fileName(source.address));
    } catch (error) {
      this.problem = problemText(error);
    }
  }

  readonly #remove = () => {
    this.typed = "";
    this.#report(null);
    void this.#focusButton();
  };

  async #open(source: File | string, name: string): Promise<void> {
    this.#abort?.abort();
    const abort = new AbortController();
    const { signal } = abort;
    this.#abort = abort;
    this.opening = name;
    this.problem = "";
    const watch = new SilenceWatch(() => {
      if (!signal.aborted) this.silence = watch.silence;
    });
    this.silence = undefined;
    try {
      const { openImatrix } = await loadConvert();
      const imatrix = await openImatrix(source, { signal, ...this.#requestOptions(source, watch) });
      if (signal.aborted) imatrix.free();
      else this.#report(imatrix);
    } catch (error) {
      if (!signal.aborted) this.problem = problemText(error);
    } finally {
      watch.stop();
      if (this.#abort === abort) {
        this.opening = undefined;
        void this.#focusButton();
      }
    }
  }

  /** How an address is requested. */
  #requestOptions(source: File | string, { fetch }: SilenceWatch) {
    if (typeof source !== "string") return {};
    const { address, headers } = this;
    const base = document.baseURI;
    const isSent = headers !== undefined && originOf(address, base) === originOf(source, base);
    return { fetch, probeCors: true, ...(isSent ? { headers } : {}) };
  }

  /** Moves the focus to the button that replaces the one that had it. */
  async #focusButton(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve));
    await this.updateComplete;
    // The person may have moved the focus meanwhile.
    if (document.activeElement === document.body) this.renderRoot.querySelector<HTMLElement>("button")?.focus();
  }

  #report(imatrix: Imatrix | null): void {
    this.dispatchEvent(new CustomEvent("gguf-imatrix", { detail: imatrix }));
  }
}

define("gguf-imatrix-field", GgufImatrixField);
