import type { MetadataArray, MetadataValue } from "gguf-wasm/explain";
import type { NewValue } from "gguf-wasm/full";
import { css, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import { GgufArrayView } from "../metadata/array-view.ts";
import { announce } from "../ui/announce.ts";
import { exactElements } from "./array-values.ts";
import { refusalText } from "../gguf/error-texts.ts";
import type { Failure } from "../gguf/failure.ts";
import { formatCount, formatId } from "../ui/numbers.ts";
import { elementsOf, parseElements, type ScalarType } from "./new-values.ts";
import type { Apply } from "./edit-control.ts";
import { editStyles } from "./edit-styles.ts";
import { editValue } from "./edit-value.ts";
import { define } from "../ui/define.ts";

/** Changes the elements of an array. Each method returns the reason if the change is refused. */
export interface ArrayTarget {
  set(index: number, value: NewValue): Failure | undefined;
  insert(index: number, values: NewValue): Failure | undefined;
  remove(start: number, end: number): Failure | undefined;
}

/** An editor for the elements of an array of any length. The controls of an element are below its row. */
export class GgufEditArray extends GgufArrayView {
  @property({ attribute: false }) target!: ArrayTarget;
  @property({ attribute: false }) drafts: Map<string, string> = new Map();
  @property({ attribute: false }) draftId = "";
  /** The index at which the form inserts elements. Undefined if the form is closed. */
  @state() private inserting: number | undefined;
  @state() private problem = "";

  #length = 0;

  static override styles = [
    ...GgufArrayView.styles,
    editStyles,
    css`
      .element-body {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: 8px;
        padding: 8px 10px 10px 24px;
      }
      form {
        display: grid;
        flex-basis: 100%;
        gap: 8px;
      }
      form input {
        width: 9em;
      }
    `,
  ];

  protected override canOpen(row: number): boolean {
    return row < this.rowCount;
  }
  protected override get expands(): boolean {
    return true;
  }

  protected override get editsRows(): boolean {
    return true;
  }

  /** The keys of the drafts of the form: the typed elements and their index. Drafts survive when the row is scrolled out of view. */
  get #textDraft(): string {
    return `${this.draftId} insert`;
  }
  get #placeDraft(): string {
    return `${this.draftId} insert at`;
  }

  override willUpdate(changed: PropertyValues): void {
    if (!this.hasUpdated) {
      const at = this.drafts.get(this.#placeDraft);
      if (at !== undefined) this.inserting = Number(at);
    }
    // Elements were inserted or removed, so the indices of open rows now belong to other elements.
    if (changed.has("array") && this.#length !== this.array.length) this.open.clear();
    this.#length = this.array.length;
    super.willUpdate(changed);
  }

  protected override get tools(): TemplateResult | typeof nothing {
    const at = this.inserting;
    return html`${
        at === undefined
          ? html`<button type="button" class="small" @click=${() => this.#begin(this.array.length)}>
              Add elements
            </button>`
          : html`<form @submit=${this.#onInsert} @keydown=${this.#onFormKey}>
              <label
                >Insert before element<input
                  name="at"
                  type="number"
                  required
                  min="0"
                  max=${this.array.length}
                  step="1"
                  .value=${String(at)}
                  @input=${this.#onPlace}
              /></label>
              ${
                this.array.elementType === "ARRAY"
                  ? html`<p class="hint">Inserts an empty array. Open its row to add elements.</p>`
                  : html`<label
                      >New elements, one per line<textarea
                        name="elements"
                        rows="3"
                        spellcheck="false"
                        autocapitalize="off"
                        .value=${this.drafts.get(this.#textDraft) ?? ""}
                        @input=${this.#onElements}
                      ></textarea>
                    </label>`
              }
              <div class="row-of">
                <button type="submit" class="small primary">Insert</button>
                <button type="button" class="small" @click=${this.#cancel}>Cancel</button>
              </div>
            </form>`
      }
      <p class="problem" role="alert" ?hidden=${this.problem === ""}>${this.problem}</p>`;
  }

  protected override renderDetail(row: number) {
    const index = this.indexOf(row);
    const value = this.array.at(index);
    if (value === undefined) return html``;
    const label = `${this.label}, element ${formatId(index)}`;
    return html`<div class="element-body">
      ${this.#renderControl(index, value, label)}
      <div class="row-of">
        <button type="button" class="small" @click=${() => this.#begin(index)}>Insert before</button>
        <button type="button" class="small" @click=${() => this.#begin(index + 1)}>Insert after</button>
        <button type="button" class="small danger" aria-label="Remove ${label}" @click=${() => this.#remove(index)}>
          Remove
        </button>
      </div>
    </div>`;
  }

  #renderControl(index: number, value: MetadataValue, label: string) {
    const { elementType } = this.array;
    const draftId = `${this.draftId}[${index}]`;
    const apply: Apply = (changed) => this.target.set(index, changed);
    if (typeof value === "object")
      return html`<gguf-edit-array
        .array=${value}
        .label=${label}
        .target=${innerTarget(value, apply)}
        .drafts=${this.drafts}
        .draftId=${draftId}
      ></gguf-edit-array>`;
    return editValue({
      type: elementType as ScalarType,
      value,
      label,
      apply,
      drafts: this.drafts,
      draftId,
      stored: () => this.array.bytes(index),
    });
  }

  #begin(index: number): void {
    this.inserting = index;
    this.drafts.set(this.#placeDraft, String(index));
    this.problem = "";
    void this.updateComplete.then(() =>
      (
        this.renderRoot.querySelector<HTMLElement>("form textarea") ??
        this.renderRoot.querySelector<HTMLElement>("form input")
      )?.focus(),
    );
  }

  #endInsertion(): void {
    this.inserting = undefined;
    this.drafts.delete(this.#textDraft);
    this.drafts.delete(this.#placeDraft);
  }

  readonly #onPlace = (event: Event) => {
    this.drafts.set(this.#placeDraft, (event.target as HTMLInputElement).value);
  };

  readonly #cancel = () => {
    this.#endInsertion();
    this.problem = "";
    this.scroller?.focus();
  };

  readonly #onFormKey = (event: KeyboardEvent) => {
    if (event.key === "Escape") {
      event.preventDefault();
      event.stopPropagation();
      this.#cancel();
    } else if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      (event.currentTarget as HTMLFormElement).requestSubmit();
    }
  };

  readonly #onElements = (event: Event) => {
    const { elementType } = this.array;
    const { value } = event.target as HTMLTextAreaElement;
    this.drafts.set(this.#textDraft, value);
    const parsed = parseElements(elementType as ScalarType, value);
    this.problem = parsed.problem ?? "";
  };

  readonly #onInsert = (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.target as HTMLFormElement);
    const at = Number(form.get("at"));
    const { elementType } = this.array;
    let values: NewValue;
    let count = 1;
    if (elementType === "ARRAY") {
      const first = this.array.at(0);
      const inner = typeof first === "object" && first.elementType !== "ARRAY" ? elementsOf(first.elementType, []) : [];
      values = [inner];
    } else {
      // `FormData` has CR LF as line breaks.
      const parsed = parseElements(elementType, String(form.get("elements")).replaceAll("\r\n", "\n"));
      if (parsed.problem !== undefined) {
        this.problem = parsed.problem;
        return;
      }
      // In an array of strings, an empty text is one empty string.
      const typed = parsed.value.length === 0 && elementType === "STRING" ? [""] : parsed.value;
      count = typed.length;
      values = elementsOf(elementType, typed);
    }
    if (!this.#succeeded(this.target.insert(at, values))) return;
    this.#endInsertion();
    announce(this, `${formatCount(count, "element")} inserted`);
    void this.updateComplete.then(() => this.goTo(at));
    this.scroller?.focus();
  };

  #remove(index: number): void {
    if (!this.#succeeded(this.target.remove(index, index + 1))) return;
    announce(this, `Element ${formatId(index)} removed`);
    this.scroller?.focus();
  }

  #succeeded(failure: Failure | undefined): boolean {
    this.problem = failure ? refusalText(failure) : "";
    return failure === undefined;
  }
}

define("gguf-edit-array", GgufEditArray);

/** Changes an array inside another array. Each change sets the whole inner array. */
function innerTarget(array: MetadataArray, apply: Apply): ArrayTarget {
  const changed = (change: (elements: NewValue[]) => void) => {
    const elements = exactElements(array);
    change(elements);
    const { elementType } = array;
    // A plain list can contain both strings and bytes.
    return apply(elementType === "ARRAY" ? elements : elementsOf(elementType, elements));
  };
  return {
    set: (index, value) => changed((elements) => void (elements[index] = value)),
    insert: (index, values) => changed((elements) => void elements.splice(index, 0, ...(values as NewValue[]))),
    remove: (start, end) => changed((elements) => void elements.splice(start, end - start)),
  };
}
