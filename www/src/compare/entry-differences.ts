import type { MetadataValue } from "gguf-wasm/explain";
import type { ComparedEntry, Comparison, EntryChange, EntryDifference, ValueDetails } from "gguf-wasm/full";
import { html, nothing } from "lit";
import { isArray, valueText } from "../metadata/metadata-rows.ts";
import { define } from "../ui/define.ts";
import "../gguf/line-diff.ts";
import { renderText } from "../ui/render-text.ts";
import { baseStyles } from "../ui/styles.ts";
import { sortStyles } from "../ui/sort-head.ts";
import { tableStyles } from "../ui/table-styles.ts";
import { hasLines } from "../ui/text-difference.ts";
import "./array-difference.ts";
import "./byte-difference.ts";
import { DifferenceList } from "./difference-list.ts";
import { differenceStyles } from "./difference-styles.ts";
import { DifferenceTable } from "./difference-table.ts";
import { elementText, elementTexts } from "./element-text.ts";
import type { Side } from "./sides.ts";
import { changeTitle, ENTRY_CHANGES } from "./words.ts";

/** The most characters of a value that a detail shows. */
const MAX_VALUE_LENGTH = 20_000;

/** A text of one line that is longer than this is compared as lines, so that both versions stand below each other. */
const LONG_TEXT = 120;

/** The metadata entries that differ. */
export class GgufEntryDifferences extends DifferenceTable<EntryChange, EntryDifference> {
  protected readonly noun = { one: "entry", many: "entries" };
  protected readonly allKinds = ENTRY_CHANGES;
  /** The details of the open rows. They are computed once, because an array may be long. */
  readonly #details = new Map<number, ValueDetails | undefined>();

  /** The values of arrays of arrays, for the same reason. */
  readonly #nestedTexts = new Map<number, readonly [string, string]>();

  static override styles = [baseStyles, tableStyles, sortStyles, differenceStyles];

  protected get sortColumns() {
    return { key: { keyOf: ({ key }: EntryDifference) => key, isLargestFirst: false } };
  }

  protected listOf(comparison: Comparison): DifferenceList<EntryDifference> {
    this.#details.clear();
    this.#nestedTexts.clear();
    return new DifferenceList(comparison.entryCount, (start, end) => comparison.entries(start, end));
  }

  protected countOf(kind: EntryChange): number {
    return this.comparison.counts.entries[kind];
  }

  protected namesOf({ key }: EntryDifference): readonly string[] {
    return [key.toLowerCase()];
  }

  protected override get keepsRows(): boolean {
    return true;
  }

  protected get rowHeight(): number {
    if (this.isDense) return this.narrow ? 46 : 28;
    return this.narrow ? 56 : 38;
  }

  protected textToCopy(row: number): string | undefined {
    return this.differenceAt(row)?.key;
  }

  protected renderTable() {
    return html`<div class="entries">
      ${this.renderGrid({
        label: "Metadata differences",
        columns: this.narrow ? 3 : 4,
        head: this.narrow
          ? html`${this.renderHead("key", "Key")}<span role="columnheader">Change</span
              ><span role="columnheader">A → B</span>`
          : html`<span role="columnheader">Change</span>${this.renderHead("key", "Key")}<span role="columnheader"
                >A</span
              ><span role="columnheader">B</span>`,
        empty: this.comparison.entryCount === 0 ? "The metadata is equal." : "No entries match.",
      })}
    </div>`;
  }

  protected renderCells(row: number) {
    const difference = this.differenceAt(row);
    if (!difference) return html``;
    const { key, change, a, b } = difference;
    const isRetyped = change === "retyped";
    const [from, to] = this.#cellTexts(this.indexOf(row), difference);
    const name = html`<span role="rowheader" class="name">${renderText(key, { limit: 200 })}</span>`;
    const word = html`<span role="gridcell"><span class="change">${changeTitle(difference)}</span></span>`;
    if (this.narrow)
      return html`${name}${word}<span role="gridcell" class="side both"
          >${renderSide(a, from, isRetyped)} → ${renderSide(b, to, isRetyped)}</span
        >`;
    return html`${word}${name}<span role="gridcell" class="side">${renderSide(a, from, isRetyped)}</span
      ><span role="gridcell" class="side">${renderSide(b, to, isRetyped)}</span>`;
  }

