import type { GgmlTypeInfo, Gguf, TensorInfo } from "gguf-wasm/explain";
import { html, nothing, type PropertyValues } from "lit";
import { property, state } from "lit/decorators.js";
import { tensorRole } from "../gguf/library.ts";
import type { OpenedModel } from "../gguf/opened-model.ts";
import type { EditedFile } from "../gguf/shown-file.ts";
import { type TypeShare, typeShares } from "../gguf/tensor-types.ts";
import { typeColours } from "../gguf/type-styles.ts";
import { announce } from "../ui/announce.ts";
import { define } from "../ui/define.ts";
import { formatCount, formatInteger } from "../ui/numbers.ts";
import { sortStyles } from "../ui/sort-head.ts";
import { StateReporter } from "../ui/state-reporter.ts";
import { baseStyles } from "../ui/styles.ts";
import { TableSearch } from "../ui/table-search.ts";
import { tableStyles } from "../ui/table-styles.ts";
import { type FileValues, valuesOf } from "../values/file-values.ts";
import { hasSlice } from "../values/slices.ts";
import { type BlockSizes, blockShare, blockSizes } from "./block-sizes.ts";
import { searchTensors } from "./search-tensors.ts";
import { tensorCells } from "./tensor-cells.ts";
import {
  columnsOf,
  FILE_ORDER,
  isFileOrder,
  type ListWidth,
  orderAfterClick,
  orderText,
  orderWithinGroups,
  renderColumnHead,
} from "./tensor-columns.ts";
import { tensorDetail } from "./tensor-detail.ts";
import { renderTensorFilters } from "./tensor-filters.ts";
import { renderGroupCells, TensorGrid } from "./tensor-grid.ts";
import { RoleTitles } from "./tensor-roles.ts";
import { tensorRows, typeCounts } from "./tensor-rows.ts";
import type { TensorColumn, TensorOrder, TensorsState } from "./tensor-state.ts";
import { opener, paneStyles, renderPane } from "./tensor-pane.ts";
import { tensorTableStyles } from "./tensor-table-styles.ts";

interface ShowRowOptions {
  /** The position of the tensor in the file. */
  position?: number | undefined;
  /** Whether a filter that hides the tensor stays. */
  keepFilter?: boolean | undefined;
}

/** All tensors: sorted, filtered, grouped by block. */
export class GgufTensorTable extends TensorGrid {
  @property({ attribute: false }) gguf!: Gguf;
  /** The rows to list, in file order: the tensors of the file, or the tensors after editing. */
  @property({ attribute: false }) tensors: readonly TensorInfo[] = [];
  /** The file after editing. Undefined while the file is not being edited. */
  @property({ attribute: false }) edits: EditedFile | undefined;
  @property({ attribute: false }) typeInfos: readonly GgmlTypeInfo[] = [];
  /** The files that have the values of the tensors, and the HTTP headers for them. */
  @property({ attribute: false }) model!: OpenedModel;
  @property({ attribute: false }) headers: HeadersInit | undefined;
  /** The filter, the order and the groups. Changes are reported with the event `gguf-table`. */
  @property({ attribute: false }) tableState: TensorsState | undefined;
  @state() private text = "";
  @state() private types: ReadonlySet<string> = new Set();
  @state() private order: TensorOrder = FILE_ORDER;
  @state() private grouped = false;
  /** The tensors that match the text, in file order. */
  @state() private found: readonly TensorInfo[] = [];
  /** The bytes of each block. Empty until they are known. */
  @state() private blockSizes: BlockSizes = new Map();

  private values!: FileValues;
  #tensorsShown = 0;
  #adding: AbortController | undefined;
  /** The index of the tensor that was selected last. A filter may hide it. */
  #selected: number | undefined;
  /** The slice that a link asks for, until its tensor is shown. */
  #wantedSlice: readonly number[] | undefined;
  #shares: readonly TypeShare[] = [];
  readonly #roles = new RoleTitles();
  /** The number of tensors of each type that match the text of the filter. */
  #typeCounts: ReadonlyMap<string, number> = new Map();
  /** The search by text. Its progress is a percentage. */
  readonly #search = new TableSearch<number>(this);
  readonly #reporter = new StateReporter(this, (state) => ({ tensors: state }));

