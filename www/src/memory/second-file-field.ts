import type { Gguf } from "gguf-wasm/explain";
import { css, html, type PropertyValues } from "lit";
import { property } from "lit/decorators.js";
import { AddressError, fetchableAddress, fileName } from "../gguf/address.ts";
import { FileField, type LoadOptions } from "../gguf/file-field.ts";
import { loadLibrary } from "../gguf/library.ts";
import { ProjectorVerdict } from "../gguf/projector-verdict.ts";
import { define } from "../ui/define.ts";
import { icons } from "../ui/icons.ts";
import { noticeStyles } from "../ui/panel-styles.ts";
import { renderText } from "../ui/render-text.ts";
import { baseStyles } from "../ui/styles.ts";
import { ROLES, secondFile, type SecondFile } from "./second-file.ts";

/**
 * Adds a file that is loaded beside the model: from an address, or from disk. The event `gguf-second-file` reports it (detail: the open
 * `SecondFile`, or null once it is removed).
 */
export class GgufSecondFile extends FileField<SecondFile> {
  /** The address of the file that should be open. Undefined for none, and for a local file. */
  @property() address: string | undefined;
  /** The model that it is loaded beside. */
  @property({ attribute: false }) model: Gguf | undefined;
  /** The open file. */
  @property({ attribute: false }) file: SecondFile | undefined;
  /** What the file adds to the memory. */
  @property() about = "";

  readonly #verdict = new ProjectorVerdict(this);

  protected readonly next = 'button[aria-label="Remove the second file"], input[type="url"]';

  static override styles = [
    baseStyles,
    FileField.fieldStyles,
    noticeStyles,
    css`
      :host {
        display: block;
        margin-top: 16px;
      }
      h4 {
        margin-bottom: 4px;
        font-size: var(--gguf-text-dense);
        font-weight: 600;
      }
      .hint {
        margin-top: 4px;
        color: var(--gguf-ink-2);
        font-size: var(--gguf-text-small);
      }
    `,
  ];

  override willUpdate(changed: PropertyValues): void {
    const { model, file } = this;
    this.#verdict.ask(model && file?.role === "projector" ? [model, file.gguf] : undefined);
    if (!changed.has("address") || this.address === this.file?.address) return;
    // A link names another file.
    this.stop();
    this.refusal = "";
    this.typed = this.address ?? "";
    if (this.address !== undefined) void this.open(this.address, fileName(this.address), false);
  }

  override render() {
    const { file, opening } = this;
    return html`<h4>Second file</h4>
      ${
        file !== undefined
          ? this.#renderFile(file)
          : opening !== undefined
            ? this.renderOpening("Reading the header of", opening, this.silence, this.cancel)
            : this.#renderForm()
      }
      ${this.renderProblem()}`;
  }

  #renderFile(file: SecondFile) {
    return html`<p class="file">
        <span>${ROLES[file.role].title}: ${renderText(file.name, { limit: 120 })}</span>
        <button type="button" class="quiet" aria-label="Remove the second file" @click=${this.removeFile}>
          ${icons.close}Remove
        </button>
      </p>
      <p class="hint">${this.about}</p>
      ${this.#verdict.render()}`;
  }

  #renderForm() {
    return html`<form novalidate @submit=${this.#onSubmit}>
        ${this.renderField({ label: "Address of the second file", placeholder: "Address of a .gguf file" })}
        <button type="submit">Add</button>
        <button type="button" @click=${() => this.renderRoot.querySelector<HTMLInputElement>(".sr")?.click()}>
          Choose file
        </button>
        <input class="sr" type="file" tabindex="-1" aria-hidden="true" @change=${this.#onChosen} />
      </form>
      <p class="hint" id="about">
        A projector, an adapter, or a small model that drafts tokens, loaded beside the model.
      </p>`;
  }

  readonly #onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    void this.take((source) => {
      if ("repository" in source)
        throw new AddressError(
          `${source.repository} is a repository. Type the name of a file in it: hub:${source.repository}/model.gguf`,
        );
      return this.open(source.text, fileName(source.text));
    });
  };

  readonly #onChosen = (event: Event) => {
    const input = event.target as HTMLInputElement;
    const [file] = input.files ?? [];
    // The same file can be chosen again after it was removed.
    input.value = "";
    if (file) void this.open(file, file.name);
  };

  protected async load(source: File | string, { signal, fetch }: LoadOptions): Promise<SecondFile> {
    const address = typeof source === "string" ? source : undefined;
    const fetched = typeof source === "string" ? fetchableAddress(source, document.baseURI) : source;
    const { Gguf } = await loadLibrary();
    const gguf = await Gguf.open(fetched, { signal, fetch, probeCors: true });
    const name = typeof source === "string" ? fileName(source) : source.name;
    const file = signal.aborted ? undefined : secondFile(gguf, name, address);
    if (file !== undefined) return file;
    const { title } = gguf.classification;
    gguf.free();
    signal.throwIfAborted();
    throw new AddressError(`llama.cpp loads no file of this kind beside a model: ${title.toLowerCase()}.`);
  }

  protected report(file: SecondFile | null): void {
    this.dispatchEvent(new CustomEvent("gguf-second-file", { detail: file }));
  }
}

define("gguf-second-file", GgufSecondFile);