  /** The values of a row. Of arrays of arrays, the first elements that differ. */
  #cellTexts(index: number, { a, b }: EntryDifference): readonly [string, string] {
    if (a === undefined || b === undefined || !isNested(a) || !isNested(b)) return [a?.value ?? "", b?.value ?? ""];
    let texts = this.#nestedTexts.get(index);
    if (texts === undefined) {
      const [from, to] = [valueOf(this.a, a), valueOf(this.b, b)];
      if (from === undefined || to === undefined) return [a.value, b.value];
      texts = elementTexts([from, a.type], [to, b.type]);
      this.#nestedTexts.set(index, texts);
    }
    return texts;
  }

  protected renderDetail(row: number) {
    const difference = this.differenceAt(row);
    if (!difference) return html``;
    const { key, change, isMoved, a, b } = difference;
    const place = (side: ComparedEntry | undefined) => side && { name: { key }, index: side.index };
    return html`<div class="detail-body">
      <h3>${renderText(key, { limit: 600 })}</h3>
      ${
        isMoved && a && b
          ? html`<p class="hint">Its position is ${a.index + 1} in A and ${b.index + 1} in B.</p>`
          : nothing
      }
      ${change === "moved" ? this.#renderValue("A and B", key, this.a, a) : this.#renderValues(this.indexOf(row), difference)}
      ${this.renderPlaces(place(a), place(b))}
    </div>`;
  }

  #renderValues(index: number, { key, a, b }: EntryDifference) {
    const [from, to] = [valueOf(this.a, a), valueOf(this.b, b)];
    // Bytes that are no UTF-8 become the same replacement character, so different bytes can give equal texts.
    if (typeof from === "string" && from === to && a && b && a.type === b.type) return this.#renderBytes(a, b);
    if (typeof from === "string" && typeof to === "string" && isCompared(from, to))
      return html`<gguf-line-diff .from=${from} .to=${to}></gguf-line-diff>`;
    const details = this.#detailsOf(index);
    const isArrays = details !== undefined && from !== undefined && to !== undefined && isArray(from) && isArray(to);
    return html`<div class="sides">
        ${this.#renderValue("A", key, this.a, a)}${this.#renderValue("B", key, this.b, b)}
      </div>
      ${
        isArrays
          ? html`<gguf-array-difference .a=${from} .b=${to} .details=${details} label=${key}></gguf-array-difference>`
          : nothing
      }`;
  }

  #renderBytes(a: ComparedEntry, b: ComparedEntry) {
    const [from, to] = [bytesOf(this.a, a), bytesOf(this.b, b)];
    if (!from || !to) return nothing;
    return html`<gguf-byte-difference .a=${from} .b=${to}></gguf-byte-difference>`;
  }

  #detailsOf(index: number): ValueDetails | undefined {
    if (!this.#details.has(index)) this.#details.set(index, this.comparison.entryDetails(index));
    return this.#details.get(index);
  }

  #renderValue(label: string, key: string, { model }: Side, side: ComparedEntry | undefined) {
    if (!side)
      return html`<div>
        <h4>${label}</h4>
        <p class="absent">No such entry.</p>
      </div>`;
    const value = model.gguf.entries[side.index]?.value;
    const text =
      value === undefined || (isArray(value) && !isNested(side))
        ? side.value
        : isArray(value)
          ? elementText(value, side.type)
          : valueText(value, side.type);
    return html`<div>
      <h4>${label} · ${side.type}</h4>
      <div class="value" tabindex="0" role="region" aria-label="Value of ${key} in ${label}">
        ${renderText(text, { limit: MAX_VALUE_LENGTH, inline: false })}
      </div>
    </div>`;
  }
}

/** Whether a value is an array of arrays. The comparison shows only the lengths of the inner ones. */
function isNested({ type }: ComparedEntry): boolean {
  return type.endsWith("[][]");
}

function renderSide(side: ComparedEntry | undefined, text: string, withType: boolean) {
  if (!side) return html`<span class="absent">none</span>`;
  return html`${withType ? html`<span class="type">${side.type}</span>` : nothing}${renderText(text)}`;
}

function valueOf({ model }: Side, side: ComparedEntry | undefined): MetadataValue | undefined {
  return side && model.gguf.entries[side.index]?.value;
}

function bytesOf({ model }: Side, { index }: ComparedEntry): Uint8Array | undefined {
  const entry = model.gguf.entries[index];
  return entry && model.gguf.stringBytes(entry);
}

/** Whether two texts are shown as a difference of lines. */
function isCompared(from: string, to: string): boolean {
  return hasLines(from, to) || Math.max(from.length, to.length) > LONG_TEXT;
}

define("gguf-entry-differences", GgufEntryDifferences);
