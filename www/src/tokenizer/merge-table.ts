import type { MetadataArray, TokenSpelling } from "gguf-wasm/explain";
import { css, html, type PropertyValues } from "lit";
import { property, state } from "lit/decorators.js";
import { announce } from "../ui/announce.ts";
import { define } from "../ui/define.ts";
import "../ui/density-button.ts";
import { formatCount, formatId, formatInteger } from "../ui/numbers.ts";
import { renderText } from "../ui/render-text.ts";
import { RowTable } from "../ui/row-table.ts";
import { renderSearchField } from "../ui/search-field.ts";
import { baseStyles } from "../ui/styles.ts";
import { tableStyles } from "../ui/table-styles.ts";
import { findMerges, mergeParts } from "./merges.ts";
import { bytesOf } from "./spelling.ts";
import { renderTokenText } from "./token-text.ts";
import { tokenStyles } from "./token-styles.ts";

/** The merges of a byte-pair vocabulary, in the order in which they are tried. */
export class GgufMergeTable extends RowTable {
  @property({ attribute: false }) merges!: MetadataArray;
  /** How the merges spell bytes. */
  @property({ attribute: false }) spelling!: TokenSpelling;
  @state() private query = "";
  /** The ranks of the rows. Undefined for all merges. */
  @state() private ranks: Uint32Array | undefined;
  @state() private searching = false;

  #search: AbortController | undefined;

  static override styles = [
    baseStyles,
    tableStyles,
    tokenStyles,
    css`
      .columns {
        grid-template-columns: calc(80 * var(--gguf-unit)) repeat(3, minmax(0, 1fr));
      }
      .narrow .columns {
        grid-template-columns: calc(64 * var(--gguf-unit)) repeat(2, minmax(0, 1fr));
        column-gap: 10px;
      }
    `,
  ];

  protected get rowCount(): number {
    return this.ranks?.length ?? this.merges.length;
  }
  protected get rowHeight(): number {
    return this.isDense ? 26 : 36;
  }
  #rank(row: number): number {
    return this.ranks?.[row] ?? row;
  }
  #stored(row: number): string {
    const entry = this.merges.at(this.#rank(row));
    return typeof entry === "string" ? entry : "";
  }
  protected keyOf(row: number): string {
    return String(this.#rank(row));
  }
  protected canOpen(): boolean {
    return false;
  }
  protected get expands(): boolean {
    return false;
  }
  protected rowClass(): string {
    return "";
  }
  protected rowLevel(): number {
    return 1;
  }
  protected textToCopy(row: number): string {
    return this.#stored(row);
  }
  protected onActivated(): void {}
  protected renderDetail() {
    return html``;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#search?.abort();
  }

  override willUpdate(changed: PropertyValues): void {
    if (changed.has("merges") || changed.has("query")) void this.#find();
    if (changed.has("merges") || changed.has("ranks")) this.rowsChanged();
  }

  async #find(): Promise<void> {
    this.#search?.abort();
    const { signal } = (this.#search = new AbortController());
    this.searching = this.query !== "";
    if (this.query === "") {
      this.ranks = undefined;
      return;
    }
    try {
      this.ranks = await findMerges(this.merges, this.query, this.spelling, signal);
    } catch (error) {
      if (signal.aborted) return;
      throw error;
    }
    this.searching = false;
    this.active = -1;
    this.rows.scrollToTop();
    announce(this, `${formatCount(this.ranks.length, "merge")} found`);
  }

  override render() {
    return html`<div class="toolbar">
        ${renderSearchField({
          label: "Search merges",
          placeholder: `Search ${formatCount(this.merges.length, "merge")}`,
          text: this.query,
          search: (text) => (this.query = text),
        })}
        <span class="count" role="status">${this.#countWords()}</span>
        <gguf-density-button></gguf-density-button>
      </div>
      <div class=${this.narrow ? "wrap narrow" : "wrap"}>
        ${this.renderGrid({
          label: "Merges",
          head: html`<span role="columnheader" class="id" title="Pairs with a lower rank are joined first">Rank</span
            ><span role="columnheader">First part</span><span role="columnheader">Second part</span>${
              this.narrow ? "" : html`<span role="columnheader">Together</span>`
            }`,
          columns: this.narrow ? 3 : 4,
          empty: this.searching ? "Searching…" : "No merge matches.",
        })}
      </div>`;
  }

  #countWords(): string {
    if (this.searching) return "Searching…";
    return this.ranks ? `${formatInteger(this.ranks.length)} of ${formatInteger(this.merges.length)}` : "";
  }

  protected renderCells(row: number) {
    const parts = mergeParts(this.#stored(row));
    const cell = (stored: string) =>
      html`<span role="gridcell" class="token">${renderTokenText(bytesOf(stored, undefined, this.spelling))}</span>`;
    const rank = html`<span role="rowheader" class="id">${formatId(this.#rank(row))}</span>`;
    if (parts === undefined)
      return html`${rank}<span role="gridcell" class="token">${renderText(this.#stored(row), { limit: 400 })}</span
        ><span role="gridcell" class="none">not a pair</span>${this.narrow ? "" : html`<span role="gridcell"></span>`}`;
    return html`${rank}${cell(parts[0])}${cell(parts[1])}${this.narrow ? "" : cell(parts[0] + parts[1])}`;
  }
}

define("gguf-merge-table", GgufMergeTable);
