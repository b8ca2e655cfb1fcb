import type { GgmlTypeInfo, Gguf, TensorInfo } from "gguf-wasm";
import { css, html, nothing, type PropertyValues } from "lit";
import { bytes, counted, grouped, hex, parameters } from "../logic/format.ts";
import { visible } from "../logic/text.ts";
import { type TensorColumn, type TensorOrder, type TensorRow, tensorRows } from "../logic/tensor-rows.ts";
import { type TypeShare, typeHue, typeShares } from "../logic/tensor-types.ts";
import { announce } from "./copy-button.ts";
import { fileText } from "./file-text.ts";
import { icons } from "./icons.ts";
import { RowTable, tableStyles } from "./row-table.ts";
import { base, typeColours } from "./styles.ts";

const COLUMNS: readonly { column: TensorColumn; title: string; number: boolean; hint: string }[] = [
  { column: "index", title: "#", number: true, hint: "Place in the file" },
  { column: "name", title: "Name", number: false, hint: "" },
  { column: "type", title: "Type", number: false, hint: "" },
  { column: "dimensions", title: "Dimensions", number: false, hint: "As in the file, fastest first" },
  { column: "elements", title: "Elements", number: true, hint: "" },
  { column: "bytes", title: "Size", number: true, hint: "" },
  { column: "offset", title: "Offset", number: true, hint: "From the start of the tensor data" },
];

/** Every tensor: sorted, filtered, grouped by block. */
export class GgufTensorTable extends RowTable {
  static override properties = {
    ...RowTable.properties,
    gguf: { attribute: false },
    typeInfos: { attribute: false },
    text: { state: true },
    types: { state: true },
    order: { state: true },
    grouped: { state: true },
    collapsed: { state: true },
  };

  declare gguf: Gguf;
  declare typeInfos: readonly GgmlTypeInfo[];
  declare private text: string;
  declare private types: ReadonlySet<string>;
  declare private order: TensorOrder;
  declare private grouped: boolean;
  declare private collapsed: ReadonlySet<string>;

  #rows: TensorRow[] = [];
  #tensorsShown = 0;
  #largest = 1;
  #shares: readonly TypeShare[] = [];

  constructor() {
    super();
    this.typeInfos = [];
    this.text = "";
    this.types = new Set();
    this.order = { column: "index", descending: false };
    this.grouped = false;
    this.collapsed = new Set();
  }

