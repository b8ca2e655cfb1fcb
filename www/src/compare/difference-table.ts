import type { Comparison } from "gguf-wasm/full";
import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import { announce } from "../ui/announce.ts";
import "../ui/density-button.ts";
import { formatCount, formatInteger } from "../ui/numbers.ts";
import { RowTable } from "../ui/row-table.ts";
import { renderSearchField } from "../ui/search-field.ts";
import { renderSortHead } from "../ui/sort-head.ts";
import { DifferenceList } from "./difference-list.ts";
import type { Side } from "./sides.ts";
import { type Change, CHANGE_TITLES } from "./words.ts";

/** An entry or a tensor by which the page around the viewer makes a link. */
export interface RowName {
  key?: string;
  tensor?: string;
}

/** The address of a link that opens another file at a row. */
export type RowLink = (address: string, row: RowName) => string;

/** The order of the rows: that of the files, or by a column. */
export interface DifferenceOrder {
  column: string;
  isDescending: boolean;
}

/** A column by which rows can be sorted. */
export interface SortColumn<T> {
  /** What rows are sorted by. Rows without a key come last. */
  keyOf: (difference: T) => number | string | undefined;
  /** Whether the first click sorts the largest first. */
  isLargestFirst: boolean;
}

/** The differences of a comparison: filtered by kind and text, sorted, each with a detail. Only visible rows are read and rendered. */
export abstract class DifferenceTable<
  Kind extends Change,
  T extends { readonly change: Kind; readonly isMoved: boolean },
