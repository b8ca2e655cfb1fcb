import type { KeyInfo } from "gguf-wasm/explain";
import type { NewType, NewValue } from "gguf-wasm/full";
import { css, html, nothing } from "lit";
import { property, state } from "lit/decorators.js";
import { live } from "lit/directives/live.js";
import { announce } from "../ui/announce.ts";
import { baseStyles } from "../ui/styles.ts";
import { labelledValue } from "../gguf/allowed-values.ts";
import { keyInfo } from "../gguf/library.ts";
import "./key-field.ts";
import type { GgufKeyField } from "./key-field.ts";
import { type KeySuggestion, keySuggestions } from "./key-suggestions.ts";
import { refusalText } from "../gguf/error-texts.ts";
import {
  elementsOf,
  elementTypeOf,
  parseElements,
  type Parsed,
  parseScalar,
  SCALAR_TYPES,
  type ScalarType,
  typeHint,
} from "./new-values.ts";
import { escapeText } from "../ui/text.ts";
import { Dialog } from "../ui/dialog.ts";
import type { EditSession } from "./edit-session.ts";
import { dialogStyles } from "../ui/styles/dialog.ts";
import { editStyles } from "./edit-styles.ts";
import { define } from "../ui/define.ts";
import { tokenChoices } from "./token-choices.ts";

const TYPES: readonly NewType[] = [...SCALAR_TYPES, ...SCALAR_TYPES.map((type) => `${type}[]` satisfies NewType)];

/** The dialog that adds an entry: its key, type, value and position. */
export class GgufAddEntry extends Dialog {
  @property({ attribute: false }) session: EditSession | undefined;
  @state() private type: NewType = "STRING";
  /** The meaning of the key, if it is known. */
  @state() private info: KeyInfo | undefined;
  @state() private keyProblem = "";
  @state() private valueProblem = "";

  /** The entry of the current row. The new entry can be placed after it. */
  #current: { key: string; position: number } | undefined;

  static override styles = [
    baseStyles,
    editStyles,
    dialogStyles,
    css`
      .key {
        flex: 1 1 calc(280 * var(--gguf-unit));
      }
      .row-of {
        align-items: start;
      }
      .switch {
        display: flex;
        flex-wrap: wrap;
        gap: 4px 16px;
        margin: 0;
        padding: 0;
        border: 0;
      }
      .switch input {
        width: calc(24 * var(--gguf-unit));
        height: calc(24 * var(--gguf-unit));
        margin: 0;
        accent-color: var(--gguf-accent);
      }
      .switch label {
        display: inline-flex;
        align-items: center;
        gap: 6px;
        color: var(--gguf-ink);
        font-size: var(--gguf-text-control);
        overflow-wrap: anywhere;
      }
    `,
  ];

  /** Opens the dialog. `current` is the current row of the table. */
  async open(current?: { key: string; position: number }): Promise<void> {
    this.#current = current;
    this.type = "STRING";
    this.keyProblem = "";
    this.valueProblem = "";
    this.info = undefined;
    this.#keyField?.clear();
    await this.show();
  }

  protected renderBox() {
    const session = this.session;
    const keys = session?.entries.map((entry) => entry.key) ?? [];
    const architecture = session?.entries.find((entry) => entry.key === "general.architecture")?.value;
    const suggestions = keySuggestions(keys, typeof architecture === "string" ? architecture : undefined);
    return html`<dialog aria-labelledby="title" @close=${() => this.hide()}>
      <form novalidate @submit=${this.#onSubmit} @keydown=${this.#onKeyDown}>
        <h2 id="title">Add an entry</h2>
        <div class="body">
          <div class="row-of">
            <gguf-key-field
              class="key"
              name="key"
              autofocus
              .suggestions=${suggestions}
              .problem=${this.keyProblem}
              @gguf-key=${this.#onKey}
            ></gguf-key-field>
            <label
              >Type<select name="type" @change=${this.#onType}>
                ${TYPES.map((type) => html`<option .selected=${live(type === this.type)}>${type}</option>`)}
              </select></label
            >
          </div>
          ${this.info === undefined ? nothing : html`<p class="hint"><strong>${this.info.title}.</strong> ${this.info.description}</p>`}
          ${this.#renderValue()}
          <p id="value-problem" class="problem" role="alert" ?hidden=${this.valueProblem === ""}>
            ${this.valueProblem}
          </p>
          ${this.#current === undefined ? nothing : this.#renderPosition(this.#current.key)}
        </div>
        <div class="actions">
          <button type="button" @click=${() => this.hide()}>Cancel</button>
          <button type="submit" class="primary">Add</button>
        </div>
      </form>
    </dialog>`;
  }