  static override styles = [
    base,
    tableStyles,
    typeColours,
    css`
      .columns {
        grid-template-columns: 44px minmax(0, 1fr) 84px minmax(120px, 170px) 76px 116px 108px;
      }
      .medium .columns {
        grid-template-columns: 40px minmax(0, 1fr) 84px minmax(104px, 130px) 92px;
      }
      .narrow .columns {
        grid-template-columns: minmax(0, 1fr) auto;
        grid-template-rows: auto auto;
        align-content: center;
        column-gap: 10px;
        row-gap: 2px;
        padding: 0 12px;
      }
      .narrow .head .columns {
        display: flex;
        gap: 14px;
        overflow-x: auto;
      }
      .narrow .row .dims {
        grid-row: 2;
        grid-column: 1;
      }
      .narrow .row .kind {
        grid-row: 1;
        grid-column: 2;
        justify-self: end;
      }
      .narrow dl {
        grid-template-columns: 1fr 1fr;
      }
      .narrow .detail-body {
        padding-inline: 12px;
      }
      .narrow .row .size {
        padding-block: 0;
        grid-row: 2;
        grid-column: 2;
        min-width: 5em;
      }
      .head [role="columnheader"] {
        display: flex;
        min-width: 0;
      }
      .head .number {
        justify-content: flex-end;
      }
      .head button {
        gap: 3px;
        min-height: 28px;
        padding: 0 4px;
        margin: 0 -4px;
        font-size: 12px;
        color: inherit;
      }
      .head button svg {
        width: 12px;
        height: 12px;
        visibility: hidden;
      }
      .head .number button {
        flex-direction: row-reverse;
      }
      .head [aria-sort] button {
        color: var(--gguf-ink);
        font-weight: 600;
      }
      .head [aria-sort] svg {
        visibility: visible;
      }
      .name {
        font-family: var(--gguf-mono);
        font-size: 12.5px;
      }
      .in-group .name {
        padding-inline-start: 18px;
      }
      .kind {
        display: flex;
        align-items: center;
        gap: 7px;
        font-family: var(--gguf-mono);
        font-size: 12px;
      }
      .dims,
      .offset {
        font-family: var(--gguf-mono);
        font-size: 12px;
        color: var(--gguf-ink-2);
      }
      .times {
        color: var(--gguf-ink-3);
        padding: 0 0.3em;
      }
      /* How much of the largest tensor a tensor is: enough to see at a glance where the bytes are. */
      .size {
        position: relative;
        padding-block: 5px;
      }
      .size::after {
        content: "";
        position: absolute;
        right: 0;
        bottom: 0;
        height: 2px;
        width: var(--part);
        border-radius: 1px;
        background: var(--hue);
      }
      .row.group {
        display: flex;
        align-items: center;
        gap: 8px;
        background: var(--gguf-sunken);
        font-weight: 500;
      }
      .row.group.open {
        border-bottom-color: var(--gguf-line);
      }
      .row.group .totals {
        margin-inline-start: auto;
        color: var(--gguf-ink-2);
        font-weight: 400;
        font-size: 12px;
      }
      .narrow.toolbar .types {
        flex-wrap: nowrap;
        width: 100%;
        overflow-x: auto;
      }
      .row.group [role="rowheader"] {
        display: inline-flex;
        align-items: center;
        gap: 6px;
      }
      .types {
        display: flex;
        flex-wrap: wrap;
        gap: 4px;
      }
      .types button {
        min-height: 28px;
        padding: 0 9px;
        gap: 6px;
        font-size: 12px;
        font-weight: 400;
      }
      .types button[aria-pressed="false"] {
        border-color: var(--gguf-line);
      }
      .types .many {
        color: var(--gguf-ink-3);
      }
      .types button[aria-pressed="true"] .many {
        color: inherit;
      }
      .detail-body {
        display: grid;
        gap: 10px;
        padding: 4px 16px 14px;
      }
      dl {
        display: grid;
        grid-template-columns: repeat(auto-fill, minmax(236px, 1fr));
        gap: 8px 24px;
      }
      dt {
        color: var(--gguf-ink-2);
        font-size: 12px;
      }
      dd {
        font-size: 13px;
        overflow-wrap: anywhere;
      }
      .whole {
        grid-column: 1 / -1;
        display: flex;
        align-items: center;
        gap: 8px;
        overflow-wrap: anywhere;
      }
    `,
  ];

  protected get rowCount(): number {
    return this.#rows.length;
  }
  protected get rowHeight(): number {
    return this.narrow ? 52 : 34;
  }
  protected keyOf(row: number): string {
    const shown = this.#rows[row];
    return shown?.kind === "tensor" ? String(shown.tensor.index) : `group ${shown?.group.name}`;
  }
  protected canOpen(row: number): boolean {
    return this.#rows[row] !== undefined;
  }
  protected override isOpen(row: number): boolean {
    const shown = this.#rows[row];
    return shown?.kind === "group" ? !this.collapsed.has(shown.group.name) : super.isOpen(row);
  }
  protected rowClass(row: number): string {
    const shown = this.#rows[row];
    return shown?.kind === "group" ? "group" : shown?.grouped ? "in-group" : "";
  }
  protected rowLevel(row: number): number | undefined {
    const shown = this.#rows[row];
    return this.grouped ? (shown?.kind === "group" ? 1 : 2) : undefined;
  }
  protected copyOf(row: number): string | undefined {
    const shown = this.#rows[row];
    return shown?.kind === "tensor" ? shown.tensor.name : shown?.group.name;
  }
  protected activated(row: number): void {
    const shown = this.#rows[row];
    if (shown?.kind !== "tensor") return;
    this.dispatchEvent(
      new CustomEvent("gguf-select", { detail: { tensor: shown.tensor.name }, bubbles: true, composed: true }),
    );
  }

