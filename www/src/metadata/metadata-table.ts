import type { Gguf } from "gguf-wasm/explain";
import { html, nothing, type PropertyValues } from "lit";
import { property, state } from "lit/decorators.js";
import { type EditedFile, MARK_LABELS, type ShownEntry } from "../gguf/shown-file.ts";
import { formatCount, formatInteger, formatHex } from "../ui/numbers.ts";
import { copyText, type MetadataRow, metadataRows, searchWords, typeLabel } from "./metadata-rows.ts";
import { ALL_ENTRIES, type FoundEntries, isFound, searchEntries, type SearchProgress } from "./search-entries.ts";
import type { MetadataState } from "./metadata-state.ts";
import { escapeText } from "../ui/text.ts";
import { announce } from "../ui/announce.ts";
import { renderText } from "../ui/render-text.ts";
import { icons } from "../ui/icons.ts";
import { keyCell, valueCell } from "./metadata-cells.ts";
import { keyMeaningStyles } from "./key-meaning.ts";
import { sectionTitles } from "./sections.ts";
import { nameOfValue } from "./value-names.ts";
import { keyInFile } from "./key-in-file.ts";
import { metadataDetail } from "./metadata-detail.ts";
import { rowText } from "./row-text.ts";
import { RowTable } from "../ui/row-table.ts";
import { StateReporter } from "../ui/state-reporter.ts";
import { renderSearchField } from "../ui/search-field.ts";
import { TableSearch } from "../ui/table-search.ts";
import { baseStyles } from "../ui/styles.ts";
import { metadataTableStyles } from "./metadata-table-styles.ts";
import { tableStyles } from "../ui/table-styles.ts";
import { define } from "../ui/define.ts";
import "../ui/density-button.ts";

interface ShowRowOptions {
  /** The position of the entry in the file. */
  position?: number | undefined;
  /** Whether a search that hides the entry stays. */
  keepFilter?: boolean | undefined;
}

/** All metadata entries in file order, with a search that includes the elements of arrays. */
export class GgufMetadataTable extends RowTable {
  @property({ attribute: false }) gguf!: Gguf;
  /** The rows to list: the entries of the file, or the entries after editing. */
  @property({ attribute: false }) entries: readonly ShownEntry[] = [];
  /** The file after editing. Undefined while the file is not being edited. */
  @property({ attribute: false }) edits: EditedFile | undefined;
  /** The search, the columns and the sections. Changes are reported with the event `gguf-table`. */
  @property({ attribute: false }) tableState: MetadataState | undefined;
  @state() private query = "";
  @state() private offsets = false;
  /** The titles of the sections whose entries are hidden. */
  @state() private collapsed: ReadonlySet<string> = new Set();
  /** The entries that match the query. */
  @state() private found: FoundEntries = ALL_ENTRIES;

  #rows: MetadataRow[] = [];
  #shownEntries = 0;
  /** The number of listed entries that are removed by editing. */
  #removed = 0;
  readonly #search = new TableSearch<SearchProgress>(this);
  readonly #reporter = new StateReporter(this, (state) => ({ metadata: state }));

  static override styles = [baseStyles, tableStyles, metadataTableStyles, keyMeaningStyles];

  protected get rowCount(): number {
    return this.#rows.length;
  }
  protected get rowHeight(): number {
    if (this.isDense) return this.narrow ? 48 : 28;
    return this.narrow ? 68 : 46;
  }
  protected override get headings(): readonly number[] {
    return this.narrow ? this.#rows.flatMap(({ kind }, at) => (kind === "section" ? [at] : [])) : [];
  }
  protected override get headingHeight(): number {
    return this.isDense ? 30 : 36;
  }
  protected override get narrowBelow(): number {
    return 640;
  }
  protected override get editsRows(): boolean {
    return this.edits !== undefined;
  }
  protected keyOf(at: number): string {
    const row = this.#rows[at];
    return row?.kind === "entry" ? row.shown.id : `section ${row?.name}`;
  }
  protected canOpen(row: number): boolean {
    return this.#rows[row] !== undefined;
  }
  protected override isOpen(at: number): boolean {
    const row = this.#rows[at];
    return row?.kind === "section" ? !this.collapsed.has(row.name) : super.isOpen(at);
  }
  protected rowClass(at: number): string {
    const row = this.#rows[at];
    return row?.kind === "section" ? "section" : (row?.shown.mark ?? "");
  }
  protected rowLevel(at: number): number {
    return this.#rows[at]?.kind === "section" ? 1 : 2;
  }
  protected get expands(): boolean {
    return true;
  }
  protected textToCopy(at: number): string | undefined {
    const entry = this.#entryAt(at);
    return entry && copyText(entry.value, entry.type);
  }
  protected onActivated(at: number): void {
    const entry = this.#entryAt(at);
    if (entry) this.#select(entry.key);
  }

