import type { NewType, NewValue } from "gguf-wasm";
import { css, html, nothing } from "lit";
import { live } from "lit/directives/live.js";
import { announce } from "../ui/announce.ts";
import { baseStyles } from "../ui/styles.ts";
import { keySuggestions } from "./key-suggestions.ts";
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
import { dialogStyles, editStyles } from "./edit-styles.ts";
import { define } from "../ui/define.ts";

const TYPES: readonly NewType[] = [...SCALAR_TYPES, ...SCALAR_TYPES.map((type) => `${type}[]` satisfies NewType)];

/** The dialog that adds an entry: its key, type, value and position. */
export class GgufAddEntry extends Dialog {
  static override properties = {
    ...Dialog.properties,
    session: { attribute: false },
    type: { state: true },
    keyProblem: { state: true },
    valueProblem: { state: true },
  };

  declare session: EditSession | undefined;
  declare private type: NewType;
  declare private keyProblem: string;
  declare private valueProblem: string;

  /** The entry of the current row. The new entry can be placed after it. */
  #current: { key: string; position: number } | undefined;

  constructor() {
    super();
    this.session = undefined;
    this.type = "STRING";
    this.keyProblem = "";
    this.valueProblem = "";
  }

  static override styles = [
    baseStyles,
    editStyles,
    dialogStyles,
    css`
      .key {
        flex: 1 1 280px;
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
        width: 24px;
        height: 24px;
        margin: 0;
      }
      .switch label {
        display: inline-flex;
        align-items: center;
        gap: 6px;
        color: var(--gguf-ink);
        font-size: 13px;
      }
    `,
  ];

  /** Opens the dialog. `current` is the current row of the table. */
  async open(current?: { key: string; position: number }): Promise<void> {
    this.#current = current;
    this.type = "STRING";
    this.keyProblem = "";
    this.valueProblem = "";
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
            <label class="key"
              >Key<input
                name="key"
                type="text"
                class="mono"
                list="keys"
                autocomplete="off"
                autocapitalize="off"
                spellcheck="false"
                autofocus
                aria-invalid=${this.keyProblem !== ""}
                aria-describedby="key-problem"
                @input=${this.#onKey}
              /><datalist id="keys">
                ${suggestions.map((key) => html`<option value=${escapeText(key)}></option>`)}
              </datalist></label
            >
            <label
              >Type<select name="type" @change=${this.#onType}>
                ${TYPES.map((type) => html`<option .selected=${live(type === this.type)}>${type}</option>`)}
              </select></label
            >
          </div>
          <p id="key-problem" class="problem" role="alert" ?hidden=${this.keyProblem === ""}>${this.keyProblem}</p>
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
    const several = element !== undefined || this.type === "STRING";
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
    if (element === undefined) return parseScalar(this.type as ScalarType, text);
    const parsed = parseElements(element as ScalarType, text);
    return parsed.problem === undefined ? { value: elementsOf(element as ScalarType, parsed.value) } : parsed;
  }

  readonly #onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    (event.currentTarget as HTMLFormElement).requestSubmit();
  };

  readonly #onKey = (event: Event) => {
    const key = (event.target as HTMLInputElement).value;
    const taken = this.session?.entries.some((entry) => entry.key === key) ?? false;
    this.keyProblem = taken ? refusalText({ code: "key-taken", message: "" }) : "";
  };

  readonly #onType = (event: Event) => {
    this.type = (event.target as HTMLSelectElement).value as NewType;
    this.valueProblem = "";
  };

  readonly #onValue = (event: Event) => {
    const { value } = event.target as HTMLInputElement;
    this.valueProblem = value === "" ? "" : (this.#parse(value).problem ?? "");
  };

  readonly #onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    const { session } = this;
    if (!session) return;
    const form = new FormData(event.target as HTMLFormElement);
    const key = String(form.get("key"));
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

declare global {
  interface HTMLElementTagNameMap {
    "gguf-add-entry": GgufAddEntry;
  }
}