  #renderValue() {
    const element = elementTypeOf(this.type);
    if (this.type === "BOOL")
      return html`<fieldset class="switch">
        <legend class="label">Value</legend>
        <label><input type="radio" name="value" value="true" checked /> true</label>
        <label><input type="radio" name="value" value="false" /> false</label>
      </fieldset>`;
    const several = element !== undefined || (this.type === "STRING" && !this.info?.values);
    return html`<label
        >${element === undefined ? "Value" : `Elements, one a line (${element})`}
        ${
          several
            ? html`<textarea
                name="value"
                rows="4"
                spellcheck="false"
                autocapitalize="off"
                aria-invalid=${this.valueProblem !== ""}
                aria-describedby="value-problem"
                @input=${this.#onValue}
              ></textarea>`
            : html`<input
                  name="value"
                  type="text"
                  class="mono"
                  autocomplete="off"
                  aria-invalid=${this.valueProblem !== ""}
                  aria-describedby="value-problem"
                  @input=${this.#onValue}
                /><span class="hint">${typeHint(this.type)}</span>`
        }</label
      >${element === undefined ? this.#renderAllowedValues() : nothing}`;
  }

  /** A menu of the values that the key may have. A choice fills the field, which takes other values, too. */
  #renderAllowedValues() {
    const values = this.info?.values;
    if (!values) return nothing;
    return html`<label
      >Allowed values<select @change=${this.#onAllowedValue}>
        <option value="">Choose a value…</option>
        ${values.map((value) => html`<option value=${value.value}>${labelledValue(value)}</option>`)}
      </select></label
    >`;
  }

  #renderPosition(key: string) {
    return html`<fieldset class="switch">
      <legend class="label">Position</legend>
      <label><input type="radio" name="position" value="end" checked /> at the end</label>
      <label><input type="radio" name="position" value="after" /> after ${escapeText(key, 60)}</label>
    </fieldset>`;
  }

  #parse(text: string): Parsed<NewValue> {
    const element = elementTypeOf(this.type);
    if (element === undefined) {
      const type = this.type as ScalarType;
      const key = this.#keyField?.value ?? "";
      const tokens = this.session && tokenChoices({ key, type }, this.session.metadata);
      return tokens?.parse(type, text) ?? parseScalar(type, text);
    }
    const parsed = parseElements(element as ScalarType, text);
    return parsed.problem === undefined ? { value: elementsOf(element as ScalarType, parsed.value) } : parsed;
  }

  readonly #onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    (event.currentTarget as HTMLFormElement).requestSubmit();
  };

  /** The suggestion that was chosen also sets the type. A key that was typed keeps it. */
  readonly #onKey = (event: CustomEvent<KeySuggestion | null>) => {
    const key = this.#keyField?.value ?? "";
    const taken = this.session?.entries.some((entry) => entry.key === key) ?? false;
    this.keyProblem = taken ? refusalText({ code: "key-taken", message: "" }) : "";
    this.info = event.detail?.info ?? keyInfo(key);
    const type = event.detail?.info.types[0];
    if (type === undefined) return;
    this.type = type;
    this.valueProblem = "";
  };

  get #keyField(): GgufKeyField | null {
    return this.renderRoot.querySelector<GgufKeyField>("gguf-key-field");
  }

  readonly #onType = (event: Event) => {
    this.type = (event.target as HTMLSelectElement).value as NewType;
    this.valueProblem = "";
  };

  readonly #onValue = (event: Event) => {
    const { value } = event.target as HTMLInputElement;
    this.valueProblem = value === "" ? "" : (this.#parse(value).problem ?? "");
  };

  readonly #onAllowedValue = (event: Event) => {
    const field = this.renderRoot.querySelector<HTMLInputElement>("[name=value]");
    const { value } = event.target as HTMLSelectElement;
    if (!field || value === "") return;
    field.value = value;
    this.valueProblem = "";
  };

  readonly #onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    const { session } = this;
    if (!session) return;
    const form = new FormData(event.target as HTMLFormElement);
    const key = this.#keyField?.value ?? "";
    // FormData ends lines with CR LF.
    const parsed = this.#parse(String(form.get("value") ?? "").replaceAll("\r\n", "\n"));
    this.valueProblem = parsed.problem ?? "";
    if (parsed.problem !== undefined) {
      this.#focus("value");
      return;
    }
    const end = session.entries.length;
    const position = form.get("position") === "after" && this.#current ? this.#current.position + 1 : end;
    const failure = session.edit((editor) => editor.add(key, parsed.value, this.type, Math.min(position, end)));
    if (failure) {
      const aboutKey = failure.code === "key-taken" || failure.code === "bad-key";
      if (aboutKey) this.keyProblem = refusalText(failure);
      else this.valueProblem = refusalText(failure);
      this.#focus(aboutKey ? "key" : "value");
      return;
    }
    this.hide();
    announce(this, `${escapeText(key, 80)} added`);
    this.dispatchEvent(new CustomEvent("gguf-show-row", { detail: { key }, bubbles: true, composed: true }));
  };

  #focus(name: string): void {
    this.renderRoot.querySelector<HTMLElement>(`[name=${name}]`)?.focus();
  }
}

define("gguf-add-entry", GgufAddEntry);