  protected override toggle(at: number, open = !this.isOpen(at)): void {
    const row = this.#rows[at];
    if (row?.kind !== "section") {
      super.toggle(at, open);
      return;
    }
    if (open === this.isOpen(at)) return;
    const collapsed = new Set(this.collapsed);
    if (open) collapsed.delete(row.name);
    else collapsed.add(row.name);
    this.collapsed = collapsed;
  }

  #entryAt(at: number) {
    const row = this.#rows[at];
    return row?.kind === "entry" ? row.shown.entry : undefined;
  }

  #select(key: string): void {
    this.dispatchEvent(new CustomEvent("gguf-select", { detail: { key }, bubbles: true, composed: true }));
  }

  override willUpdate(changed: PropertyValues): void {
    if (changed.has("gguf")) {
      this.query = "";
      this.open.clear();
      this.active = -1;
    }
    if (changed.has("tableState") && this.#reporter.adopts(this.tableState ?? {})) {
      this.query = this.tableState?.search ?? "";
      this.offsets = this.tableState?.offsets ?? false;
      this.collapsed = new Set(this.tableState?.closed);
    }
    // After an edit, the matches stay until the entries have been searched again.
    if (changed.has("query") || changed.has("gguf")) this.#find(undefined);
    else if (changed.has("entries") && this.query !== "") this.#find(this.found);
    if (["gguf", "entries", "query", "collapsed", "found", "narrow"].some((name) => changed.has(name)))
      this.#updateRows();
  }

  protected override updated(): void {
    super.updated();
    this.#reporter.report({
      ...(this.query === "" ? {} : { search: this.query }),
      ...(this.offsets ? { offsets: true } : {}),
      ...(this.collapsed.size > 0 ? { closed: [...this.collapsed] } : {}),
    });
  }

  #updateRows(): void {
    const { found } = this;
    const entries = found.ids ? this.entries.filter(({ id }) => isFound(found, id)) : this.entries;
    const present = (list: readonly ShownEntry[]) => list.filter((shown) => shown.mark !== "removed").length;
    this.#shownEntries = present(entries);
    this.#removed = this.entries.length - present(this.entries);
    const current = this.active >= 0 ? this.keyOf(this.active) : undefined;
    const sections = { titleOf: sectionTitles(this.entries.length), collapsed: this.collapsed };
    this.#rows = metadataRows(entries, sections);
    this.rowsChanged();
    // The current row stays on its entry when other entries are added, removed or moved.
    if (current !== undefined && current !== this.keyOf(this.active))
      this.active = this.#rows.findIndex((_row, at) => this.keyOf(at) === current);
  }

  /** Searches the entries. `before` are the matches before an edit. */
  #find(before: FoundEntries | undefined): void {
    const { entries, query } = this;
    this.#search.start(async (signal, progress) => {
      const found = (matches: FoundEntries) => (this.found = matches);
      const file = { tensors: this.gguf.tensors, metadata: (this.edits ?? this.gguf).metadata };
      await searchEntries(entries, query, (shown) => rowText(shown, file), before, signal, { found, progress });
      if (searchWords(query).length === 0) return;
      await this.updateComplete;
      signal.throwIfAborted();
      announce(this, `${this.#shownEntries} of ${formatCount(entries.length, "entry", "entries")} match`);
    });
  }

  /**
   * Selects and opens the entry with a key. If several entries have the key, `position` chooses one; otherwise it is the first. A search
   * that hides the entry is cleared. With `keepFilter` the search stays, and the entry is open as soon as the search shows it.
   */
  async showRow(key: string, { position, keepFilter = false }: ShowRowOptions = {}): Promise<void> {
    const isWanted = (shown: ShownEntry) =>
      shown.entry.key === key && (position === undefined || (shown.position === position && shown.mark !== "removed"));
    const find = () => this.#rows.findIndex((row) => row.kind === "entry" && isWanted(row.shown));
    await this.updateComplete;
    await this.#search.ended;
    await this.updateComplete;
    if (find() < 0 && this.collapsed.size > 0) {
      this.collapsed = new Set();
      await this.updateComplete;
    }
    if (find() < 0 && keepFilter) {
      const hidden = this.entries.find(isWanted);
      if (hidden) this.#openHidden(hidden.id);
      return;
    }
    if (find() < 0) this.query = "";
    await this.updateComplete;
    const row =
      find() < 0 ? this.#rows.findIndex((shown) => shown.kind === "entry" && shown.shown.entry.key === key) : find();
    if (row < 0) return;
    this.toggle(row, true);
    await this.show(row);
  }

  /** Opens an entry that the search hides. No row is selected until the search shows it. */
  #openHidden(id: string): void {
    this.active = -1;
    this.open.add(id);
    this.rowsChanged();
    this.requestUpdate();
  }

  get #progressWords(): string {
    const { subject, percent } = this.#search.progress ?? {};
    const words = subject === "arrays" ? "Searching arrays…" : "Searching…";
    return percent === undefined ? words : `${words} ${percent} %`;
  }

  override render() {
    const total = this.entries.length - this.#removed;
    const columns = this.narrow ? 3 : this.offsets ? 7 : 5;
    return html`
      <div class="toolbar">
        ${renderSearchField({
          label: "Search keys, values and tokens",
          placeholder: "Search keys, values, tokens",
          text: this.query,
          search: this.#onQuery,
          onKey: this.#onSearchKey,
        })}
        <span class="count"
          >${
            this.query === ""
              ? formatCount(total, "entry", "entries")
              : this.#search.progress?.subject === "entries"
                ? this.#progressWords
                : `${formatInteger(this.#shownEntries)} of ${formatInteger(total)}`
          }${this.#search.progress?.subject === "arrays" ? ` · ${this.#progressWords.toLowerCase()}` : ""}</span
        >
        ${
          this.narrow
            ? nothing
            : html`<button type="button" aria-pressed=${this.offsets} @click=${this.#onOffsets}>Offsets</button>`
        }
        <gguf-density-button></gguf-density-button>
      </div>
      <div class="wrap ${this.narrow ? "narrow" : ""} ${this.offsets && !this.narrow ? "with-offsets" : ""}">
        ${this.renderGrid({
          label: "Metadata",
          columns,
          head: html`<span role="columnheader"><span class="sr">Open</span></span
            ><span role="columnheader">Key</span><span role="columnheader">Type</span
            ><span role="columnheader">Value</span>${
              this.offsets
                ? html`<span
                      role="columnheader"
                      class="number"
                      title="Offset of the stored value from the start of the file"
                      >Offset</span
                    ><span role="columnheader" class="number">Bytes</span>`
                : nothing
            }<span role="columnheader"><span class="sr">Copy</span></span>`,
          empty:
            total === 0
              ? "This file has no metadata."
              : this.#search.progress
                ? this.#progressWords
                : "No matches in keys, values and tokens.",
        })}
      </div>
    `;
  }

  protected renderCells(row: number) {
    const shown = this.#rows[row];
    if (!shown) return html``;
    if (shown.kind === "section") {
      return html`<span role="rowheader"
          ><span class="chevron">${icons.chevron}</span>${renderText(shown.name, { limit: 120 })}</span
        ><span role="gridcell" class="number" aria-label=${formatCount(shown.count, "entry", "entries")}
          >${formatInteger(shown.count)}</span
        >`;
    }
    const { entry, id, mark } = shown.shown;
    const highlight = searchWords(this.query)[0] ?? "";
    const info = keyInFile(entry.key, this.gguf.tensors);
    const { metadata } = this.edits ?? this.gguf;
    return html`<span role="gridcell" class="chevron">${icons.chevron}</span>${keyCell(entry.key, info, highlight)}<span
        role="gridcell"
        class="type"
        >${typeLabel(entry)}</span
      ><span role="gridcell" class="value"
        >${mark === undefined ? nothing : html`<span class="mark">${MARK_LABELS[mark]}</span>`}${valueCell(entry, nameOfValue(entry, info, metadata), highlight, this.found.counts.get(id), this.narrow)}</span
      >${
        this.offsets && !this.narrow
          ? html`<span role="gridcell" class="number mono at" title=${formatInteger(entry.offset)}
                >${formatHex(entry.offset)}</span
              ><span role="gridcell" class="number at">${formatInteger(entry.byteLength)}</span>`
          : nothing
      }<span role="gridcell" class="copy"
        ><gguf-copy-button
          skipped
          label="Copy value of ${escapeText(entry.key, 60)}"
          .text=${() => copyText(entry.value, entry.type)}
        ></gguf-copy-button
      ></span>`;
  }

  protected renderDetail(row: number) {
    const shown = this.#rows[row];
    if (shown?.kind !== "entry") return html``;
    const found = this.found.counts.has(shown.shown.id);
    return metadataDetail({
      shown: shown.shown,
      info: keyInFile(shown.shown.entry.key, this.gguf.tensors),
      metadata: (this.edits ?? this.gguf).metadata,
      edits: this.edits,
      narrow: this.narrow,
      query: found ? this.query.trim() : "",
    });
  }

  readonly #onQuery = (query: string) => {
    this.query = query;
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

define("gguf-metadata-table", GgufMetadataTable);