> extends RowTable {
  @property({ attribute: false }) comparison!: Comparison;
  @property({ attribute: false }) a!: Side;
  @property({ attribute: false }) b!: Side;
  /** Undefined if the page around the viewer has no links to files. */
  @property({ attribute: false }) rowLink: RowLink | undefined;
  @state() private text = "";
  /** The kinds that are shown. Empty for all. */
  @state() private kinds: ReadonlySet<Kind> = new Set();
  @state() private order: DifferenceOrder | undefined;
  /** The differences that are listed, in their order. Undefined for all, in the order of the files. */
  @state() private indices: Uint32Array | undefined;
  /** Whether rows are being searched or sorted. */
  @state() private isBusy = false;

  #list: DifferenceList<T> = new DifferenceList<T>(0, () => []);
  #search: AbortController | undefined;

  /** What a row is: `entry`. */
  protected abstract readonly noun: { readonly one: string; readonly many: string };
  protected abstract readonly allKinds: readonly Kind[];
  /** Whether a deeper comparison has the same rows. */
  protected get keepsRows(): boolean {
    return false;
  }
  protected abstract get sortColumns(): Readonly<Record<string, SortColumn<T>>>;
  protected abstract listOf(comparison: Comparison): DifferenceList<T>;
  protected abstract countOf(kind: Kind): number;
  /** The names that the text filter searches, in lower case. */
  protected abstract namesOf(difference: T): readonly string[];
  protected abstract renderTable(): TemplateResult;

  protected get rowCount(): number {
    return this.indices?.length ?? this.#list.count;
  }
  protected indexOf(row: number): number {
    return this.indices?.[row] ?? row;
  }
  protected differenceAt(row: number): T | undefined {
    return this.#list.at(this.indexOf(row));
  }
  protected keyOf(row: number): string {
    return String(this.indexOf(row));
  }
  /** The base class would ask for the key of each row. There may be a million. */
  protected override openRows(): number[] {
    const open = [...this.open].map(Number);
    const { indices } = this;
    const rows = indices ? open.map((index) => indices.indexOf(index)).filter((row) => row >= 0) : open;
    return rows.sort((a, b) => a - b);
  }
  protected canOpen(): boolean {
    return true;
  }
  protected get expands(): boolean {
    return true;
  }
  protected rowLevel(): number {
    return 1;
  }
  protected rowClass(row: number): string {
    return this.differenceAt(row)?.change ?? "";
  }
  protected onActivated(): void {}

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#search?.abort();
  }

  override willUpdate(changed: PropertyValues): void {
    if (changed.has("comparison")) {
      this.#list = this.listOf(this.comparison);
      // A deeper comparison of the same files has the same entries.
      if (!this.keepsRows || changed.has("a") || changed.has("b")) {
        this.open.clear();
        this.active = -1;
      }
      this.indices = undefined;
      this.kinds = new Set([...this.kinds].filter((kind) => this.countOf(kind) > 0));
      if (this.order && !(this.order.column in this.sortColumns)) this.order = undefined;
      this.rowsChanged();
    }
    if (["comparison", "text", "kinds", "order"].some((name) => changed.has(name))) void this.#select();
  }

  /** Filters and sorts the rows. */
  async #select(): Promise<void> {
    this.#search?.abort();
    const { signal } = (this.#search = new AbortController());
    const isSame = () => !signal.aborted;
    const { order } = this;
    this.isBusy = true;
    try {
      const found = this.#isFiltered ? await this.#list.find(this.#matches, signal) : undefined;
      const column = order && this.sortColumns[order.column];
      const sorted = column ? await this.#list.sort(found, column.keyOf, order.isDescending, signal) : found;
      if (!isSame()) return;
      const isOther = sorted !== undefined || this.indices !== undefined;
      this.indices = sorted;
      if (isOther) this.#reset();
    } catch (error) {
      if (isSame()) throw error;
    } finally {
      if (isSame()) this.isBusy = false;
    }
  }

  #reset(): void {
    this.active = -1;
    this.rowsChanged();
    this.rows.scrollToTop();
    announce(this, `${formatCount(this.rowCount, this.noun.one, this.noun.many)} shown`);
  }

  get #isFiltered(): boolean {
    return this.kinds.size > 0 || this.text.trim() !== "";
  }

  get #matches(): (difference: T) => boolean {
    const { kinds } = this;
    const words = this.text.toLowerCase().split(/\s+/).filter(Boolean);
    const isMovedWanted = (kinds as ReadonlySet<Change>).has("moved");
    return (difference) => {
      if (kinds.size > 0 && !kinds.has(difference.change) && !(isMovedWanted && difference.isMoved)) return false;
      const names = this.namesOf(difference);
      return words.every((word) => names.some((name) => name.includes(word)));
    };
  }

  override render() {
    const kinds = this.allKinds.filter((kind) => this.countOf(kind) > 0);
    const all = this.#list.count;
    return html`<div class="toolbar ${this.narrow ? "narrow" : ""}">
        ${renderSearchField({
          label: `Filter ${this.noun.many}`,
          placeholder: `Filter ${formatCount(all, this.noun.one, this.noun.many)}`,
          text: this.text,
          search: (text) => (this.text = text),
        })}
        <span class="count" role="status"
          >${this.isBusy ? "Searching…" : this.indices ? `${formatInteger(this.rowCount)} of ${formatInteger(all)}` : ""}</span
        >
        ${this.narrow ? html`<gguf-density-button></gguf-density-button>` : nothing}
        ${
          kinds.length > 1
            ? html`<div class="choices" role="group" aria-label="Filter by kind">
                ${kinds.map(
                  (kind) =>
                    html`<button
                      type="button"
                      class="quiet"
                      aria-pressed=${this.kinds.has(kind)}
                      @click=${() => this.#toggleKind(kind)}
                    >
                      ${CHANGE_TITLES[kind]}<span class="many">${formatInteger(this.countOf(kind))}</span>
                    </button>`,
                )}
              </div>`
            : nothing
        }
        ${this.narrow ? nothing : html`<gguf-density-button></gguf-density-button>`}
      </div>
      <div class="wrap ${this.narrow ? "narrow" : this.medium ? "medium" : ""}">${this.renderTable()}</div>`;
  }

  /** Shows the rows with some words in their names, of all kinds, and moves the focus to them. */
  async search(text: string): Promise<void> {
    this.kinds = new Set();
    this.text = text;
    await this.updateComplete;
    this.focusRows();
  }

  #toggleKind(kind: Kind): void {
    const kinds = new Set(this.kinds);
    if (!kinds.delete(kind)) kinds.add(kind);
    this.kinds = kinds;
  }

  /** A column header. It sorts if the column can be sorted by. */
  protected renderHead(column: string, title: string, isNumber = false) {
    const sorts = this.sortColumns[column];
    if (!sorts) return html`<span role="columnheader" class=${isNumber ? "number" : ""}>${title}</span>`;
    const { order } = this;
    return renderSortHead({
      title,
      direction: order?.column !== column ? undefined : order.isDescending ? "descending" : "ascending",
      sort: () => this.#sort(column, sorts),
      name: isNumber ? "number" : "",
    });
  }

  /** The first click sorts, the second reverses, and the third gives the order of the files back. */
  #sort(column: string, { isLargestFirst }: SortColumn<T>): void {
    const { order } = this;
    if (order?.column !== column) this.order = { column, isDescending: isLargestFirst };
    else if (order.isDescending === isLargestFirst) this.order = { column, isDescending: !isLargestFirst };
    else this.order = undefined;
  }

  /** The buttons and links that lead to a row in both files. `place` is the position of the row in a side. */
  protected renderPlaces(a: { name: RowName; index: number } | undefined, b: typeof a) {
    const places = [
      { side: this.a, label: "A", place: a },
      { side: this.b, label: "B", place: b },
    ];
    return html`<div class="places">
      ${places.map(({ side, label, place }) => (place ? this.#renderPlace(side, label, place) : nothing))}
    </div>`;
  }

  #renderPlace(side: Side, label: string, { name, index }: { name: RowName; index: number }) {
    if (side.role === "open" || side.role === "edited")
      return html`<button type="button" class="small" @click=${() => this.#showRow({ ...name, index })}>
        Show in ${label}, ${side.role === "open" ? "this file" : "the edited file"}
      </button>`;
    const { address } = side;
    const link = address === undefined ? undefined : this.rowLink?.(address, name);
    return link === undefined
      ? nothing
      : html`<a class="button small" href=${link}>Open ${label} at this ${this.noun.one}</a>`;
  }

  #showRow(detail: RowName & { index: number }): void {
    this.dispatchEvent(new CustomEvent("gguf-show-row", { detail, bubbles: true, composed: true }));
  }
}
