import { css, html, nothing } from "lit";
import { property } from "lit/decorators.js";
import { live } from "lit/directives/live.js";
import { AddressError, fetchableAddress, fileName, originOf } from "../gguf/address.ts";
import { errorText } from "../gguf/error-texts.ts";
import { FileField, type LoadOptions } from "../gguf/file-field.ts";
import { loadLibrary } from "../gguf/library.ts";
import { HUB } from "../gguf/repository-place.ts";
import { chooseFile } from "../ui/choose-file.ts";
import { define } from "../ui/define.ts";
import { renderText } from "../ui/render-text.ts";
import { baseStyles } from "../ui/styles.ts";
import { escapeText } from "../ui/text.ts";
import { hubTemplates, type OtherTemplates, templatesOfEntries } from "./other-templates.ts";
import { templateTitle } from "./template-list.ts";

/**
 * Reads the templates of another model: of the family of this one, of another repository, or of a GGUF file. Nothing is asked before a
 * person wants it. The event `gguf-other-templates` reports them (detail: `OtherTemplates`, or null once they are removed), and
 * `gguf-other-name` the name of the chosen one (detail).
 */
export class GgufOtherTemplate extends FileField<OtherTemplates> {
  /** The repositories of the family: `owner/name`. */
  @property({ attribute: false }) families: readonly string[] = [];
  /** The headers of requests to Hugging Face, for example an access token. */
  @property({ attribute: false }) hubHeaders: HeadersInit | undefined;
  /** The templates that were read. */
  @property({ attribute: false }) loaded: OtherTemplates | undefined;
  /** The name of the chosen one. */
  @property() name = "";

  protected readonly next = "button, input";

  static override styles = [
    baseStyles,
    FileField.fieldStyles,
    css`
      :host {
        display: grid;
        gap: 8px;
        min-width: 0;
      }
      .families {
        display: flex;
        flex-wrap: wrap;
        gap: 8px;
      }
      .families button {
        max-width: 100%;
        white-space: normal;
        text-align: start;
        overflow-wrap: anywhere;
      }
      .hint {
        color: var(--gguf-ink-2);
        font-size: var(--gguf-text-dense);
      }
    `,
  ];

  override render() {
    const { loaded, opening } = this;
    if (opening !== undefined) return this.renderOpening("Reading the template of", opening, this.silence, this.cancel);
    return html`${loaded ? this.#renderLoaded(loaded) : this.#renderChoice()} ${this.renderProblem()}`;
  }

  #renderLoaded({ title, templates }: OtherTemplates) {
    return html`<p class="file">
      <span>Template of ${renderText(title, { limit: 160 })}</span>
      ${
        templates.length > 1
          ? html`<select aria-label="Template of ${escapeText(title, 160)}" @change=${this.#onName}>
              ${templates.map(
                ({ name }) =>
                  html`<option value=${name} .selected=${live(name === this.name)}>${templateTitle(name)}</option>`,
              )}
            </select>`
          : nothing
      }
      <button type="button" class="quiet" @click=${this.removeFile}>Remove</button>
    </p>`;
  }

  #renderChoice() {
    return html`${
        this.families.length === 0
          ? nothing
          : html`<div class="families">
              ${this.families.map(
                (place) =>
                  html`<button type="button" @click=${() => void this.open(place, place)}>
                    Compare with the template of ${renderText(place, { limit: 160 })}
                  </button>`,
              )}
            </div>`
      }
      <form novalidate @submit=${this.#onSubmit}>
        ${this.renderField({
          label: "Repository or GGUF file whose template to compare with",
          placeholder: "owner/name, or address of a .gguf file",
          type: "text",
        })}
        <button type="submit">Compare</button>
        <button type="button" @click=${this.#choose}>Choose a file</button>
      </form>
      <p class="hint" id="about">
        A repository is asked for its chat_template.jinja, or the template in its tokenizer_config.json.
      </p>`;
  }

  readonly #onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    void this.take((source) =>
      "repository" in source
        ? this.open(source.repository, source.repository)
        : this.open(source.address, fileName(source.address)),
    );
  };

  readonly #choose = async () => {
    const file = await chooseFile();
    if (file) await this.open(file, file.name);
  };

  readonly #onName = (event: Event) => {
    this.#tell("gguf-other-name", (event.target as HTMLSelectElement).value);
  };

  /** Reads a file, an address, or `owner/name`. */
  protected async load(source: File | string, options: LoadOptions): Promise<OtherTemplates> {
    if (typeof source === "string" && !URL.canParse(source)) return this.#loadRepository(source, options);
    return this.#loadFile(source, options);
  }

  async #loadRepository(place: string, { signal, fetch }: LoadOptions): Promise<OtherTemplates> {
    const found = await hubTemplates(place, { headers: this.hubHeaders, signal, fetch });
    if (!("failure" in found)) return found;
    const { title, what, next } = errorText(found.failure);
    throw new AddressError([`${title}.`, what, ...next].join(" "));
  }

  async #loadFile(source: File | string, { signal, fetch }: LoadOptions): Promise<OtherTemplates> {
    const { Gguf } = await loadLibrary();
    const isAddress = typeof source === "string";
    const headers = isAddress && originOf(source, document.baseURI) === HUB ? this.hubHeaders : undefined;
    const gguf = await Gguf.open(isAddress ? fetchableAddress(source, document.baseURI) : source, {
      signal,
      fetch,
      probeCors: true,
      ...(headers === undefined ? {} : { headers }),
    });
    try {
      signal.throwIfAborted();
      const templates = templatesOfEntries(gguf.metadata);
      if (templates.length === 0)
        throw new AddressError("No chat template. The file has no entry tokenizer.chat_template.");
      return { title: isAddress ? fileName(source) : source.name, templates };
    } finally {
      gguf.free();
    }
  }

  protected report(loaded: OtherTemplates | null): void {
    this.#tell("gguf-other-templates", loaded);
  }

  #tell(name: string, detail: unknown): void {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  }
}

define("gguf-other-template", GgufOtherTemplate);
