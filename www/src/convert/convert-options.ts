import type { GgmlTypeInfo, Imatrix } from "gguf-wasm/convert";
import { css, html, LitElement, nothing } from "lit";
import { property } from "lit/decorators.js";
import { live } from "lit/directives/live.js";
import { define } from "../ui/define.ts";
import { sectionStyles } from "../ui/panel-styles.ts";
import { baseStyles } from "../ui/styles.ts";
import { textareaStyles } from "../ui/styles/fields.ts";
import "./imatrix-field.ts";
import { type ConvertSettings, FIRST_SETTINGS, rareChoices, settingProblems } from "./settings.ts";

/** The settings that are switched on and off. */
type Flag = "allowRequantize" | "pure" | "leaveOutputTensor" | "keepSplit" | "nmse";

/** The options of a conversion. The event `gguf-settings` reports a change (detail: the settings that change). */
export class GgufConvertOptions extends LitElement {
  @property({ attribute: false }) settings: ConvertSettings = FIRST_SETTINGS;
  /** The types that tensors can be converted to. */
  @property({ attribute: false }) types: readonly GgmlTypeInfo[] = [];
  /** The address of the model, and the headers for its origin. */
  @property() address: string | undefined;
  @property({ attribute: false }) headers: HeadersInit | undefined;
  /** Whether the model has quantized tensors. */
  @property({ type: Boolean }) quantized = false;
  /** Whether the model is a set of shards. */
  @property({ type: Boolean }) split = false;
  @property({ type: Boolean }) disabled = false;

  static override styles = [
    baseStyles,
    sectionStyles,
    css`
      .columns {
        display: grid;
        grid-template-columns: repeat(auto-fit, minmax(min(100%, calc(300 * var(--gguf-unit))), 1fr));
        align-items: start;
        gap: 16px 24px;
      }
      .option .hint {
        margin-inline-start: 26px;
      }
      details {
        margin-top: 14px;
      }
      summary {
        width: fit-content;
        min-height: calc(28 * var(--gguf-unit));
        cursor: pointer;
        font-size: var(--gguf-text-control);
        font-weight: 600;
      }
      details .columns {
        margin-top: 8px;
      }
      .group {
        display: grid;
        gap: 10px;
        min-width: 0;
      }
      label > .hint {
        font-size: var(--gguf-text-small);
      }
      ${textareaStyles}
    `,
  ];

  override render() {
    const { settings, disabled } = this;
    const count = rareChoices(settings);
    return html`<div class="columns">
        <gguf-imatrix-field
          .imatrix=${settings.imatrix}
          .address=${this.address}
          .headers=${this.headers}
          ?disabled=${disabled}
          @gguf-imatrix=${({ detail }: CustomEvent<Imatrix | null>) => this.#change({ imatrix: detail ?? undefined })}
        ></gguf-imatrix-field>
        <div class="group">
          ${this.#renderFlag(
            "allowRequantize",
            "Allow requantizing",
            this.quantized
              ? "Tensors that are quantized already lose quality a second time. The result is worse than that of the original model with 16 or 32 bits."
              : "This model has no quantized tensors.",
            this.quantized,
          )}
          ${
            this.split
              ? this.#renderFlag(
                  "keepSplit",
                  "Keep the shards",
                  "The new model has as many files as this one. Otherwise it becomes one file.",
                )
              : nothing
          }
        </div>
      </div>
      <details>
        <summary>More options${count === 0 ? nothing : html` (${count} set)`}</summary>
        <div class="columns">
          <div class="group">
            ${this.#renderFlag("pure", "Same type for all tensors", "Without the better types that some tensors get. In llama-quantize: --pure.")}
            ${this.#renderFlag("leaveOutputTensor", "Leave the output tensor", "output.weight keeps its type.")}
            ${this.#renderFlag("nmse", "Measure the error of each tensor", "The table shows it while the conversion runs. It takes longer.")}
            ${this.#renderType("outputTensorType", "Type of the output tensor")}
            ${this.#renderType("tokenEmbeddingType", "Type of the token embeddings")}
          </div>
          <div class="group">${this.#renderPruning()} ${this.#renderOverrides()}</div>
        </div>
      </details>`;
  }

  #renderFlag(name: Flag, title: string, hint: string, isPossible = true) {
    return html`<div class="option">
      <label class="check"
        ><input
          type="checkbox"
          aria-describedby="${name}-hint"
          ?disabled=${this.disabled || !isPossible}
          .checked=${live(this.settings[name])}
          @change=${(event: Event) => this.#change({ [name]: (event.target as HTMLInputElement).checked })}
        /><span>${title}</span></label
      >
      <p class="hint" id="${name}-hint">${hint}</p>
    </div>`;
  }

  #renderType(name: "outputTensorType" | "tokenEmbeddingType", title: string) {
    const chosen = this.settings[name];
    return html`<label
      >${title}
      <select
        ?disabled=${this.disabled}
        @change=${(event: Event) => this.#change({ [name]: (event.target as HTMLSelectElement).value })}
      >
        <option value="" .selected=${live(chosen === "")}>As the file type says</option>
        ${this.types.map(({ name: type }) => html`<option .selected=${live(type === chosen)}>${type}</option>`)}
      </select></label
    >`;
  }

  #renderPruning() {
    const { pruneLayers: problem } = settingProblems(this.settings);
    return html`<label
        >Blocks to leave out
        <input
          type="text"
          inputmode="numeric"
          autocomplete="off"
          placeholder="3, 7"
          aria-describedby=${problem === undefined ? "prune-hint" : "prune-problem"}
          aria-invalid=${problem !== undefined}
          ?disabled=${this.disabled}
          .value=${this.settings.pruneLayers}
          @change=${(event: Event) => this.#change({ pruneLayers: (event.target as HTMLInputElement).value })}
      /></label>
      ${
        problem === undefined
          ? html`<p class="hint" id="prune-hint">Numbers from 0 on. The later blocks get new numbers.</p>`
          : html`<p class="problem" id="prune-problem" role="alert">${problem}</p>`
      }`;
  }

  #renderOverrides() {
    const { overrides: problem } = settingProblems(this.settings);
    return html`<label
        >Metadata of the new file
        <textarea
          rows="3"
          spellcheck="false"
          autocapitalize="off"
          placeholder="general.name=str:My model"
          aria-describedby=${problem === undefined ? "override-hint" : "override-problem"}
          aria-invalid=${problem !== undefined}
          ?disabled=${this.disabled}
          .value=${this.settings.overrides}
          @change=${(event: Event) => this.#change({ overrides: (event.target as HTMLTextAreaElement).value })}
        ></textarea>
      </label>
      ${
        problem === undefined
          ? html`<p class="hint" id="override-hint">
              One entry in each line: KEY=TYPE:VALUE, with the types int, float, bool and str.
            </p>`
          : html`<p class="problem" id="override-problem" role="alert">${problem}</p>`
      }`;
  }

  #change(changes: Partial<ConvertSettings>): void {
    this.dispatchEvent(new CustomEvent("gguf-settings", { detail: changes }));
  }
}

define("gguf-convert-options", GgufConvertOptions);
