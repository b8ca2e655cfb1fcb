import { html, LitElement, nothing, type TemplateResult } from "lit";
import { state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import { TableDensity } from "./density.ts";
import { TextUnit } from "./text-unit.ts";
import { findValueField } from "./value-field.ts";
import { type OddRow, VirtualRows } from "./virtual-rows.ts";

/** The height of a detail before it has been measured, in units of the text size. */
const ESTIMATED_DETAIL_HEIGHT = 160;

/**
 * A grid of rows. All rows but headings have the same height. Some rows open to show a detail below them. Only the visible rows are in the
 * document, so there may be any number of rows. The grid itself has the focus and names its current row with `aria-activedescendant`,
 * because a row leaves the document when it is scrolled out of view. A row that contains the focus stays in the document wherever the list
 * is scrolled to.
 */
export abstract class RowTable extends LitElement {
  @state() protected active = -1;
  /** Whether the grid is too narrow for columns: each row then has two lines. */
  @state() protected narrow = false;
  /** Whether the grid is too narrow for all columns. */
  @state() protected medium = false;

  readonly #density = new TableDensity(this, () => {
    this.rowsChanged();
    this.requestUpdate();
  });
  readonly #unit = new TextUnit(this, () => {
    this.rowsChanged();
    this.#findForm();
    this.requestUpdate();
  });
  protected readonly rows = new VirtualRows(this, () => this.scroller);
  /** The keys of the open rows. */
  protected readonly open = new Set<string>();
  readonly #heights = new Map<string, number>();
  /** The width of the grid in px. */
  #width = 0;
  /** The open rows, and the rows of another height. */
  #odd: readonly OddRow[] | undefined;
  readonly #widths = new ResizeObserver(([entry]) => {
    this.#width = entry?.contentRect.width ?? 0;
    this.#findForm();
  });
  readonly #details = new ResizeObserver((entries) => {
    let changed = false;
    for (const entry of entries) {
      const key = (entry.target as HTMLElement).dataset["key"];
      const height = Math.round(entry.borderBoxSize[0]?.blockSize ?? 0);
      // A detail that leaves the document is reported with height 0. Its last height is kept.
      if (key === undefined || height === 0 || this.#heights.get(key) === height) continue;
      this.#heights.set(key, height);
      changed = true;
    }
    if (!changed) return;
    this.rowsChanged();
    this.requestUpdate();
  });
  readonly #observed = new Set<Element>();
  /** The row that contains the focus. */
  #focused: { row: number; key: string } | undefined;

  /** Whether rows have one line and little room. */
  protected get isDense(): boolean {
    return this.#density.isDense;
  }
  protected abstract get rowCount(): number;
  /** The height of a row, in units of the text size. */
  protected abstract get rowHeight(): number;
  protected abstract keyOf(row: number): string;
  protected abstract renderCells(row: number): TemplateResult;
  /** The content of the detail below an open row. */
  protected abstract renderDetail(row: number): TemplateResult;
  protected abstract canOpen(row: number): boolean;
  /** The rows that do not have the height of the others, in order: headings. */
  protected get headings(): readonly number[] {
    return [];
  }
  /** The height of the headings, in units of the text size. */
  protected get headingHeight(): number {
    return this.rowHeight;
  }
  /** The width below which a row has two lines, in units of the text size. */
  protected get narrowBelow(): number {
    return 600;
  }
  /** CSS classes of a special row. */
  protected abstract rowClass(row: number): string;
  /** Whether some rows can open. Only a `treegrid` may say that a row is expanded. */
  protected abstract get expands(): boolean;
  /** The level of a row in the tree, from 1. */
  protected abstract rowLevel(row: number): number;
  /** The text that Ctrl+C copies for a row. */
  protected abstract textToCopy(row: number): string | undefined;
  /** Called when a row becomes the current one. */
  protected abstract onActivated(row: number): void;
  /** Whether the details are for editing. The focus then moves into a detail when a person opens it. */
  protected get editsRows(): boolean {
    return false;
  }
  protected isOpen(row: number): boolean {
    return this.open.has(this.keyOf(row));
  }

  protected get scroller(): HTMLElement | null {
    return this.renderRoot.querySelector<HTMLElement>(".scroller");
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#widths.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#widths.disconnect();
    this.#details.disconnect();
    this.#observed.clear();
  }

  protected override updated(): void {
    const details = new Set(this.renderRoot.querySelectorAll(".shown > .detail"));
    for (const seen of this.#observed) {
      if (details.has(seen)) continue;
      this.#details.unobserve(seen);
      this.#observed.delete(seen);
    }
    for (const detail of details) {
      if (this.#observed.has(detail)) continue;
      this.#observed.add(detail);
      this.#details.observe(detail);
    }
  }

  #findForm(): void {
    const width = this.#width / this.#unit.px;
    // A hidden grid has no width.
    if (width === 0) return;
    this.narrow = width < this.narrowBelow;
    this.medium = width < 860;
  }

  /** The height in px of what is `units` of the text size high. */
  protected px(units: number): number {
    return Math.round(units * this.#unit.px);
  }

  /** Must be called when rows are added, removed or moved. */
  protected rowsChanged(): void {
    this.#odd = undefined;
  }

  /** The indices of the open rows, in order. */
  protected openRows(): number[] {
    const rows: number[] = [];
    const { rowCount } = this;
    for (let row = 0; row < rowCount && rows.length < this.open.size; row += 1)
      if (this.open.has(this.keyOf(row))) rows.push(row);
    return rows;
  }

  #findOdd(): readonly OddRow[] {
    const headings = new Set(this.headings);
    const open = new Set(this.openRows().filter((row) => this.canOpen(row)));
    return [...new Set([...headings, ...open])]
      .sort((a, b) => a - b)
      .map((row) => ({
        row,
        own: headings.has(row) ? this.px(this.headingHeight) : undefined,
        detail: open.has(row) ? (this.#heights.get(this.keyOf(row)) ?? this.px(ESTIMATED_DETAIL_HEIGHT)) : 0,
      }));
  }

  /** Renders the grid. `head` are the column headers; `columns` is the number of columns; `empty` is shown if there are no rows. */
  protected renderGrid(options: {
    label: string;
    head: TemplateResult | typeof nothing;
    columns: number;
    empty: unknown;
  }): TemplateResult {
    const count = this.rowCount;
    this.#odd ??= this.#findOdd();
    const rowHeight = this.px(this.rowHeight);
    this.rows.setRows(count, rowHeight, this.#odd);
    const { first, last, top } = this.rows.window();
    const details = this.#odd.filter(({ detail }) => detail > 0);
    const heights = new Map(this.#odd.map(({ row, own }) => [row, own]));
    const indices = Array.from({ length: Math.max(0, last - first) }, (_, i) => first + i);
    const focused = this.#focusedRow();
    if (focused !== undefined && focused < first) indices.unshift(focused);
    else if (focused !== undefined && focused >= last) indices.push(focused);
    const heads = options.head === nothing ? 0 : 1;
    // ARIA counts rows from 1, and counts a detail as a row.
    const placeOf = (row: number) => row + heads + details.filter((open) => open.row < row).length + 1;
    const topOf = (row: number) => (row < first || row >= last ? this.rows.distance(first, row) : undefined);
    return html`<div
      class="scroller ${this.isDense ? "dense" : ""}"
      role=${this.expands ? "treegrid" : "grid"}
      tabindex="0"
      aria-label=${options.label}
      aria-rowcount=${count + heads + details.length}
      aria-colcount=${options.columns}
      aria-activedescendant=${indices.includes(this.active) ? `row-${this.active}` : nothing}
      @keydown=${this.#onKey}
      @copy=${this.#onCopy}
      @focusin=${this.#onFocusIn}
      @focusout=${this.#onFocusOut}
    >
      ${options.head === nothing ? nothing : html`<div role="rowgroup" class="head" data-head><div role="row" class="columns" aria-rowindex="1">${options.head}</div></div>`}
      ${count === 0 ? html`<div role="row" class="empty"><span role="gridcell">${options.empty}</span></div>` : nothing}
      <div role="rowgroup" class="track" data-track .style=${`height:${this.rows.trackHeight}px`}>
        <div role="presentation" class="shown" .style=${`top:${top}px;--row:${rowHeight}px`}>
          ${repeat(
            indices,
            (row) => this.keyOf(row),
            (row) => this.#renderRow(row, placeOf(row), options.columns, heights.get(row) ?? rowHeight, topOf(row)),
          )}
        </div>
      </div>
    </div>`;
  }

  /** The current index of the row that contains the focus. The row may have moved. */
  #focusedRow(): number | undefined {
    const focused = this.#focused;
    if (!focused) return undefined;
    const { rowCount } = this;
    if (focused.row >= rowCount || this.keyOf(focused.row) !== focused.key) {
      focused.row = 0;
      while (focused.row < rowCount && this.keyOf(focused.row) !== focused.key) focused.row += 1;
      if (focused.row === rowCount) this.#focused = undefined;
    }
    return this.#focused?.row;
  }

  /** A row, and its detail if it is open. `place` is its ARIA index. `top` is its position if it is outside the visible window. */
  #renderRow(row: number, place: number, columns: number, height: number, top: number | undefined): TemplateResult {
    const away = (offset: number) =>
      top === undefined ? "" : `position:absolute;inset-inline:0;top:${top + offset}px`;
    const opens = this.canOpen(row);
    const isOpen = opens && this.isOpen(row);
    const detail = isOpen && this.open.has(this.keyOf(row));
    return html`<div
        role="row"
        id="row-${row}"
        data-row=${row}
        .style=${`${height === this.px(this.rowHeight) ? "" : `--row:${height}px;`}${away(0)}`}
        class="row columns ${this.rowClass(row)} ${row === this.active ? "active" : ""} ${opens ? "opens" : ""} ${isOpen ? "open" : ""}"
        aria-rowindex=${place}
        aria-level=${this.expands ? this.rowLevel(row) : nothing}
        aria-expanded=${opens ? String(isOpen) : nothing}
        aria-selected=${row === this.active ? "true" : nothing}
        @click=${(event: MouseEvent) => this.#onClick(event, row)}
      >
        ${this.renderCells(row)}
      </div>
      ${
        detail
          ? html`<div
              role="row"
              class="detail"
              data-row=${row}
              .style=${away(height)}
              aria-rowindex=${place + 1}
              aria-level=${this.rowLevel(row) + 1}
              data-key=${this.keyOf(row)}
            >
              <div role="gridcell" aria-colspan=${columns}>${this.renderDetail(row)}</div>
            </div>`
          : nothing
      }`;
  }

  /** Opens or closes a row. */
  protected toggle(row: number, open = !this.isOpen(row)): void {
    if (!this.canOpen(row) || open === this.isOpen(row)) return;
    const key = this.keyOf(row);
    if (open) this.open.add(key);
    else this.open.delete(key);
    this.rowsChanged();
    this.requestUpdate();
  }

  protected activate(row: number): void {
    this.active = row;
    this.onActivated(row);
  }

  /** Moves the focus to the grid. */
  focusRows(): void {
    this.scroller?.focus({ preventScroll: true });
  }

  /** Makes a row the current one and scrolls it to the middle of the view, or to the start if its detail should be visible. */
  protected async show(row: number, where: "middle" | "start" = "middle"): Promise<void> {
    await this.updateComplete;
    this.activate(row);
    this.rows.reveal(row, where);
    await this.updateComplete;
    // The grid itself may be scrolled out of view, in the page or in another grid.
    this.renderRoot.querySelector(`#row-${row}`)?.scrollIntoView({ block: "nearest", inline: "nearest" });
    this.rows.follow();
  }

  /** Opens or closes a row on behalf of a person. */
  #toggleByHand(row: number, open?: boolean): void {
    const wasOpen = this.isOpen(row);
    this.toggle(row, open);
    if (this.editsRows && !wasOpen && this.isOpen(row)) void this.#focusField(this.keyOf(row));
  }

  /** Moves the focus to the value field in the detail of a row. */
  async #focusField(key: string): Promise<void> {
    await this.updateComplete;
    const detail = this.renderRoot.querySelector(`.detail[data-key="${CSS.escape(key)}"]`);
    const field = detail && (await findValueField(detail));
    // The person may have moved the focus meanwhile.
    if (field && this.renderRoot instanceof ShadowRoot && this.renderRoot.activeElement === this.scroller)
      field.focus();
  }

  readonly #onFocusIn = (event: FocusEvent) => {
    const element = (event.target as Element).closest<HTMLElement>("[data-row]");
    const row = element ? Number(element.dataset["row"]) : undefined;
    this.#focused = row === undefined ? undefined : { row, key: this.keyOf(row) };
  };

  readonly #onFocusOut = (event: FocusEvent) => {
    const target = event.relatedTarget;
    if (target instanceof Node && this.scroller?.contains(target)) return;
    this.#focused = undefined;
    this.requestUpdate();
  };

  #onClick(event: MouseEvent, row: number): void {
    const target = event.composedPath()[0];
    if (target instanceof Element && target.closest("a, button, input, label")) return;
    const isOpened = !this.isOpen(row);
    this.activate(row);
    // A drag that selected text is not a click on the row.
    if (document.getSelection()?.isCollapsed === false && event.detail > 0) return;
    this.#toggleByHand(row, isOpened);
  }

  readonly #onCopy = (event: ClipboardEvent) => {
    if (event.composedPath()[0] !== this.scroller || document.getSelection()?.isCollapsed === false) return;
    const text = this.active >= 0 ? this.textToCopy(this.active) : undefined;
    if (text === undefined) return;
    event.clipboardData?.setData("text/plain", text);
    event.preventDefault();
  };

  readonly #onKey = (event: KeyboardEvent) => {
    const inDetail = event.composedPath()[0] !== this.scroller;
    if (inDetail) {
      // Escape moves the focus from a detail back to the grid.
      if (event.key === "Escape" && !event.defaultPrevented) {
        this.scroller?.focus();
        event.preventDefault();
      }
      return;
    }
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const count = this.rowCount;
    if (count === 0) return;
    const active = Math.min(this.active, count - 1);
    let next: number;
    switch (event.key) {
      case "ArrowDown":
        next = active + 1;
        break;
      case "ArrowUp":
        next = active - 1;
        break;
      case "PageDown":
        next = active + this.rows.pageRows;
        break;
      case "PageUp":
        next = active - this.rows.pageRows;
        break;
      case "Home":
        next = 0;
        break;
      case "End":
        next = count - 1;
        break;
      case "Enter":
      case " ":
        if (active >= 0) this.#toggleByHand(active);
        event.preventDefault();
        return;
      case "ArrowRight":
        if (active >= 0) this.#toggleByHand(active, true);
        event.preventDefault();
        return;
      case "ArrowLeft":
        if (active >= 0) this.toggle(active, false);
        event.preventDefault();
        return;
      default:
        return;
    }
    event.preventDefault();
    next = Math.max(0, Math.min(next, count - 1));
    if (next !== this.active) this.activate(next);
    this.rows.reveal(next);
  };
}
