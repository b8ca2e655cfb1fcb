import { html } from "lit";
import { property, state } from "lit/decorators.js";
import type { Mark } from "../gguf/shown-file.ts";
import { icons } from "../ui/icons.ts";
import { formatBytes, formatCount, formatParameters } from "../ui/numbers.ts";
import { renderText } from "../ui/render-text.ts";
import { RowTable } from "../ui/row-table.ts";
import { TensorPane } from "./tensor-pane.ts";
import type { TensorGroup, TensorRow } from "./tensor-rows.ts";

/** A grid whose rows are tensors, and the groups that they are in. The details of a tensor open in a pane, not below its row. */
export abstract class TensorGrid extends RowTable {
  protected readonly pane = new TensorPane(this);
  /** The marks of changed tensors, by their index in the file. */
  @property({ attribute: false }) marks: ReadonlyMap<number, Mark> | undefined;
  /** The names of the groups that are closed. */
  @state() protected collapsed: ReadonlySet<string> = new Set();
  protected tensorRows: readonly TensorRow[] = [];

  protected get rowCount(): number {
    return this.tensorRows.length;
  }
  protected get rowHeight(): number {
    if (this.isDense) return this.narrow ? 48 : 28;
    return this.narrow ? 68 : 46;
  }
  protected keyOf(row: number): string {
    const shown = this.tensorRows[row];
    return shown?.kind === "tensor" ? tensorKey(shown.tensor) : `group ${shown?.group.name}`;
  }
  protected canOpen(row: number): boolean {
    return this.tensorRows[row] !== undefined;
  }
  protected override isOpen(row: number): boolean {
    const shown = this.tensorRows[row];
    if (shown?.kind === "group") return !this.collapsed.has(shown.group.name);
    return shown !== undefined && shown.tensor.index === this.pane.current;
  }
  protected rowClass(row: number): string {
    const shown = this.tensorRows[row];
    if (shown?.kind !== "tensor") return shown ? "group" : "";
    return `${shown.grouped ? "in-group" : ""} ${this.marks?.get(shown.tensor.index) ?? ""}`;
  }
  protected get expands(): boolean {
    return true;
  }
  protected rowLevel(row: number): number {
    const shown = this.tensorRows[row];
    return shown?.kind === "tensor" && shown.grouped ? 2 : 1;
  }
  protected textToCopy(row: number): string | undefined {
    const shown = this.tensorRows[row];
    return shown?.kind === "tensor" ? shown.tensor.name : shown?.group.name;
  }
  protected override toggle(row: number, open = !this.isOpen(row)): void {
    const shown = this.tensorRows[row];
    if (!shown || open === this.isOpen(row)) return;
    if (shown.kind === "tensor") {
      this.showTensor(open ? shown.tensor.index : undefined);
      return;
    }
    const collapsed = new Set(this.collapsed);
    if (open) collapsed.delete(shown.group.name);
    else collapsed.add(shown.group.name);
    this.collapsed = collapsed;
  }

  /** Opens the pane with a tensor, or closes it. The focus follows if the pane covers the list. */
  protected showTensor(tensor: number | undefined): void {
    const focused = this.renderRoot instanceof ShadowRoot ? this.renderRoot.activeElement : null;
    const isInPane = focused?.closest(".pane") != null;
    this.pane.show(tensor);
    if (tensor === undefined ? isInPane : this.pane.place === "over" && focused === this.scroller)
      void this.updateComplete.then(() => this.#focusPane());
    void this.updateComplete.then(() => this.#keepInView());
  }

  /** A pane below the list may cover the row that opened it. */
  #keepInView(): void {
    this.renderRoot.querySelector(`#row-${this.active}`)?.scrollIntoView({ block: "nearest" });
    this.rows.follow();
  }

  /** Moves the focus into the pane, or to the list if the pane is closed. */
  #focusPane(): void {
    const target = this.editsRows ? ".pane" : ".pane .close";
    (this.renderRoot.querySelector<HTMLElement>(target) ?? this.scroller)?.focus({ preventScroll: true });
  }

  /** Goes to the tensor before or after the one that the pane shows. Undefined at the ends of the list. */
  protected stepTo(step: 1 | -1): (() => void) | undefined {
    const { tensorRows } = this;
    // After another order, no row is current.
    const from = this.isOpen(this.active)
      ? this.active
      : tensorRows.findIndex((shown) => shown.kind === "tensor" && shown.tensor.index === this.pane.current);
    let row = from < 0 && step < 0 ? -1 : from + step;
    while (tensorRows[row]?.kind === "group") row += step;
    const next = tensorRows[row];
    if (next?.kind !== "tensor") return undefined;
    return () => {
      this.activate(row);
      this.pane.show(next.tensor.index);
      this.rows.reveal(row);
      // The details of another tensor are other elements, so the button that was pressed is gone.
      void this.updateComplete.then(() =>
        this.renderRoot.querySelector<HTMLElement>(`.pane [data-step="${step}"]`)?.focus({ preventScroll: true }),
      );
    };
  }

  /** Scrolls to the first row after another choice of rows. */
  protected toTop(): void {
    this.active = -1;
    this.rows.scrollToTop();
  }

  /** The details are in the pane. */
  protected renderDetail() {
    return html``;
  }
}

/** The cells of a group: its name, and the sums of its tensors. */
export function renderGroupCells(group: TensorGroup) {
  return html`<span role="rowheader"
      ><span class="chevron">${icons.chevron}</span>
      ${group.name === "" ? "Outside blocks" : html`<span class="mono">${renderText(group.name)}</span>`}</span
    ><span role="gridcell" class="totals"
      >${formatCount(group.tensors.length, "tensor")} · ${formatParameters(group.elements)} ·
      ${formatBytes(group.bytes)}</span
    >`;
}

/** The key of a tensor's row. */
export function tensorKey(tensor: { readonly index: number }): string {
  return String(tensor.index);
}
