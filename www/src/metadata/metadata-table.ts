import type { Gguf, MetadataArray } from "gguf-wasm";
import { html, nothing, type PropertyValues } from "lit";
import { type EditedFile, MARK_WORDS, type ShownEntry } from "../gguf/shown-file.ts";
import { counted, grouped, hex } from "../ui/numbers.ts";
import {
  copyText,
  entryMatches,
  isArray,
  type MetadataRow,
  metadataRows,
  searchArray,
  searchWords,
  typeLabel,
} from "./metadata-rows.ts";
import type { MetadataState } from "./metadata-state.ts";
import { visible } from "../ui/text.ts";
import { announce } from "../ui/copy-button.ts";
import { fileText } from "../ui/file-text.ts";
import { icons } from "../ui/icons.ts";
import { keyCell, valueCell } from "./metadata-cells.ts";
import { metadataDetail } from "./metadata-detail.ts";
import { RowTable } from "../ui/row-table.ts";
import { StateReporter } from "../ui/state-reporter.ts";
import { base } from "../ui/styles.ts";
import { metadataTableStyles } from "./metadata-table-styles.ts";
import { tableStyles } from "../ui/table-styles.ts";
import { define } from "../ui/define.ts";

interface ShowRowOptions {
  /** The position of the entry in the file. */
  position?: number | undefined;
  /** Whether a search that hides the entry stays. */
  keepFilter?: boolean | undefined;
}

/** Every key and value in file order, with the search that also looks into arrays. */
export class GgufMetadataTable extends RowTable {
  static override properties = {
    ...RowTable.properties,
    gguf: { attribute: false },
    entries: { attribute: false },
    edits: { attribute: false },
    tableState: { attribute: false },
    query: { state: true },
    offsets: { state: true },
    inside: { state: true },
    looking: { state: true },
  };

  declare gguf: Gguf;
  /** What is listed: the entries of the file, or of the file as it will be. */
  declare entries: readonly ShownEntry[];
  /** The file after editing. Undefined while the file is not being edited. */
  declare edits: EditedFile | undefined;
  /** What to search for and show; changes are told by `gguf-table`. */
  declare tableState: MetadataState | undefined;
  declare private query: string;
  declare private offsets: boolean;
  /** How many elements of an array match, by the entry's id. */
  declare private inside: ReadonlyMap<string, number>;
  declare private looking: boolean;

  #rows: MetadataRow[] = [];
  #shownEntries = 0;
  /** Of those that are listed, entries that will be gone. */
  #removed = 0;
  #search: AbortController | undefined;
  /** Ends when arrays have been searched for the query. */
  #searched: Promise<void> = Promise.resolve();
  readonly #reporter = new StateReporter(this, (state) => ({ metadata: state }));

  constructor() {
    super();
    this.entries = [];
    this.edits = undefined;
    this.tableState = undefined;
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
  protected override get editsRows(): boolean {
    return this.edits !== undefined;
  }
  protected keyOf(at: number): string {
    const row = this.#rows[at];
    return row?.kind === "entry" ? row.shown.id : `section ${row?.name}`;
  }
  protected canOpen(row: number): boolean {
    return this.#rows[row]?.kind === "entry";
  }
  protected rowClass(at: number): string {
    const row = this.#rows[at];
    return row?.kind === "section" ? "section" : (row?.shown.mark ?? "");
  }
  protected rowLevel(): number {
    return 1;
  }
  protected get expands(): boolean {
    return true;
  }
  protected copyOf(at: number): string | undefined {
    const entry = this.#entryAt(at);
    return entry && copyText(entry.value, entry.type);
  }
  protected activated(at: number): void {
    const entry = this.#entryAt(at);
    if (entry) this.#select(entry.key);
  }

  #entryAt(at: number) {
    const row = this.#rows[at];
    return row?.kind === "entry" ? row.shown.entry : undefined;
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
    if (changed.has("tableState") && this.#reporter.adopts(this.tableState ?? {})) {
      this.query = this.tableState?.search ?? "";
      this.offsets = this.tableState?.offsets ?? false;
    }
    // Forgets what was found before, which decides what is shown below.
    if (changed.has("query")) this.inside = new Map();
    // What was looked into before the last edit is there no more.
    if (changed.has("query") || (changed.has("entries") && this.query !== "")) this.#searched = this.#lookInside();
    if (["gguf", "entries", "query", "inside", "narrow"].some((name) => changed.has(name))) this.#choose();
  }

