import type { Imatrix } from "gguf-wasm/convert";
import { css, html, LitElement, nothing } from "lit";
import { problemText } from "../gguf/error-texts.ts";
import { chooseFile } from "../ui/choose-file.ts";
import { define } from "../ui/define.ts";
import { icons } from "../ui/icons.ts";
import { formatCount } from "../ui/numbers.ts";
import { renderText } from "../ui/render-text.ts";
import { baseStyles } from "../ui/styles.ts";
import { problemStyles } from "../ui/styles/notices.ts";
import { loadConvert } from "./convert-module.ts";

/** Opens an importance matrix from disk. The event `gguf-imatrix` reports it (detail: the `Imatrix`, or null once it is removed). */
export class GgufImatrixField extends LitElement {
  static override properties = {
    imatrix: { attribute: false },
    disabled: { type: Boolean },
    opening: { state: true },
    problem: { state: true },
    isOver: { state: true },
  };

  declare imatrix: Imatrix | undefined;
  declare disabled: boolean;
  /** The name of the file that is being opened. */
  declare private opening: string | undefined;
  /** Why a file could not be opened. */
  declare private problem: string;
  /** Whether a file is dragged over the field. */
  declare private isOver: boolean;

  #abort: AbortController | undefined;

  constructor() {
    super();
    this.imatrix = undefined;
    this.disabled = false;
    this.opening = undefined;
    this.problem = "";
    this.isOver = false;
    this.addEventListener("dragover", this.#onDragOver);
    this.addEventListener("dragleave", () => (this.isOver = false));
    this.addEventListener("drop", this.#onDrop);
  }

  static override styles = [
    baseStyles,
    css`
      :host {
        display: block;
      }
      .box {
        padding: 12px;
        border: 1px dashed var(--gguf-line-strong);
        border-radius: var(--gguf-radius);
      }
      .box.over {
        border-color: var(--gguf-accent);
        background: var(--gguf-accent-soft);
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
    return html`<div class="box ${this.isOver ? "over" : ""}" role="group" aria-labelledby="title">
      <h4 id="title">Importance matrix</h4>
      ${
        imatrix
          ? this.#renderImatrix(imatrix)
          : opening !== undefined
            ? html`<p class="file" role="status">
                <span>Reading ${renderText(opening, { limit: 120 })} …</span>
                <button type="button" class="quiet" @click=${() => this.#abort?.abort()}>Cancel</button>
              </p>`
            : html`<p class="hint" id="about">
                  Says which columns of a tensor matter most. It improves types with 4 bits or fewer. Choose or drop an
                  imatrix file of this model.
                </p>
                <button type="button" aria-describedby="about" ?disabled=${this.disabled} @click=${this.#choose}>
                  Choose an imatrix file
                </button>`
      }
      ${problem === "" ? nothing : html`<p class="problem" role="alert">${problem}</p>`}
    </div>`;
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
    if (file) await this.#open(file);
  };

  readonly #remove = () => {
    this.#report(null);
    void this.#focusButton();
  };

  readonly #onDragOver = (event: DragEvent) => {
    if (this.disabled || !event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    this.isOver = true;
  };

  readonly #onDrop = (event: DragEvent) => {
    this.isOver = false;
    const file = event.dataTransfer?.files[0];
    if (!file || this.disabled) return;
    // The page around does not open it as a model.
    event.preventDefault();
    void this.#open(file);
  };

  async #open(file: File): Promise<void> {
    this.#abort?.abort();
    const abort = new AbortController();
    const { signal } = abort;
    this.#abort = abort;
    this.opening = file.name;
    this.problem = "";
    try {
      const { openImatrix } = await loadConvert();
      const imatrix = await openImatrix(file, { signal });
      if (signal.aborted) imatrix.free();
      else this.#report(imatrix);
    } catch (error) {
      if (!signal.aborted) this.problem = problemText(error);
    } finally {
      if (this.#abort === abort) {
        this.opening = undefined;
        void this.#focusButton();
      }
    }
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