  constructor() {
    super();
    this.addEventListener("gguf-slice", () => this.requestUpdate());
    this.addEventListener("gguf-show-tensor", (event) => void this.#showOther(event as CustomEvent<TensorInfo>));
  }

  static override styles = [baseStyles, tableStyles, sortStyles, typeColours, tensorTableStyles, paneStyles];

  protected override get editsRows(): boolean {
    return this.edits !== undefined;
  }

  protected onActivated(row: number): void {
    const shown = this.tensorRows[row];
    this.#wantedSlice = undefined;
    if (shown?.kind !== "tensor") return;
    this.#selected = shown.tensor.index;
    this.pane.follow(shown.tensor.index);
    this.dispatchEvent(
      new CustomEvent("gguf-select", { detail: { tensor: shown.tensor.name }, bubbles: true, composed: true }),
    );
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    // An element that is only moved is connected again at once.
    queueMicrotask(() => {
      if (!this.isConnected) this.values.stop();
    });
  }

  override willUpdate(changed: PropertyValues): void {
    if (changed.has("model")) {
      if (changed.get("model")) this.values.stop();
      this.values = valuesOf(this.model, this.headers);
    }
    if (changed.has("gguf")) {
      this.pane.show(undefined);
      this.active = -1;
      this.#selected = undefined;
      this.#shares = typeShares(this.gguf.tensors);
    }
    if (changed.has("tensors")) void this.#addSizes();
    if (changed.has("tableState") && this.#reporter.adopts(this.tableState ?? {})) this.#adopt(this.tableState ?? {});
    if (changed.has("tensors") || changed.has("text"))
      this.#find(changed.has("gguf") || changed.has("text") ? [] : this.found);
    if (changed.has("found") && !this.#isSearching) this.#typeCounts = typeCounts(this.found, { text: "" });
    if (["found", "types", "order", "grouped", "collapsed"].some((name) => changed.has(name))) {
      this.tensorRows = tensorRows(
        this.found,
        { text: "", types: this.types },
        this.order,
        this.grouped ? { collapsed: this.collapsed } : undefined,
      );
      this.rowsChanged();
      this.#tensorsShown = 0;
      for (const row of this.tensorRows) {
        if (row.kind === "group") this.#tensorsShown += row.group.tensors.length;
        else if (!row.grouped) this.#tensorsShown += 1;
      }
    }
    if (!this.hasUpdated) return;
    if (changed.has("text")) void this.#search.ended.then(this.#announceCount);
    else if (changed.has("types")) this.#announceCount();
  }

  /** Adds up the bytes of each block. */
  async #addSizes(): Promise<void> {
    this.#adding?.abort();
    const { signal } = (this.#adding = new AbortController());
    const sizes = await blockSizes(this.tensors, signal).catch(() => undefined);
    if (sizes && !signal.aborted) this.blockSizes = sizes;
  }

  get #isSearching(): boolean {
    return this.#search.progress !== undefined;
  }

  /** Searches the tensors. `before` are the matches before an edit. */
  #find(before: readonly TensorInfo[]): void {
    const { tensors, text } = this;
    this.#search.start((signal, percent) => {
      const found = (matches: readonly TensorInfo[]) => (this.found = matches);
      return searchTensors(tensors, { text, roleOf: this.#roles.of }, before, signal, { found, percent });
    });
  }

  readonly #announceCount = () => {
    if (this.#isSearching) return;
    announce(this, `${formatInteger(this.#tensorsShown)} of ${formatCount(this.gguf.tensors.length, "tensor")} shown`);
  };

  /** Adopts a state that the page sets. Types that no tensor of this file has are ignored. */
  #adopt(state: TensorsState): void {
    this.text = state.filter ?? "";
    this.types = new Set(state.types?.filter((type) => this.#shares.some((share) => share.type === type)));
    this.order = state.sort ?? FILE_ORDER;
    this.grouped = state.grouped ?? false;
    this.collapsed = new Set(state.closed);
    this.#wantedSlice = state.slice;
    // If the tensor stays selected, it is selected again after this.
    this.#selected = undefined;
  }

  protected override updated(): void {
    super.updated();
    const { text, types, order, grouped, collapsed } = this;
    const selected = this.#selected;
    const slice = this.#wantedSlice ?? (selected === undefined ? undefined : this.values.slices.get(selected));
    this.#reporter.report({
      ...(text === "" ? {} : { filter: text }),
      ...(types.size === 0 ? {} : { types: [...types] }),
      ...(isFileOrder(order) ? {} : { sort: order }),
      ...(grouped ? { grouped: true } : {}),
      ...(collapsed.size === 0 ? {} : { closed: [...collapsed] }),
      ...(slice ? { slice } : {}),
    });
  }

