import type { Gguf, MetadataArray, MetadataEntry } from "gguf-wasm";
import { html, nothing, type PropertyValues } from "lit";
import { companionsOf } from "../logic/companions.ts";
import { counted, grouped, hex } from "../logic/format.ts";
import {
  arrayPreview,
  copyText,
  entryMatches,
  isArray,
  type MetadataRow,
  metadataRows,
  searchArray,
  searchWords,
  sectionOf,
  typeLabel,
  valueText,
} from "../logic/metadata-rows.ts";
import { visible } from "../logic/text.ts";
import { announce } from "./copy-button.ts";
import { fileText, fileTextOrLink } from "./file-text.ts";
import { icons } from "./icons.ts";
import { RowTable } from "./row-table.ts";
import { base } from "./styles.ts";
import { metadataTableStyles } from "./metadata-table-styles.ts";
import { tableStyles } from "./table-styles.ts";

/** Every key and value in file order, with the search that also looks into arrays. */
export class GgufMetadataTable extends RowTable {
  static override properties = {
    ...RowTable.properties,
    gguf: { attribute: false },
    query: { state: true },
    offsets: { state: true },
    inside: { state: true },
    looking: { state: true },
  };

  declare gguf: Gguf;
  declare private query: string;
  declare private offsets: boolean;
  /** How many elements of an array match, by the entry's index. */
  declare private inside: ReadonlyMap<number, number>;
  declare private looking: boolean;

  #rows: MetadataRow[] = [];
  #shownEntries = 0;
  #search: AbortController | undefined;

  constructor() {
    super();
    this.query = "";
    this.offsets = false;
    this.inside = new Map();
    this.looking = false;
  }

  static override styles = [base, tableStyles, metadataTableStyles];

  protected get rowCount(): number {
    return this.#rows.length;
  }
  protected get rowHeight(): number {
    return this.narrow ? 52 : 34;
  }
  protected override get narrowBelow(): number {
    return 640;
  }
  protected keyOf(row: number): string {
    const shown = this.#rows[row];
    return shown?.kind === "entry" ? String(shown.entry.index) : `section ${row} ${shown?.name}`;
  }
  protected canOpen(row: number): boolean {
    return this.#rows[row]?.kind === "entry";
  }
  protected rowClass(row: number): string {
    return this.#rows[row]?.kind === "section" ? "section" : "";
  }
  protected rowLevel(): number {
    return 1;
  }
  protected get expands(): boolean {
    return true;
  }
  protected copyOf(row: number): string | undefined {
    const shown = this.#rows[row];
    return shown?.kind === "entry" ? copyText(shown.entry.value, shown.entry.type) : undefined;
  }
  protected activated(row: number): void {
    const shown = this.#rows[row];
    if (shown?.kind === "entry") this.#select(shown.entry.key);
  }

