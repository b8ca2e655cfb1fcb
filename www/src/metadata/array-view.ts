import type { MetadataArray, MetadataValue } from "gguf-wasm/explain";
import { css, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import { type Companion, companionText } from "./companions.ts";
import { formatCount, formatId, formatInteger } from "../ui/numbers.ts";
import { arrayLabel, arrayPreview, copyText, isArray, searchArray, valueText } from "./metadata-rows.ts";
import { announce } from "../ui/announce.ts";
import { renderText } from "../ui/render-text.ts";
import { icons } from "../ui/icons.ts";
import { RowTable } from "../ui/row-table.ts";
import { baseStyles } from "../ui/styles.ts";
import { renderSearchField } from "../ui/search-field.ts";
import { tableStyles } from "../ui/table-styles.ts";
import { define } from "../ui/define.ts";

/** The elements of an array of any length, with a search and a jump to an index. Elements that are arrays open below their row. */
export class GgufArrayView extends RowTable {
  @property({ attribute: false }) array!: MetadataArray;
  /** The name of the array for screen readers. */
  @property() label = "";
  /** The text to search for at first. */
  @property() query = "";
  @property({ attribute: false }) companions: readonly Companion[] = [];
  /** The indices of the matching elements; undefined shows all elements. */
  @state() private found: readonly number[] | undefined;
  @state() private searching = false;

  #search: AbortController | undefined;

  static override styles = [
    baseStyles,
    tableStyles,
    css`
      :host {
        border: 1px solid var(--gguf-line);
        border-radius: 6px;
        overflow: hidden;
        background: var(--gguf-surface);
      }
      .toolbar {
        padding: 8px;
        background: var(--gguf-sunken);
      }
      .goto {
        width: calc(128 * var(--gguf-unit));
      }
      .columns {
        grid-template-columns: var(--columns);
        column-gap: 12px;
        padding: 0 10px;
      }
      .head .columns {
        height: calc(28 * var(--gguf-unit));
      }
      .index {
        color: var(--gguf-ink-3);
        text-align: end;
        font-size: var(--gguf-text-small);
      }
      .element {
        font-family: var(--gguf-mono);
        font-size: var(--gguf-text-dense);
      }
      .element.text bdi {
        padding: 1px 3px;
        border-radius: 3px;
        background: color-mix(in oklab, var(--gguf-string) 9%, transparent);
        color: var(--gguf-string);
        white-space: pre;
      }
      .companion {
        text-align: end;
        color: var(--gguf-ink-2);
        font-size: var(--gguf-text-small);
      }
      .nested {
        padding: 0 10px 10px 24px;
      }
      /* At its ends, the scroller passes scrolling on to the list around it. */
      .scroller {
        overscroll-behavior: auto;
      }
      .row {
        border-bottom-color: color-mix(in oklab, var(--gguf-line) 55%, transparent);
      }
    `,
  ];

  protected get rowCount(): number {
    return this.found?.length ?? this.array.length;
  }
  protected get rowHeight(): number {
    return this.isDense ? 26 : 32;
  }
  protected override get narrowBelow(): number {
    return 420;
  }
  protected indexOf(row: number): number {
    return this.found?.[row] ?? row;
  }
  protected keyOf(row: number): string {
    return String(this.indexOf(row));
  }
  /** The base class would ask for the key of each row; an array may have a hundred thousand. */
  protected override openRows(): number[] {
    const indices = [...this.open].map(Number).sort((a, b) => a - b);
    return this.found ? indices.map((index) => this.found?.indexOf(index) ?? -1).filter((row) => row >= 0) : indices;
  }
  /** Further controls for the toolbar. */
  protected get tools(): TemplateResult | typeof nothing {
    return nothing;
  }
  protected canOpen(row: number): boolean {
    return this.array.elementType === "ARRAY" && row < this.rowCount;
  }
  protected rowClass(): string {
    return "";
  }
  protected rowLevel(): number {
    return 1;
  }
  protected get expands(): boolean {
    return this.array.elementType === "ARRAY";
  }
  protected onActivated(): void {}
  protected textToCopy(row: number): string | undefined {
    const value = this.array.at(this.indexOf(row));
    return value === undefined ? undefined : copyText(value, this.array.elementType);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#search?.abort();
  }

  override willUpdate(changed: PropertyValues): void {
    if (changed.has("array") || changed.has("query")) void this.#find();
    if (changed.has("array") || changed.has("found")) this.rowsChanged();
  }

  /** Clears the search and shows the element with an index. */
  goTo(index: number): void {
    this.query = "";
    this.found = undefined;
    this.#search?.abort();
    void this.show(Math.max(0, Math.min(index, this.array.length - 1)));
  }

  async #find(): Promise<void> {
    this.#search?.abort();
    const search = new AbortController();
    this.#search = search;
    if (this.query === "") {
      this.found = undefined;
      this.searching = false;
      return;
    }
    this.searching = true;
    this.active = -1;
    try {
      const all = await searchArray(this.array, this.query, search.signal, (indices) => {
        this.found = indices.slice();
      });
      this.found = all;
      announce(this, `${formatCount(all.length, "match", "matches")} in ${this.label}`);
    } catch (error) {
      if (!search.signal.aborted) throw error;
    } finally {
      if (this.#search === search) this.searching = false;
    }
  }

  override render() {
    const { array } = this;
    const companions = this.narrow ? [] : this.companions;
    const tall =
      Math.min(this.rowCount, 12) * this.px(this.rowHeight) +
      this.px((companions.length > 0 ? 29 : 0) + (this.open.size > 0 ? 240 : 0));
    // Each row is a grid of its own, so the widest index sets the width of the column.
    const indexWidth = `${formatId(array.length).length + 1}ch`;
    const head =
      companions.length === 0
        ? nothing
        : html`<span role="columnheader" class="index">#</span><span role="columnheader">Element</span>${companions.map(
              (companion) => html`<span role="columnheader" class="companion">${companion.label}</span>`,
            )}`;
    const { tools } = this;
    const long = array.length > 12 || this.query !== "";
    return html`
      ${long || tools !== nothing ? html`<div class="toolbar">${long ? this.#renderSearch() : nothing}${tools}</div>` : nothing}
      <div
        .style=${`display:flex;flex-direction:column;height:${Math.max(tall, this.rowCount === 0 ? this.px(80) : 0)}px;--columns:${indexWidth} minmax(0,1fr)${" calc(100 * var(--gguf-unit))".repeat(companions.length)}`}
      >
        ${this.renderGrid({
          label: `Elements of ${this.label}`,
          head,
          columns: 2 + companions.length,
          empty: this.searching
            ? "Searching…"
            : array.length === 0
              ? "The array is empty."
              : "No matches in this array.",
        })}
      </div>
    `;
  }

  #renderSearch() {
    const { array } = this;
    return html`${renderSearchField({
        label: `Search in ${this.label}`,
        placeholder: `Search in ${formatCount(array.length, "element")}`,
        text: this.query,
        search: this.#onQuery,
        onKey: this.#onSearchKey,
        hasShortcut: false,
      })}
      <input
        class="goto"
        type="number"
        min="0"
        max=${array.length - 1}
        placeholder="Go to #"
        aria-label="Go to element number"
        @change=${this.#onGoTo}
        @keydown=${this.#onGoToKey}
      />
      <span class="count">${this.#countWords()}</span>`;
  }

  #countWords(): string {
    if (this.found === undefined) return this.searching ? "Searching…" : "";
    return `${formatInteger(this.found.length)}${this.searching ? "+" : ""} of ${formatInteger(this.array.length)}`;
  }

  protected renderCells(row: number) {
    const index = this.indexOf(row);
    const value = this.array.at(index);
    const companions = this.narrow ? [] : this.companions;
    return html`<span role="rowheader" class="index">${formatId(index)}</span
      >${value === undefined ? html`<span role="gridcell"></span>` : this.#renderValue(value)}${companions.map(
        (companion) => html`<span role="gridcell" class="companion">${companionText(companion, index)}</span>`,
      )}`;
  }

  #renderValue(value: MetadataValue) {
    const highlight = this.query.toLowerCase();
    if (typeof value === "string") {
      return html`<span role="gridcell" class="element text">${renderText(value, { limit: 400, highlight })}</span>`;
    }
    if (isArray(value)) {
      const preview = arrayPreview(value, 120);
      return html`<span role="gridcell" class="element"
        ><span class="chevron">${icons.chevron}</span>
        <span class="type">${arrayLabel(value)}</span>
        ${renderText(preview.items.join(", "))}${preview.rest > 0 ? " …" : nothing}</span
      >`;
    }
    return html`<span role="gridcell" class="element ${typeof value === "boolean" ? "value-boolean" : "value-number"}"
      >${valueText(value, this.array.elementType)}</span
    >`;
  }

  protected renderDetail(row: number) {
    const value = this.array.at(this.indexOf(row));
    if (value === undefined || !isArray(value)) return html``;
    return html`<div class="nested">
      <gguf-array-view .array=${value} label="${this.label}[${this.indexOf(row)}]"></gguf-array-view>
    </div>`;
  }

  readonly #onQuery = (query: string) => {
    this.query = query;
    this.rows.scrollToTop();
  };

  readonly #onSearchKey = (event: KeyboardEvent) => {
    if (event.key === "Escape" && this.query !== "") {
      this.query = "";
      event.preventDefault();
    } else if (event.key === "Enter" && this.found?.[0] !== undefined) {
      // Enter leads from the list of matches to the first match among its neighbours.
      this.goTo(this.found[0]);
      this.scroller?.focus();
    }
  };

  readonly #onGoTo = (event: Event) => {
    const input = event.target as HTMLInputElement;
    if (input.value !== "" && Number.isFinite(input.valueAsNumber)) this.goTo(Math.trunc(input.valueAsNumber));
  };

  /** The event `change` does not fire if the same number is entered again. */
  readonly #onGoToKey = (event: KeyboardEvent) => {
    if (event.key === "Enter") this.#onGoTo(event);
  };
}

define("gguf-array-view", GgufArrayView);