  protected override toggle(row: number, open = !this.isOpen(row)): void {
    const shown = this.#rows[row];
    if (shown?.kind !== "group") {
      super.toggle(row, open);
      return;
    }
    if (open === this.isOpen(row)) return;
    const collapsed = new Set(this.collapsed);
    if (open) collapsed.delete(shown.group.name);
    else collapsed.add(shown.group.name);
    this.collapsed = collapsed;
  }

  override willUpdate(changed: PropertyValues): void {
    if (changed.has("gguf")) {
      this.open.clear();
      this.active = -1;
      this.#shares = typeShares(this.gguf.tensors);
      this.#largest = 1;
      for (const tensor of this.gguf.tensors) this.#largest = Math.max(this.#largest, tensor.byteLength ?? 0);
    }
    if (["gguf", "text", "types", "order", "grouped", "collapsed"].some((name) => changed.has(name))) {
      this.#rows = tensorRows(
        this.gguf.tensors,
        { text: this.text, types: this.types },
        this.order,
        this.grouped ? { collapsed: this.collapsed } : undefined,
      );
      this.rowsChanged();
      this.#tensorsShown = 0;
      for (const row of this.#rows) {
        if (row.kind === "group") this.#tensorsShown += row.group.tensors.length;
        else if (!row.grouped) this.#tensorsShown += 1;
      }
      if (this.hasUpdated && (changed.has("text") || changed.has("types"))) {
        announce(this, `${grouped(this.#tensorsShown)} of ${counted(this.gguf.tensors.length, "tensor")} shown`);
      }
    }
  }

  /** Shows a tensor by its name, opened. */
  async showTensor(name: string): Promise<void> {
    this.text = "";
    this.types = new Set();
    this.collapsed = new Set();
    await this.updateComplete;
    const row = this.#rows.findIndex((shown) => shown.kind === "tensor" && shown.tensor.name === name);
    if (row < 0) return;
    this.toggle(row, true);
    await this.show(row);
  }

  focusSearch(): void {
    this.renderRoot.querySelector<HTMLInputElement>("input[type=search]")?.focus();
  }

  get #columns(): readonly TensorColumn[] {
    if (this.narrow) return ["name", "type", "dimensions", "bytes"];
    return this.medium ? ["index", "name", "type", "dimensions", "bytes"] : COLUMNS.map((column) => column.column);
  }

  override render() {
    const total = this.gguf.tensors.length;
    const columns = this.#columns;
    return html`
      <div class="toolbar ${this.narrow ? "narrow" : ""}">
        <span class="field"
          >${icons.search}<input
            type="search"
            aria-label="Filter tensors by name"
            aria-keyshortcuts="/"
            placeholder="Filter by name"
            .value=${this.text}
            @input=${this.#onText}
            @keydown=${this.#onSearchKey}
        /></span>
        <span class="count"
          >${
            this.#tensorsShown === total
              ? counted(total, "tensor")
              : `${grouped(this.#tensorsShown)} of ${grouped(total)}`
          }</span
        >
        <button type="button" aria-pressed=${this.grouped} @click=${this.#onGroup}>Group by block</button>
        ${
          this.#shares.length > 1
            ? html`<div class="types" role="group" aria-label="Filter by type">
                ${this.#shares.map(
                  (share) =>
                    html`<button
                      type="button"
                      class="quiet"
                      data-hue=${typeHue(share.type)}
                      aria-pressed=${this.types.has(share.type)}
                      @click=${() => this.#onType(share.type)}
                    >
                      <span class="swatch"></span><span class="mono">${share.type}</span
                      ><span class="many">${grouped(share.tensors)}</span>
                    </button>`,
                )}
              </div>`
            : nothing
        }
      </div>
      <div class="wrap ${this.narrow ? "narrow" : this.medium ? "medium" : ""}">
        ${this.renderGrid({
          label: "Tensors",
          columns: columns.length,
          tree: this.grouped,
          head: html`${COLUMNS.filter((column) => columns.includes(column.column)).map((column) => this.#renderHead(column))}`,
          empty: total === 0 ? "This file has no tensors." : "No tensor matches.",
        })}
      </div>
    `;
  }

  #renderHead({ column, title, number, hint }: (typeof COLUMNS)[number]) {
    const sorted = this.order.column === column;
    return html`<span
      role="columnheader"
      class=${number ? "number" : ""}
      aria-sort=${sorted ? (this.order.descending ? "descending" : "ascending") : nothing}
      ><button type="button" class="quiet" title=${hint || nothing} @click=${() => this.#onSort(column)}>
        ${column === "index" ? html`<span aria-hidden="true">#</span><span class="sr">Index</span>` : title}${sorted && this.order.descending ? icons.down : icons.up}
      </button></span
    >`;
  }

  protected renderCells(row: number) {
    const shown = this.#rows[row];
    if (!shown) return html``;
    if (shown.kind === "group") {
      const { group } = shown;
      return html`<span role="rowheader"
          ><span class="chevron">${icons.chevron}</span>
          ${group.name === "" ? "outside blocks" : html`<span class="mono">${fileText(group.name)}</span>`}</span
        ><span role="gridcell" class="totals"
          >${counted(group.tensors.length, "tensor")} · ${parameters(group.elements)} · ${bytes(group.bytes)}</span
        >`;
    }
    const { tensor } = shown;
    const columns = this.#columns;
    const cells = {
      index: () => html`<span role="gridcell" class="number dim">${grouped(tensor.index)}</span>`,
      name: () =>
        html`<span role="rowheader" class="name" title=${visible(tensor.name)}
          >${fileText(tensor.name, { mark: this.text.trim().toLowerCase(), limit: 256 })}</span
        >`,
      type: () =>
        html`<span role="gridcell" class="kind" data-hue=${typeHue(tensor.type)}
          ><span class="swatch"></span>${tensor.type}</span
        >`,
      dimensions: () => html`<span role="gridcell" class="dims">${dimensions(tensor)}</span>`,
      elements: () =>
        html`<span
          role="gridcell"
          class="number"
          title=${tensor.elementCount === undefined ? nothing : grouped(tensor.elementCount)}
          >${tensor.elementCount === undefined ? "?" : parameters(tensor.elementCount)}</span
        >`,
      bytes: () =>
        html`<span
          role="gridcell"
          class="number size"
          data-hue=${typeHue(tensor.type)}
          .style=${`--part:${(((tensor.byteLength ?? 0) / this.#largest) * 100).toFixed(2)}%`}
          title=${tensor.byteLength === undefined ? nothing : `${grouped(tensor.byteLength)} bytes`}
          >${tensor.byteLength === undefined ? "?" : bytes(tensor.byteLength)}</span
        >`,
      offset: () =>
        html`<span role="gridcell" class="number offset" title=${grouped(tensor.offset)}>${hex(tensor.offset)}</span>`,
    } satisfies Record<TensorColumn, () => unknown>;
    return html`${columns.map((column) => cells[column]())}`;
  }

  protected renderDetail(row: number) {
    const shown = this.#rows[row];
    if (shown?.kind !== "tensor") return html``;
    const { tensor } = shown;
    const info = this.typeInfos.find((type) => type.id === tensor.typeId);
    const end =
      tensor.fileOffset !== undefined && tensor.byteLength !== undefined
        ? tensor.fileOffset + tensor.byteLength
        : undefined;
    return html`<div class="detail-body">
      <dl>
        <div class="whole">
          <span class="mono">${fileText(tensor.name)}</span>
          <gguf-copy-button
            caption="Copy name"
            label="Copy the tensor’s name"
            .text=${() => tensor.name}
          ></gguf-copy-button>
        </div>
        <div>
          <dt>Type</dt>
          <dd>${tensor.type} <span class="dim">(id ${tensor.typeId})</span></dd>
        </div>
        ${
          info && info.blockSize > 0
            ? html`<div>
                <dt>Block</dt>
                <dd>
                  ${counted(info.blockSize, "element")} in ${counted(info.typeSize, "byte")}
                  <span class="dim">(${Number(((info.typeSize * 8) / info.blockSize).toFixed(3))} bits each)</span>
                </dd>
              </div>`
            : nothing
        }
        <div>
          <dt>Dimensions, fastest first</dt>
          <dd class="mono">${dimensions(tensor)}</dd>
        </div>
        <div>
          <dt>Elements</dt>
          <dd>${tensor.elementCount === undefined ? "too many to count" : grouped(tensor.elementCount)}</dd>
        </div>
        <div>
          <dt>Size</dt>
          <dd>${tensor.byteLength === undefined ? "unknown" : html`${grouped(tensor.byteLength)} bytes`}</dd>
        </div>
        <div>
          <dt>Offset in the tensor data</dt>
          <dd><span class="mono">${hex(tensor.offset)}</span> <span class="dim">(${grouped(tensor.offset)})</span></dd>
        </div>
        <div>
          <dt>Bytes of the file</dt>
          <dd class="mono">
            ${tensor.fileOffset === undefined ? "unknown" : hex(tensor.fileOffset)}${end === undefined ? nothing : html`<span class="times">–</span>${hex(end)}`}
          </dd>
        </div>
      </dl>
      <gguf-tensor-bytes .gguf=${this.gguf} .tensor=${tensor} .block=${info}></gguf-tensor-bytes>
    </div>`;
  }

  readonly #onText = (event: Event) => {
    this.text = (event.target as HTMLInputElement).value;
    this.active = -1;
    this.rows.scrollToTop();
  };

  readonly #onSearchKey = (event: KeyboardEvent) => {
    if (event.key === "Escape") {
      this.text = "";
    } else if (event.key === "ArrowDown" || event.key === "Enter") {
      event.preventDefault();
      this.scroller?.focus();
      if (this.#rows.length > 0) this.activate(0);
    }
  };

  readonly #onGroup = () => {
    this.grouped = !this.grouped;
    this.active = -1;
    this.rows.scrollToTop();
  };

  #onType(type: string): void {
    const types = new Set(this.types);
    if (!types.delete(type)) types.add(type);
    this.types = types;
    this.active = -1;
    this.rows.scrollToTop();
  }

  #onSort(column: TensorColumn): void {
    const same = this.order.column === column;
    // Of numbers that differ, the largest are what one looks for; places and names start at the beginning.
    const largestFirst = column === "elements" || column === "bytes";
    this.order = { column, descending: same ? !this.order.descending : largestFirst };
    this.active = -1;
    this.rows.scrollToTop();
    const title = COLUMNS.find((known) => known.column === column)?.title;
    announce(
      this,
      `Sorted by ${column === "index" ? "index" : title}, ${this.order.descending ? "descending" : "ascending"}`,
    );
  }
}

function dimensions(tensor: TensorInfo) {
  if (tensor.dimensions.length === 0) return html`<span class="dim">scalar</span>`;
  return tensor.dimensions.map(
    (size, i) => html`${i === 0 ? nothing : html`<span class="times">×</span>`}${grouped(size)}`,
  );
}
