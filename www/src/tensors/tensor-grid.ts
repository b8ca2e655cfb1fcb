import { html } from "lit";
import { property, state } from "lit/decorators.js";
import type { Mark } from "../gguf/shown-file.ts";
import { icons } from "../ui/icons.ts";
import { formatBytes, formatCount, formatParameters } from "../ui/numbers.ts";
import { renderText } from "../ui/render-text.ts";
import { RowTable } from "../ui/row-table.ts";
import type { TensorGroup, TensorRow } from "./tensor-rows.ts";

/** A grid whose rows are tensors, and the groups that they are in. */
export abstract class TensorGrid extends RowTable {
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
    return shown?.kind === "group" ? !this.collapsed.has(shown.group.name) : super.isOpen(row);
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
