import type { Imatrix } from "gguf-wasm/convert";
import { css, html, nothing } from "lit";
import { property } from "lit/decorators.js";
import { AddressError, fileName, originOf } from "../gguf/address.ts";
import { FileField, type LoadOptions } from "../gguf/file-field.ts";
import { chooseFile } from "../ui/choose-file.ts";
import { define } from "../ui/define.ts";
import { DropBox, dropBoxStyles } from "../ui/drop-box.ts";
import { icons } from "../ui/icons.ts";
import { formatCount } from "../ui/numbers.ts";
import { renderText } from "../ui/render-text.ts";
import { baseStyles } from "../ui/styles.ts";
import { loadConvert } from "./convert-module.ts";

/**
 * Opens an importance matrix from disk or from an address. The event `gguf-imatrix` reports it (detail: the `Imatrix`, or null once it is
 * removed).
 */
export class GgufImatrixField extends FileField<Imatrix> {
  @property({ attribute: false }) imatrix: Imatrix | undefined;
  /** The address of the model. Its headers are sent to its origin only. */
  @property() address: string | undefined;
  @property({ attribute: false }) headers: HeadersInit | undefined;
  @property({ type: Boolean }) disabled = false;
  protected readonly next = "button";

  readonly #drop: DropBox = new DropBox(this, {
    take: ([file]) => file && void this.open(file, file.name),
    isOpen: () => !this.disabled,
  });

  static override styles = [
    baseStyles,
    FileField.fieldStyles,
    css`
      :host {
        display: block;
      }
      ${dropBoxStyles}
      button {
        white-space: normal;
      }
      h4 {
        margin-bottom: 2px;
        font-size: var(--gguf-text-dense);
        font-weight: 600;
      }
      .hint {
        margin-bottom: 8px;
        color: var(--gguf-ink-2);
        font-size: var(--gguf-text-dense);
      }
      .file + .hint {
        margin: 2px 0 0;
      }
    `,
  ];

  override render() {
    const { imatrix, opening } = this;
    return html`<div class="drop-box ${this.#drop.isOver ? "over" : ""}" role="group" aria-labelledby="title">
      <h4 id="title">Importance matrix</h4>
      ${
        imatrix
          ? this.#renderImatrix(imatrix)
          : opening !== undefined
            ? this.renderOpening("Reading", opening, this.silence, this.cancel)
            : this.#renderForm()
      }
      ${this.renderProblem()}
    </div>`;
  }

  #renderForm() {
    return html`<p class="hint" id="about">
        Says which columns of a tensor matter most. It improves types with 4 bits or fewer. Choose or drop an imatrix
        file of this model, or give its address.
      </p>
      <form novalidate @submit=${this.#onSubmit}>
        <button type="button" aria-describedby="about" ?disabled=${this.disabled} @click=${this.#choose}>
          Choose an imatrix file
        </button>
        ${this.renderField({
          label: "Address of an imatrix file",
          placeholder: "Address of an imatrix file",
          isDisabled: this.disabled,
        })}
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
          @click=${this.removeFile}
        >
          ${icons.close}Remove
        </button>
      </p>
      <p class="hint">${renderText(facts.join(", "), { limit: 400 })}</p>`;
  }

  readonly #choose = async () => {
    const file = await chooseFile();
    if (file) await this.open(file, file.name);
  };

  readonly #onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    if (this.disabled || this.typed.trim() === "") return;
    void this.take((source) => {
      if ("repository" in source)
        throw new AddressError(`${source.repository} is a repository. Paste the address of the imatrix file in it.`);
      return this.open(source.address, fileName(source.address));
    });
  };

  protected async load(source: File | string, { signal, fetch }: LoadOptions): Promise<Imatrix> {
    const { openImatrix } = await loadConvert();
    const { address, headers } = this;
    const base = document.baseURI;
    const isSent =
      headers !== undefined && typeof source === "string" && originOf(address, base) === originOf(source, base);
    const requests = typeof source === "string" ? { fetch, probeCors: true, ...(isSent ? { headers } : {}) } : {};
    const imatrix = await openImatrix(source, { signal, ...requests });
    if (signal.aborted) imatrix.free();
    signal.throwIfAborted();
    return imatrix;
  }

  protected report(imatrix: Imatrix | null): void {
    this.dispatchEvent(new CustomEvent("gguf-imatrix", { detail: imatrix }));
  }
}

define("gguf-imatrix-field", GgufImatrixField);
