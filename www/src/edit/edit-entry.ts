import type { MetadataValue } from "gguf-wasm/explain";
import type { Editor, EntrySelector, NewType, NewValue } from "gguf-wasm/full";
import { isFloat } from "gguf-wasm/common/number-texts.js";
import { css, html, LitElement, nothing, type PropertyValues } from "lit";
import { property, state } from "lit/decorators.js";
import { live } from "lit/directives/live.js";
import { announce } from "../ui/announce.ts";
import { icons } from "../ui/icons.ts";
import { baseStyles } from "../ui/styles.ts";
import type { Companion } from "../metadata/companions.ts";
import type { ShownEntry } from "../gguf/shown-file.ts";
import { keyInfo } from "../gguf/library.ts";
import { refusalText } from "../gguf/error-texts.ts";
import type { Failure } from "../gguf/failure.ts";
import { isArray } from "../metadata/metadata-rows.ts";
import { elementTypeOf, emptyValue, newTypeOf, SCALAR_TYPES, type ScalarType } from "./new-values.ts";
import { escapeText } from "../ui/text.ts";
import type { ArrayTarget } from "./edit-array.ts";
import type { EditSession } from "./edit-session.ts";
import { editChoice } from "./edit-choice.ts";
import { editStyles } from "./edit-styles.ts";
import "./edit-token-id.ts";
import { editValue } from "./edit-value.ts";
import { tokenChoices } from "./token-choices.ts";
import { define } from "../ui/define.ts";
import "./edit-array.ts";

/** Keys whose values usually have several lines. */
const LONG = /chat_template|description|prompt|license$/;

/** The fields of an entry in edit mode: its key, type, position and value. */
export class GgufEditEntry extends LitElement {
  @property({ attribute: false }) session!: EditSession;
  @property({ attribute: false }) row!: ShownEntry;
  /** The initial search text in an array. */
  @property() query = "";
  @property({ attribute: false }) companions: readonly Companion[] = [];
  @state() private problem = "";
  /** The chosen type, if the value cannot be converted to it exactly. */
  @state() private refused: NewType | undefined;

  static override styles = [
    baseStyles,
    editStyles,
    css`
      :host {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: 10px;
        min-width: 0;
      }
      .key {
        flex: 1 1 calc(260 * var(--gguf-unit));
        max-width: calc(520 * var(--gguf-unit));
      }
      .choice {
        justify-items: start;
      }
      .choice select {
        max-width: 100%;
      }
      .places {
        display: flex;
        gap: 4px;
      }
      .gone {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 10px;
      }
    `,
  ];

  override willUpdate(changed: PropertyValues): void {
    if (!changed.has("row")) return;
    this.problem = "";
    this.refused = undefined;
  }

