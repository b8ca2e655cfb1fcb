import { css, html, LitElement, nothing, type PropertyValues } from "lit";
import { property, state } from "lit/decorators.js";
import type { TensorInfo } from "gguf-wasm/explain";
import { announce } from "../ui/announce.ts";
import { baseStyles } from "../ui/styles.ts";
import type { Mark } from "../gguf/shown-file.ts";
import { refusalText } from "../gguf/error-texts.ts";
import type { Failure } from "../gguf/failure.ts";
import { formatCount } from "../ui/numbers.ts";
import { escapeText } from "../ui/text.ts";
import type { EditSession } from "./edit-session.ts";
import { editStyles } from "./edit-styles.ts";
import { define } from "../ui/define.ts";

/** ggml's GGML_MAX_NAME is 64, with the null character that ends a name. */
const MOST_BYTES = 63;

/** The fields of an edited tensor: its name, and a button that removes it. */
export class GgufEditTensor extends LitElement {
  @property({ attribute: false }) session!: EditSession;
  /** The edited tensor. `index` is its position in the original file. */
  @property({ attribute: false }) tensor!: TensorInfo;
  @property({ attribute: false }) mark: Mark | undefined;
  @state() private problem = "";

  static override styles = [
    baseStyles,
    editStyles,
    css`
      :host {
        display: grid;
        gap: 6px;
        padding: 8px 16px;
      }
      label {
        flex: 1 1 calc(260 * var(--gguf-unit));
        max-width: calc(520 * var(--gguf-unit));
      }
    `,
  ];

  override willUpdate(changed: PropertyValues): void {
    if (changed.has("tensor")) this.problem = "";
  }

  override render() {
    const name = escapeText(this.tensor.name, 1000);
    if (this.mark === "removed") return html`<p class="hint">This tensor is removed. Undo restores it.</p>`;
    return html`<div class="row-of">
        <label
          >Name<input
            data-value-field
            type="text"
            class="mono"
            autocomplete="off"
            autocapitalize="off"
            spellcheck="false"
            aria-invalid=${this.problem !== ""}
            aria-describedby="problem"
            .value=${this.session.drafts.get(this.#draft) ?? name}
            @input=${this.#onInput}
            @change=${this.#onChange}
            @keydown=${this.#onKey}
        /></label>
        <button type="button" class="danger" aria-label="Remove tensor ${name}" @click=${this.#remove}>
          Remove tensor
        </button>
      </div>
      <p id="problem" class="problem" role="alert" ?hidden=${this.problem === ""}>${this.problem || nothing}</p>`;
  }

  /** The name of the draft of the tensor's name. */
  get #draft(): string {
    return `tensor ${this.tensor.index}`;
  }

  readonly #onInput = (event: Event) => {
    const { value } = event.target as HTMLInputElement;
    const size = new TextEncoder().encode(value).length;
    if (value === escapeText(this.tensor.name, 1000)) this.session.drafts.delete(this.#draft);
    else this.session.drafts.set(this.#draft, value);
    this.problem =
      size > MOST_BYTES
        ? `A tensor name has at most ${formatCount(MOST_BYTES, "byte")}. This name has ${formatCount(size, "byte")}.`
        : "";
  };

  readonly #onChange = (event: Event) => {
    const { value } = event.target as HTMLInputElement;
    if (value === escapeText(this.tensor.name, 1000)) return;
    const { index: id } = this.tensor;
    if (this.#did(this.session.edit((editor) => editor.renameTensor({ id }, value))))
      this.session.drafts.delete(this.#draft);
  };

  readonly #onKey = (event: KeyboardEvent) => {
    const input = event.target as HTMLInputElement;
    const own = escapeText(this.tensor.name, 1000);
    if (event.key !== "Escape" || input.value === own) return;
    event.preventDefault();
    event.stopPropagation();
    input.value = own;
    this.session.drafts.delete(this.#draft);
    this.problem = "";
  };

  readonly #remove = () => {
    const { name, index: id } = this.tensor;
    if (this.#did(this.session.edit((editor) => editor.removeTensor({ id }))))
      announce(this, `${escapeText(name, 80)} removed`);
  };

  #did(failure: Failure | undefined): boolean {
    this.problem = failure ? refusalText(failure) : "";
    return failure === undefined;
  }
}

define("gguf-edit-tensor", GgufEditTensor);