  protected override updated(): void {
    super.updated();
    this.#reporter.report({
      ...(this.query === "" ? {} : { search: this.query }),
      ...(this.offsets ? { offsets: true } : {}),
    });
  }

  #choose(): void {
    const words = searchWords(this.query);
    const entries =
      words.length === 0
        ? this.entries
        : this.entries.filter(({ entry, id }) => entryMatches(entry, words) || this.inside.has(id));
    const there = (list: readonly ShownEntry[]) => list.filter((shown) => shown.mark !== "removed").length;
    this.#shownEntries = there(entries);
    this.#removed = this.entries.length - there(this.entries);
    const current = this.active >= 0 ? this.keyOf(this.active) : undefined;
    // Rows of two lines are too tall for heads between them; the keys say it, too.
    this.#rows = metadataRows(entries, !this.narrow);
    this.rowsChanged();
    // The current row stays the same entry when others come, go or move.
    if (current !== undefined && current !== this.keyOf(this.active))
      this.active = this.#rows.findIndex((_row, at) => this.keyOf(at) === current);
  }

  /** Looks for the query in what arrays hold, one after the other, without keeping the page waiting. */
  async #lookInside(): Promise<void> {
    this.#search?.abort();
    const search = new AbortController();
    this.#search = search;
    const query = this.query.trim();
    // One letter is in nearly every token: no answer to anything.
    const arrays =
      query.length < 2
        ? []
        : this.entries.filter(({ entry }) => isArray(entry.value) && entry.elementType === "STRING");
    this.looking = arrays.length > 0;
    try {
      if (arrays.length > 0) await new Promise((resolve) => setTimeout(resolve, 150));
      for (const { entry, id } of arrays) {
        search.signal.throwIfAborted();
        const found = await searchArray(entry.value as MetadataArray, query, search.signal);
        if (found.length === (this.inside.get(id) ?? 0)) continue;
        const inside = new Map(this.inside);
        if (found.length > 0) inside.set(id, found.length);
        else inside.delete(id);
        this.inside = inside;
      }
      if (query !== "") {
        await this.updateComplete;
        search.signal.throwIfAborted();
        announce(this, `${this.#shownEntries} of ${counted(this.entries.length, "entry", "entries")} match`);
      }
    } catch (error) {
      if (!search.signal.aborted) throw error;
    } finally {
      if (this.#search === search) this.looking = false;
    }
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
    await this.#searched;
    await this.updateComplete;
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

  focusSearch(): void {
    this.renderRoot.querySelector<HTMLInputElement>("input[type=search]")?.focus();
  }

  override render() {
    const total = this.entries.length - this.#removed;
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
          head: html`<span role="columnheader"><span class="sr">Open</span></span
            ><span role="columnheader">Key</span><span role="columnheader">Type</span
            ><span role="columnheader">Value</span>${
              this.offsets
                ? html`<span role="columnheader" class="number" title="Of the stored value, from the start of the file"
                      >Offset</span
                    ><span role="columnheader" class="number">Bytes</span>`
                : nothing
            }<span role="columnheader"><span class="sr">Copy</span></span>`,
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
    const { entry, id, mark: fate } = shown.shown;
    const mark = searchWords(this.query)[0] ?? "";
    return html`<span role="gridcell" class="chevron">${icons.chevron}</span>${keyCell(entry.key, mark)}<span
        role="gridcell"
        class="type"
        >${typeLabel(entry)}</span
      ><span role="gridcell" class="value"
        >${fate === undefined ? nothing : html`<span class="fate">${MARK_WORDS[fate]}</span>`}${valueCell(entry, mark, this.inside.get(id), this.narrow)}</span
      >${
        this.offsets && !this.narrow
          ? html`<span role="gridcell" class="number mono at" title=${grouped(entry.offset)}>${hex(entry.offset)}</span
              ><span role="gridcell" class="number at">${grouped(entry.byteLength)}</span>`
          : nothing
      }<span role="gridcell" class="copy"
        ><gguf-copy-button
          skipped
          label="Copy value of ${visible(entry.key, 60)}"
          .text=${() => copyText(entry.value, entry.type)}
        ></gguf-copy-button
      ></span>`;
  }

  protected renderDetail(row: number) {
    const shown = this.#rows[row];
    if (shown?.kind !== "entry") return html``;
    const found = this.inside.has(shown.shown.id);
    return metadataDetail({
      shown: shown.shown,
      metadata: (this.edits ?? this.gguf).metadata,
      edits: this.edits,
      narrow: this.narrow,
      query: found ? this.query.trim() : "",
    });
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

define("gguf-metadata-table", GgufMetadataTable);

declare global {
  interface HTMLElementTagNameMap {
    "gguf-metadata-table": GgufMetadataTable;
  }
}