  get #label(): string {
    return escapeText(this.row.entry.key, 80);
  }

  get #type(): NewType {
    return newTypeOf(this.row.entry.type, this.row.entry.value);
  }

  override render() {
    const { row, session } = this;
    const { entry } = row;
    if (row.mark === "removed")
      return html`<div class="gone">
        <span class="hint">This entry is removed.</span>
        <button type="button" class="small" data-value-field @click=${this.#restore}>Restore</button>
        ${this.#renderProblem()}
      </div>`;
    const { value } = entry;
    return html`<div class="row-of">
        <label class="key"
          >Key<input
            type="text"
            class="mono"
            autocomplete="off"
            autocapitalize="off"
            spellcheck="false"
            .value=${session.drafts.get(this.#keyDraft) ?? escapeText(entry.key, 70_000)}
            @input=${this.#onKeyInput}
            @change=${this.#onKey}
            @keydown=${this.#onKeyKey}
        /></label>
        <label
          >Type<select class="type" aria-label="Type of ${this.#label}" @change=${this.#onType}>
            ${typesLike(this.#type).map((type) => html`<option .selected=${live(type === this.#type)}>${type}</option>`)}
          </select></label
        >
        <span class="places">
          <button
            type="button"
            class="icon"
            aria-label="Move ${this.#label} up"
            title="Move up"
            ?disabled=${row.position === 0}
            @click=${() => this.#move(-1)}
          >
            ${icons.up}
          </button>
          <button
            type="button"
            class="icon"
            aria-label="Move ${this.#label} down"
            title="Move down"
            ?disabled=${row.position === session.entries.length - 1}
            @click=${() => this.#move(1)}
          >
            ${icons.down}
          </button>
        </span>
        <button type="button" class="danger" aria-label="Remove ${this.#label}" @click=${this.#remove}>Remove</button>
      </div>
      ${this.#renderProblem()} ${this.#renderValue(value)}`;
  }

  #renderProblem() {
    if (this.problem === "") return nothing;
    return html`<div role="alert">
      <p class="problem">${this.problem}</p>
      ${
        this.refused === undefined
          ? nothing
          : html`<button type="button" class="small" @click=${this.#startOver}>
              Replace with an empty ${this.refused}
            </button>`
      }
    </div>`;
  }

  #renderValue(value: MetadataValue) {
    const { session, row, companions } = this;
    if (isArray(value))
      return html`<gguf-edit-array
        .array=${value}
        .label=${this.#label}
        .query=${this.query}
        .companions=${companions}
        .target=${this.#target}
        .drafts=${session.drafts}
        .draftId=${row.id}
      ></gguf-edit-array>`;
    const type = row.entry.type as ScalarType;
    const tokens = tokenChoices(row.entry, session.metadata);
    if (tokens)
      return html`<gguf-edit-token-id
        .value=${value}
        .type=${type}
        .choices=${tokens}
        .label=${`Value of ${this.#label}`}
        .apply=${(changed: NewValue) => this.#edit((editor, entry) => editor.set(entry, changed))}
        .drafts=${session.drafts}
        .draftId=${row.id}
      ></gguf-edit-token-id>`;
    const info = keyInfo(row.entry.key);
    const { values } = info ?? {};
    const choice =
      info && values && type !== "BOOL" && !isFloat(type)
        ? editChoice({ ...info, values }, { type, value, label: this.#label, apply: this.#choose })
        : nothing;
    return html`${choice}${editValue({
      type,
      value,
      label: `Value of ${this.#label}`,
      apply: (changed) => this.#edit((editor, entry) => editor.set(entry, changed)),
      drafts: session.drafts,
      draftId: row.id,
      stored: () => session.stringBytes(row),
      long: LONG.test(row.entry.key),
    })}`;
  }

  readonly #choose = (value: NewValue) => {
    const failure = this.#edit((editor, entry) => editor.set(entry, value));
    this.problem = failure ? refusalText(failure) : "";
  };

  /** Changes the entry of the row. Returns the reason if the change is refused. */
  #edit(change: (editor: Editor, entry: EntrySelector, position: number) => void): Failure | undefined {
    return this.session.editEntry(this.row, change);
  }

  readonly #target: ArrayTarget = {
    set: (index, value) => this.#edit((editor, entry) => editor.setElement(entry, index, value)),
    insert: (index, values) => this.#edit((editor, entry) => editor.insertElements(entry, index, values)),
    remove: (start, end) => this.#edit((editor, entry) => editor.removeElements(entry, start, end)),
  };

  /** The name of the draft of the key. A draft keeps typed text while the row is scrolled out of view. */
  get #keyDraft(): string {
    return `${this.row.id} key`;
  }

  readonly #onKeyInput = (event: Event) => {
    this.session.drafts.set(this.#keyDraft, (event.target as HTMLInputElement).value);
  };

  readonly #onKey = (event: Event) => {
    const input = event.target as HTMLInputElement;
    const { entry } = this.row;
    if (input.value === escapeText(entry.key, 70_000)) {
      this.session.drafts.delete(this.#keyDraft);
      return;
    }
    const failure = this.#edit((editor, entry) => editor.rename(entry, input.value));
    if (!failure) this.session.drafts.delete(this.#keyDraft);
    this.problem = failure ? refusalText(failure) : "";
    input.setAttribute("aria-invalid", String(failure !== undefined));
  };

  readonly #onKeyKey = (event: KeyboardEvent) => {
    const input = event.target as HTMLInputElement;
    const own = escapeText(this.row.entry.key, 70_000);
    if (event.key !== "Escape" || input.value === own) return;
    event.preventDefault();
    event.stopPropagation();
    input.value = own;
    this.session.drafts.delete(this.#keyDraft);
    input.setAttribute("aria-invalid", "false");
    this.problem = "";
  };

  readonly #onType = (event: Event) => {
    const select = event.target as HTMLSelectElement;
    const type = select.value as NewType;
    const failure = this.#edit((editor, entry) => editor.retype(entry, type));
    this.problem = failure ? refusalText(failure) : "";
    this.refused = failure ? type : undefined;
    if (failure) select.value = this.#type;
    else announce(this, `${this.#label} is ${type} now`);
  };

  readonly #startOver = () => {
    const type = this.refused;
    if (type === undefined) return;
    const failure = this.#edit((editor, entry) => editor.set(entry, emptyValue(type), type));
    this.problem = failure ? refusalText(failure) : "";
    this.refused = undefined;
  };

  #move(by: number): void {
    const failure = this.#edit((editor, entry, position) => editor.move(entry, position + by));
    this.problem = failure ? refusalText(failure) : "";
    if (!failure) announce(this, `${this.#label} moved ${by < 0 ? "up" : "down"}`);
  }

  readonly #remove = () => {
    const label = this.#label;
    const failure = this.#edit((editor, entry) => editor.remove(entry));
    this.problem = failure ? refusalText(failure) : "";
    if (!failure) announce(this, `${label} removed`);
  };

  readonly #restore = () => {
    const failure = this.session.restore(this.row);
    this.problem = failure ? refusalText(failure) : "";
    if (!failure) announce(this, `${this.#label} restored`);
  };
}

define("gguf-edit-entry", GgufEditEntry);

/** The types that the menu offers for a value of a type: the scalar types, or the array types. */
function typesLike(type: NewType): NewType[] {
  const element = elementTypeOf(type);
  const types: NewType[] =
    element === undefined ? [...SCALAR_TYPES] : SCALAR_TYPES.map((scalar) => `${scalar}[]` satisfies NewType);
  return types.includes(type) ? types : [type, ...types];
}
