import { PROJECTOR_TYPES, type ProjectorType } from "gguf-wasm/common/projectors.js";
import type { FileTypeEstimate, Imatrix } from "gguf-wasm/convert";
import { css, html, LitElement, nothing } from "lit";
import { property, state } from "lit/decorators.js";
import { live } from "lit/directives/live.js";
import "../convert/imatrix-field.ts";
import "../convert/target-list.ts";
import { define } from "../ui/define.ts";
import { sectionStyles } from "../ui/panel-styles.ts";
import { baseStyles } from "../ui/styles.ts";
import { FILE_CHOICES, type FileChoice, FIRST_CHOICES, type ModelChoices, OWN_TYPES } from "./choices.ts";
import { hasEncoders, type ModelDescription } from "./model-folder.ts";
import { tracks } from "../ui/styles/tracks.ts";

/** The choice of a name that is not in the list. No pre-tokenizer has this name. */
const OTHER = "…";

/** The choices of a conversion. The event `gguf-model-choices` reports a change (detail: the choices that change). */
export class GgufModelChoices extends LitElement {
  @property({ attribute: false }) model: ModelDescription | undefined;
  @property({ attribute: false }) choices: ModelChoices = FIRST_CHOICES;
  /** Which files are made. */
  @property() files: FileChoice = "model";
  /** Whether no projector can be made of the model. */
  @property({ type: Boolean }) refused = false;
  /** What the model would be as a file of each type, once it is planned to be quantized. */
  @property({ attribute: false }) types: readonly FileTypeEstimate[] = [];
  /** The name of the model that the new file gets if none is typed. */
  @property() foundName = "";
  @property({ type: Boolean }) disabled = false;
  /** Whether the person types the name of a pre-tokenizer. */
  @state() private typesPre = false;

  static override styles = [
    baseStyles,
    sectionStyles,
    css`
      .types {
        display: grid;
        grid-template-columns: repeat(auto-fill, minmax(min(100%, calc(270 * var(--gguf-unit))), 1fr));
        gap: 8px;
      }
      label.type {
        display: grid;
        grid-template-columns: ${tracks(18, "1fr")};
        gap: 2px 10px;
        align-content: start;
        padding: 9px 12px;
        border: 1px solid var(--gguf-line);
        border-radius: var(--gguf-radius);
        color: var(--gguf-ink);
        font-size: var(--gguf-text-control);
        cursor: pointer;
      }
      label.type:has(:checked) {
        border-color: var(--gguf-accent);
        background: var(--gguf-active);
      }
      label.type:has(:disabled) {
        cursor: default;
      }
      label.type:has(:focus-visible) {
        outline: 2px solid var(--gguf-accent);
        outline-offset: 1px;
      }
      .type input {
        width: calc(16 * var(--gguf-unit));
        height: calc(16 * var(--gguf-unit));
        margin: 2px 0 0;
        accent-color: var(--gguf-accent);
        outline: none;
      }
      .type .hint {
        grid-column: 2;
      }
      .quantized {
        display: grid;
        gap: 14px;
        margin-top: 12px;
      }
      .group {
        margin-bottom: 16px;
      }
      legend.title {
        margin-bottom: 6px;
        color: var(--gguf-ink);
        font-size: var(--gguf-text-control);
        font-weight: 600;
      }
      .projector-type {
        margin-top: 16px;
      }
      .projector-type select {
        width: min(100%, calc(320 * var(--gguf-unit)));
      }
      .projector-type .hint {
        margin-top: 4px;
      }
      .more {
        display: grid;
        grid-template-columns: repeat(auto-fit, minmax(min(100%, calc(300 * var(--gguf-unit))), 1fr));
        gap: 14px 24px;
        align-items: start;
        margin-top: 16px;
      }
      .option .hint {
        margin-inline-start: 26px;
      }
      .question {
        margin-bottom: 16px;
        padding: 12px;
        border-radius: 6px;
        background: var(--gguf-warning-soft);
      }
      .question h4 {
        margin-top: 0;
      }
      .question label {
        margin-top: 8px;
        color: var(--gguf-ink);
      }
      .question select,
      .question input {
        width: min(100%, calc(320 * var(--gguf-unit)));
      }
      .question .hint {
        color: var(--gguf-ink);
      }
    `,
  ];