  #select(key: string): void {
    this.dispatchEvent(new CustomEvent("gguf-select", { detail: { key }, bubbles: true, composed: true }));
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#search?.abort();
  }

  override willUpdate(changed: PropertyValues): void {
    if (changed.has("gguf")) {
      this.query = "";
      this.open.clear();
      this.active = -1;
      this.inside = new Map();
    }
    // Forgets what was found before, which decides what is shown below.
    if (changed.has("query")) void this.#lookInside();
    if (["gguf", "query", "inside", "narrow"].some((name) => changed.has(name))) this.#choose();
  }

  #choose(): void {
    const words = searchWords(this.query);
    const entries =
      words.length === 0
        ? this.gguf.entries
        : this.gguf.entries.filter((entry) => entryMatches(entry, words) || this.inside.has(entry.index));
    this.#shownEntries = entries.length;
    // Rows of two lines are too tall for heads between them; the keys say it, too.
    this.#rows = metadataRows(entries, !this.narrow);
    this.rowsChanged();
  }

  /** Looks for the query in what arrays hold, one after the other, without keeping the page waiting. */
  async #lookInside(): Promise<void> {
    this.#search?.abort();
    const search = new AbortController();
    this.#search = search;
    this.inside = new Map();
    const query = this.query.trim();
    // One letter is in nearly every token: no answer to anything.
    const arrays =
      query.length < 2
        ? []
        : this.gguf.entries.filter((entry) => isArray(entry.value) && entry.elementType === "STRING");
    this.looking = arrays.length > 0;
    try {
      if (arrays.length > 0) await new Promise((resolve) => setTimeout(resolve, 150));
      for (const entry of arrays) {
        search.signal.throwIfAborted();
        const found = await searchArray(entry.value as MetadataArray, query, search.signal);
        if (found.length > 0) this.inside = new Map(this.inside).set(entry.index, found.length);
      }
      if (query !== "") {
        await this.updateComplete;
        search.signal.throwIfAborted();
        announce(this, `${this.#shownEntries} of ${counted(this.gguf.entries.length, "entry", "entries")} match`);
      }
    } catch (error) {
      if (!search.signal.aborted) throw error;
    } finally {
      if (this.#search === search) this.looking = false;
    }
  }

  /** Shows an entry by its key, opened. */
  async showKey(key: string): Promise<void> {
    this.query = "";
    await this.updateComplete;
    const row = this.#rows.findIndex((shown) => shown.kind === "entry" && shown.entry.key === key);
    if (row < 0) return;
    this.toggle(row, true);
    await this.show(row);
  }

  focusSearch(): void {
    this.renderRoot.querySelector<HTMLInputElement>("input[type=search]")?.focus();
  }

  override render() {
    const total = this.gguf.entries.length;
    const columns = this.narrow ? 3 : this.offsets ? 7 : 5;
    return html`
      <div class="toolbar">
        <span class="field"
          >${icons.search}<input
            type="search"
            aria-label="Search keys, values and tokens"
            aria-keyshortcuts="/"
            placeholder="Search keys, values, tokens"
            .value=${this.query}
            @input=${this.#onQuery}
            @keydown=${this.#onSearchKey}
        /></span>
        <span class="count"
          >${
            this.query === ""
              ? counted(total, "entry", "entries")
              : `${grouped(this.#shownEntries)} of ${grouped(total)}`
          }${this.looking ? " · looking into arrays…" : ""}</span
        >
        ${
          this.narrow
            ? nothing
            : html`<button type="button" aria-pressed=${this.offsets} @click=${this.#onOffsets}>Offsets</button>`
        }
      </div>
      <div class="wrap ${this.narrow ? "narrow" : ""} ${this.offsets && !this.narrow ? "with-offsets" : ""}">
        ${this.renderGrid({
          label: "Metadata",
          columns,
          head: html`<span role="columnheader" aria-label="Opened"></span><span role="columnheader">Key</span
            ><span role="columnheader">Type</span><span role="columnheader">Value</span>${
              this.offsets
                ? html`<span role="columnheader" class="number" title="Of the stored value, from the start of the file"
                      >Offset</span
                    ><span role="columnheader" class="number">Bytes</span>`
                : nothing
            }<span role="columnheader" aria-label="Copy"></span>`,
          empty:
            total === 0
              ? "This file has no metadata."
              : this.looking
                ? "Looking into arrays…"
                : "No key, value or token matches.",
        })}
      </div>
    `;
  }

  protected renderCells(row: number) {
    const shown = this.#rows[row];
    if (!shown) return html``;
    if (shown.kind === "section") {
      return html`<span role="rowheader"
          >${shown.name === "" ? "no section" : fileText(shown.name, { limit: 120 })}</span
        ><span role="gridcell" class="number" aria-label=${counted(shown.count, "entry", "entries")}
          >${grouped(shown.count)}</span
        >`;
    }
    const { entry } = shown;
    const mark = searchWords(this.query)[0] ?? "";
    const section = sectionOf(entry.key);
    const prefix = section === "" ? "" : `${section}.`;
    return html`<span role="gridcell" class="chevron">${icons.chevron}</span
      ><span role="rowheader" class="key" title=${visible(entry.key)}
        >${prefix === "" ? nothing : html`<span class="prefix">${fileText(prefix, { mark })}</span>`}${fileText(entry.key.slice(prefix.length), { mark, limit: 200 })}</span
      ><span role="gridcell" class="type">${typeLabel(entry)}</span
      ><span role="gridcell" class="value">${this.#renderValue(entry, mark)}</span>${
        this.offsets && !this.narrow
          ? html`<span role="gridcell" class="number mono at" title=${grouped(entry.offset)}>${hex(entry.offset)}</span
              ><span role="gridcell" class="number at">${grouped(entry.byteLength)}</span>`
          : nothing
      }<span role="gridcell" class="copy"
        ><gguf-copy-button
          skipped
          label="Copy the value of ${visible(entry.key, 60)}"
          .text=${() => copyText(entry.value, entry.type)}
        ></gguf-copy-button
      ></span>`;
  }

  #renderValue(entry: MetadataEntry, mark: string) {
    const { value } = entry;
    if (typeof value === "string") {
      if (value === "") return html`<span class="dim">empty string</span>`;
      const excerpt = around(value, mark);
      return html`<span class="value-string"
        >${excerpt.start > 0 ? "…" : nothing}${value.length > 300 ? fileText(excerpt.text, { limit: 300, mark }) : fileTextOrLink(excerpt.text, { mark })}</span
      >`;
    }
    if (isArray(value)) {
      const inside = this.inside.get(entry.index);
      const preview = arrayPreview(value, this.narrow ? 80 : 200);
      return html`${inside === undefined ? nothing : html`<span class="inside">${counted(inside, "match", "matches")} inside</span>`}<span
          class=${value.elementType === "STRING" ? "value-string" : "value-number"}
          >${fileText(preview.items.join(", "))}</span
        >${preview.rest > 0 ? html`<span class="dim">, … ${grouped(preview.rest)} more</span>` : value.length === 0 ? html`<span class="dim">empty</span>` : nothing}`;
    }
    const kind = typeof value === "boolean" ? "value-boolean" : "value-number";
    return html`<span class=${kind}>${valueText(value, entry.type)}</span>`;
  }

  protected renderDetail(row: number) {
    const shown = this.#rows[row];
    if (shown?.kind !== "entry") return html``;
    const { entry } = shown;
    const { value } = entry;
    return html`<div class="detail-body">
      <div class="where">
        ${this.narrow || entry.key.length > 36 ? html`<span class="mono full">${fileText(entry.key)}</span>` : nothing}
        <span>${typeLabel(entry)}</span>
        <span title="${grouped(entry.offset)}, counted from the start of the file"
          >at <span class="mono">${hex(entry.offset)}</span></span
        >
        <span>${counted(entry.byteLength, "byte")} stored</span>
        <gguf-copy-button
          caption="Copy value"
          label="Copy the value of ${visible(entry.key, 60)}"
          .text=${() => copyText(value, entry.type)}
        ></gguf-copy-button>
      </div>
      ${
        isArray(value)
          ? html`<gguf-array-view
              .array=${value}
              label=${visible(entry.key, 80)}
              .query=${this.inside.has(entry.index) ? this.query.trim() : ""}
              .companions=${companionsOf(this.gguf, entry)}
            ></gguf-array-view>`
          : html`<gguf-text-block
              .text=${valueText(value, entry.type)}
              label=${visible(entry.key, 80)}
            ></gguf-text-block>`
      }
    </div>`;
  }

  readonly #onQuery = (event: Event) => {
    this.query = (event.target as HTMLInputElement).value;
    this.active = -1;
    this.rows.scrollToTop();
  };

  readonly #onSearchKey = (event: KeyboardEvent) => {
    if (event.key === "Escape") {
      this.query = "";
    } else if (event.key === "ArrowDown" || event.key === "Enter") {
      event.preventDefault();
      this.scroller?.focus();
      const first = this.#rows.findIndex((shown) => shown.kind === "entry");
      if (first >= 0) this.activate(first);
    }
  };

  readonly #onOffsets = () => {
    this.offsets = !this.offsets;
  };
}

/** The part of a long value in which the first match can be seen. */
function around(value: string, mark: string): { text: string; start: number } {
  const at = mark === "" ? -1 : value.toLowerCase().indexOf(mark);
  if (at < 48) return { text: value, start: 0 };
  const start = at - 24;
  // Not in the middle of a pair.
  const low = value.charCodeAt(start) & 0xfc00;
  return { text: value.slice(low === 0xdc00 ? start + 1 : start), start };
}