  /**
   * Selects and opens the tensor with a name. If several tensors have the name, `position` chooses one; otherwise it is the first. A filter
   * that hides the tensor is cleared. With `keepFilter` the filter stays, and the tensor is open as soon as the filter shows it.
   */
  async showRow(name: string, { position, keepFilter = false }: ShowRowOptions = {}): Promise<void> {
    const place = this.edits && position !== undefined ? this.edits.originOf(position) : position;
    const own = place === undefined ? undefined : this.tensors[place];
    const wanted = (tensor: TensorInfo) => (own?.name === name ? tensor === own : tensor.name === name);
    await this.updateComplete;
    await this.#search.ended;
    const { types } = this;
    if (keepFilter && !this.found.some((tensor) => wanted(tensor) && (types.size === 0 || types.has(tensor.type))))
      this.#openHidden(this.tensors.find(wanted));
    else await this.#showFirst(wanted);
  }

  /** Selects and opens a tensor that the filter hides. */
  #openHidden(tensor: TensorInfo | undefined): void {
    if (!tensor) return;
    this.#showWantedSlice(tensor);
    this.#wantedSlice = undefined;
    this.#selected = tensor.index;
    this.active = -1;
    this.pane.show(tensor.index);
  }

  /** Shows another tensor in the pane. */
  async #showOther({ detail: wanted }: CustomEvent<TensorInfo>): Promise<void> {
    await this.#showFirst((tensor) => tensor.index === wanted.index);
    const pane = this.pane.place === "over" ? this.renderRoot.querySelector<HTMLElement>(".pane") : undefined;
    (pane ?? this.scroller)?.focus({ preventScroll: true });
  }

  async #showFirst(wanted: (tensor: TensorInfo) => boolean): Promise<void> {
    await this.updateComplete;
    await this.#search.ended;
    await this.updateComplete;
    const find = () => this.tensorRows.findIndex((shown) => shown.kind === "tensor" && wanted(shown.tensor));
    // A filter that shows the tensor stays.
    if (find() < 0) {
      this.collapsed = new Set();
      await this.updateComplete;
    }
    if (find() < 0) {
      this.text = "";
      this.types = new Set();
      await this.updateComplete;
    }
    const row = find();
    const shown = this.tensorRows[row];
    if (shown?.kind !== "tensor") return;
    this.#showWantedSlice(shown.tensor);
    this.toggle(row, true);
    await this.show(row);
  }

  /** Shows the slice of a tensor that a link asks for, if the tensor has it. */
  #showWantedSlice(tensor: TensorInfo): void {
    const slice = this.#wantedSlice;
    if (!slice || !hasSlice(slice, tensor)) return;
    this.values.slices.set(tensor.index, slice);
    for (const values of this.renderRoot.querySelectorAll("gguf-tensor-values"))
      if (values.tensor.index === tensor.index) values.showSlice(slice);
  }

  /** How many tensors are shown, in words. */
  get #countText(): string {
    if (this.#isSearching) return `Searching… ${this.#search.progress} %`;
    const total = this.gguf.tensors.length;
    const shown = this.#tensorsShown;
    return shown === total ? formatCount(total, "tensor") : `${formatInteger(shown)} of ${formatInteger(total)}`;
  }

  override render() {
    const total = this.gguf.tensors.length;
    const width = this.#listWidth;
    const columns = columnsOf(width);
    const { place } = this.pane;
    return html`
      <div class="top" ?inert=${place === "over"}>
        ${renderTensorFilters({
          text: this.text,
          count: this.#countText,
          isNarrow: this.narrow,
          isGrouped: this.grouped,
          within: orderWithinGroups(this.order, this.grouped),
          shares: this.#shares,
          types: this.types,
          counts: this.#typeCounts,
          search: this.#onText,
          onKey: this.#onSearchKey,
          group: this.#onGroup,
          toggleType: (type) => this.#onType(type),
        })}
      </div>
      <div class="panes ${place ?? ""} ${this.narrow ? "narrow" : ""}" @keydown=${this.#onPaneKey}>
        <div class="wrap ${width}" ?inert=${place === "over"}>
          ${this.renderGrid({
            label: "Tensors",
            columns: columns.length,
            head: html`${columns.map((column) => renderColumnHead(column, this.order, () => this.#onSort(column.column)))}`,
            empty: total === 0 ? "This file has no tensors." : this.#isSearching ? "Searching…" : "No tensors match.",
          })}
        </div>
        ${this.#renderPane()}
      </div>
    `;
  }

  get #listWidth(): ListWidth {
    if (this.narrow) return "narrow";
    if (this.pane.place === "beside") return "slim";
    return this.medium ? "medium" : "wide";
  }

  #renderPane() {
    const { shown: index, place } = this.pane;
    const tensor = index === undefined ? undefined : this.#tensorAt(index);
    const { edits } = this;
    if (!tensor || !place) return nothing;
    return renderPane({
      tensor,
      place,
      content: (buttons) =>
        tensorDetail({
          gguf: this.gguf,
          values: this.values,
          // Values are read from the stored file, not from the edited one.
          tensor: (edits && this.gguf.tensors[tensor.index]) ?? tensor,
          info: this.#typeInfoOf(tensor),
          buttons,
          fields: edits?.renderTensor(tensor, this.marks?.get(tensor.index)) ?? nothing,
        }),
      before: this.stepTo(-1),
      after: this.stepTo(1),
      close: () => this.showTensor(undefined),
    });
  }

  /** The listed tensor with an index in the file. */
  #tensorAt(index: number): TensorInfo | undefined {
    const usual = this.tensors[index];
    return usual?.index === index ? usual : this.tensors.find((tensor) => tensor.index === index);
  }

  protected renderCells(row: number) {
    const shown = this.tensorRows[row];
    if (!shown) return html``;
    if (shown.kind === "group") return renderGroupCells(shown.group);
    const { tensor } = shown;
    const cells = tensorCells(tensor, {
      highlight: this.text.trim().toLowerCase(),
      share: blockShare(tensor, this.blockSizes),
      mark: this.marks?.get(tensor.index),
      role: tensorRole(tensor.name),
    });
    return html`${columnsOf(this.#listWidth).map(({ column }) => cells[column]())}${opener}`;
  }

  /** What is known about the type of a tensor. A type that is not believed, or that another program owns, may have the same id. */
  #typeInfoOf({ type, typeId, typeOwner }: TensorInfo): GgmlTypeInfo | undefined {
    return typeOwner === undefined ? this.typeInfos.find(({ id, name }) => id === typeId && name === type) : undefined;
  }

  /** Escape moves the focus from the pane to the list, and closes the pane if the list has the focus or is covered. */
  readonly #onPaneKey = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || event.defaultPrevented || this.pane.place === undefined) return;
    event.preventDefault();
    if (this.pane.place === "over" || event.composedPath()[0] === this.scroller) this.showTensor(undefined);
    else this.focusRows();
  };

  readonly #onText = (text: string) => {
    this.text = text;
    this.toTop();
  };

  readonly #onSearchKey = (event: KeyboardEvent) => {
    if (event.key === "Escape") {
      this.text = "";
    } else if (event.key === "ArrowDown" || event.key === "Enter") {
      event.preventDefault();
      this.scroller?.focus();
      if (this.tensorRows.length > 0) this.activate(0);
    }
  };

  readonly #onGroup = () => {
    this.grouped = !this.grouped;
    this.toTop();
  };

  #onType(type: string): void {
    const types = new Set(this.types);
    if (!types.delete(type)) types.add(type);
    this.types = types;
    this.toTop();
  }

  #onSort(column: TensorColumn): void {
    this.order = orderAfterClick(this.order, column);
    this.toTop();
    announce(this, orderWithinGroups(this.order, this.grouped) || orderText(this.order));
  }
}

define("gguf-tensor-table", GgufTensorTable);