  override render() {
    const { model, choices, disabled } = this;
    const names = model?.vocabulary?.probablePreTokenizers;
    const isOfText = this.files !== "projector";
    return html`${model && hasEncoders(model) ? this.#renderFiles(model) : nothing}
      ${names && isOfText ? this.#renderPreTokenizer(names) : nothing} ${isOfText ? this.#renderTypes() : nothing}
      ${this.files === "model" ? nothing : this.#renderProjectorType()}
      <div class="more">
        <label
          >Name of the model
          <input
            type="text"
            autocomplete="off"
            spellcheck="false"
            placeholder=${this.foundName}
            ?disabled=${disabled}
            .value=${choices.modelName}
            @change=${(event: Event) => this.#change({ modelName: (event.target as HTMLInputElement).value })}
        /></label>
        ${
          isOfText && model?.dataTypes.some(({ dataType }) => dataType.startsWith("F8"))
            ? this.#renderFlag(
                "fp8AsQ8",
                "8-bit floats become Q8_0",
                "Otherwise they get the type of the file. Without effect if the model is quantized.",
              )
            : nothing
        }
        ${
          isOfText
            ? this.#renderFlag(
                "vocabularyOnly",
                "Only the vocabulary",
                "The new file has metadata and tokens, but no tensors.",
              )
            : nothing
        }
      </div>`;
  }

  /** Which files are made of a model with encoders. */
  #renderFiles({ obstacles }: ModelDescription) {
    const canBe = ({ files }: (typeof FILE_CHOICES)[number]) =>
      obstacles.length > 0 ? files === "projector" : files === "model" || !this.refused;
    return html`<fieldset class="group">
      <legend class="title">Files</legend>
      <div class="types">
        ${FILE_CHOICES.map(
          (choice) =>
            html`<label class="type">
              <input
                type="radio"
                name="files"
                value=${choice.files}
                aria-labelledby="files-${choice.files}"
                aria-describedby="about-files-${choice.files}"
                ?disabled=${this.disabled || !canBe(choice)}
                .checked=${live(choice.files === this.files)}
                @change=${() => this.#change({ files: choice.files })}
              />
              <span id="files-${choice.files}">${choice.title}</span>
              <span class="hint" id="about-files-${choice.files}">${choice.advice}</span>
            </label>`,
        )}
      </div>
    </fieldset>`;
  }

  #renderProjectorType() {
    return html`<div class="projector-type">
      <label
        >Type of the projector
        <select
          aria-describedby="projector-type-hint"
          ?disabled=${this.disabled}
          @change=${(event: Event) =>
            this.#change({ projectorType: (event.target as HTMLSelectElement).value as ProjectorType })}
        >
          ${PROJECTOR_TYPES.map(
            ({ type, title }) =>
              html`<option value=${type} .selected=${live(type === this.choices.projectorType)}>${title}</option>`,
          )}
        </select></label
      >
      <p class="hint" id="projector-type-hint">
        Projectors are small, and a quantized projector loses detail of images: 16 bits are usual, also beside a model
        in Q4_K_M.
      </p>
    </div>`;
  }

  /** The types of the model of the text. */
  #renderTypes() {
    const { choices, disabled } = this;
    const quantized = this.#renderType(
      "quantized",
      "Quantized",
      "Smaller: Q4_K_M and all other types of llama-quantize, in one pass.",
    );
    return html`<fieldset>
        <legend class=${this.files === "both" ? "title" : "sr"}>
          ${this.files === "both" ? "Type of the model" : "Type of the new file"}
        </legend>
        <div class="types">
          ${OWN_TYPES.map(
            ({ type, title, advice }, at) =>
              html`${this.#renderType(type, title, advice)}${at === 0 ? quantized : nothing}`,
          )}
        </div>
      </fieldset>
      ${
        choices.type === "quantized" && this.types.length > 0
          ? html`<div class="quantized">
              <gguf-target-list
                .types=${this.types}
                .chosen=${choices.target}
                ?importance=${choices.imatrix !== undefined}
                ?disabled=${disabled || choices.vocabularyOnly}
                @gguf-target=${({ detail: target }: CustomEvent<string>) => this.#change({ target })}
              ></gguf-target-list>
              <gguf-imatrix-field
                .imatrix=${choices.imatrix}
                ?disabled=${disabled}
                @gguf-imatrix=${({ detail }: CustomEvent<Imatrix | null>) => this.#change({ imatrix: detail ?? undefined })}
              ></gguf-imatrix-field>
            </div>`
          : nothing
      }`;
  }

  #renderPreTokenizer(names: readonly string[]) {
    const { choices, typesPre } = this;
    const { pre } = choices;
    return html`<div class="question">
      <h4>Which model does the vocabulary come from?</h4>
      <p class="hint" id="pre-hint">
        The rules that split a text before it becomes tokens are not known for this vocabulary. Choose the name of the
        model that it was made for; the most probable names come first. With a wrong name the new file opens, but its
        answers get worse.
      </p>
      <label
        >Pre-tokenizer
        <select
          aria-describedby="pre-hint"
          ?disabled=${this.disabled}
          @change=${(event: Event) => this.#choosePre((event.target as HTMLSelectElement).value)}
        >
          <option value="" .selected=${live(pre === "" && !typesPre)}>Choose a name</option>
          ${names.map((name) => html`<option value=${name} .selected=${live(name === pre && !typesPre)}>${name}</option>`)}
          <option value=${OTHER} .selected=${live(typesPre)}>Another name…</option>
        </select></label
      >
      ${
        typesPre
          ? html`<label
              >Name as in tokenizer.ggml.pre
              <input
                type="text"
                autocomplete="off"
                autocapitalize="off"
                spellcheck="false"
                ?disabled=${this.disabled}
                .value=${pre}
                @change=${(event: Event) => this.#change({ pre: (event.target as HTMLInputElement).value.trim() })}
            /></label>`
          : nothing
      }
    </div>`;
  }

  #choosePre(name: string): void {
    this.typesPre = name === OTHER;
    this.#change({ pre: this.typesPre ? "" : name });
  }

  #renderType(type: ModelChoices["type"], title: string, advice: string) {
    return html`<label class="type">
      <input
        type="radio"
        name="type"
        value=${type}
        aria-labelledby="name-${type}"
        aria-describedby="about-${type}"
        ?disabled=${this.disabled}
        .checked=${live(type === this.choices.type)}
        @change=${() => this.#change({ type })}
      />
      <span id="name-${type}">${title}</span>
      <span class="hint" id="about-${type}">${advice}</span>
    </label>`;
  }

  #renderFlag(name: "fp8AsQ8" | "vocabularyOnly", title: string, hint: string) {
    return html`<div class="option">
      <label class="check"
        ><input
          type="checkbox"
          aria-describedby="${name}-hint"
          ?disabled=${this.disabled}
          .checked=${live(this.choices[name])}
          @change=${(event: Event) => this.#change({ [name]: (event.target as HTMLInputElement).checked })}
        /><span>${title}</span></label
      >
      <p class="hint" id="${name}-hint">${hint}</p>
    </div>`;
  }

  #change(changes: Partial<ModelChoices>): void {
    this.dispatchEvent(new CustomEvent("gguf-model-choices", { detail: changes }));
  }
}

define("gguf-model-choices", GgufModelChoices);
