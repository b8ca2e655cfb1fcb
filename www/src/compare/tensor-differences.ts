import type { ComparedTensor, Comparison, TensorChange, TensorDifference, ValueDifference } from "gguf-wasm/full";
import { html, nothing } from "lit";
import { property } from "lit/decorators.js";
import { ERROR_TITLE, formatError } from "../gguf/nmse.ts";
import { define } from "../ui/define.ts";
import { formatBytes, formatCount, formatId, formatInteger, formatMeasured } from "../ui/numbers.ts";
import { renderText } from "../ui/render-text.ts";
import { baseStyles } from "../ui/styles.ts";
import { sortStyles } from "../ui/sort-head.ts";
import { tableStyles } from "../ui/table-styles.ts";
import { cosineText } from "./cosine-text.ts";
import { DifferenceList } from "./difference-list.ts";
import { differenceStyles } from "./difference-styles.ts";
import { DifferenceTable, type SortColumn } from "./difference-table.ts";
import "./element-values.ts";
import { changeTitle, dataTitle, TENSOR_CHANGES } from "./words.ts";

/** A number to sort by. NaN has no place in an order. */
const measured = (value: number | undefined) => (value === undefined || Number.isNaN(value) ? undefined : value);

const NAME_COLUMN: SortColumn<TensorDifference> = { keyOf: ({ name }) => name, isLargestFirst: false };

const VALUE_COLUMNS: Readonly<Record<string, SortColumn<TensorDifference>>> = {
  nmse: { keyOf: ({ values }) => measured(values?.nmse), isLargestFirst: true },
  largest: { keyOf: ({ values }) => measured(values?.largestDifference), isLargestFirst: true },
  // The least similar tensors are the interesting ones.
  cosine: { keyOf: ({ values }) => measured(values?.cosine), isLargestFirst: false },
};

/** The tensors that differ. */
export class GgufTensorDifferences extends DifferenceTable<TensorChange, TensorDifference> {
  /** Whether values were compared, so that there are columns for them. */
  @property({ attribute: false }) hasValues = false;

  protected readonly noun = { one: "tensor", many: "tensors" };
  protected readonly allKinds = TENSOR_CHANGES;

  static override styles = [baseStyles, tableStyles, sortStyles, differenceStyles];

  protected get sortColumns() {
    return this.hasValues ? { name: NAME_COLUMN, ...VALUE_COLUMNS } : { name: NAME_COLUMN };
  }

  protected listOf(comparison: Comparison): DifferenceList<TensorDifference> {
    return new DifferenceList(comparison.tensorCount, (start, end) => comparison.tensors(start, end));
  }

  protected countOf(kind: TensorChange): number {
    return this.comparison.counts.tensors[kind];
  }

  protected namesOf({ name, nameB, a, b }: TensorDifference): readonly string[] {
    return [name, nameB ?? "", a?.type ?? "", b?.type ?? ""].map((text) => text.toLowerCase());
  }

  protected get rowHeight(): number {
    if (this.isDense) return this.narrow ? 48 : 28;
    return this.narrow ? 76 : 46;
  }

  protected textToCopy(row: number): string | undefined {
    return this.differenceAt(row)?.name;
  }

  /** Whether there is a column for the data. The columns of the values take its place if there is little room. */
  get #hasData(): boolean {
    return this.comparison.dataCoverage !== "none" && !(this.medium && this.hasValues);
  }

  protected renderTable() {
    const { hasValues } = this;
    const head = (title: string) => html`<span role="columnheader">${title}</span>`;
    const values = html`${this.renderHead("nmse", "Error", true)}${
      this.medium
        ? nothing
        : html`${this.renderHead("largest", "Largest", true)}${this.renderHead("cosine", "Cosine", true)}`
    }`;
    const shownHead = this.narrow
      ? html`${this.renderHead("name", "Name")}${head("Change")}${head("A → B")}${hasValues ? this.renderHead("nmse", "Error") : nothing}`
      : html`${head("Change")}${this.renderHead("name", "Name")}${head("A")}${head("B")}${
          this.#hasData ? head("Data") : nothing
        }${hasValues ? values : nothing}`;
    const columns = this.narrow
      ? 3 + Number(hasValues)
      : 4 + Number(this.#hasData) + (hasValues ? (this.medium ? 1 : 3) : 0);
    return html`<div class="tensors ${hasValues ? "with-values" : this.#hasData ? "with-data" : ""}">
      ${this.renderGrid({
        label: "Tensor differences",
        columns,
        head: shownHead,
        empty:
          this.comparison.tensorCount === 0
            ? this.comparison.dataCoverage === "none"
              ? "The lists of tensors are equal. Their data was not compared."
              : "No differences found."
            : "No tensors match.",
      })}
    </div>`;
  }

  protected renderCells(row: number) {
    const difference = this.differenceAt(row);
    if (!difference) return html``;
    const { name, nameB, a, b, values } = difference;
    const word = html`<span role="gridcell"><span class="change">${changeTitle(difference)}</span></span>`;
    const names = html`<span role="rowheader" class="name"
      >${renderText(name, { limit: 200 })}${nameB === undefined ? nothing : html` → ${renderText(nameB, { limit: 200 })}`}</span
    >`;
    const nmse = html`<span role="gridcell" class="number">${values ? formatError(values.nmse) : nothing}</span>`;
    if (this.narrow)
      return html`${names}${word}<span role="gridcell" class="side">${renderSide(a)} → ${renderSide(b)}</span>${
          this.hasValues ? nmse : nothing
        }`;
    return html`${word}${names}<span role="gridcell" class="side">${renderSide(a)}</span
      ><span role="gridcell" class="side">${renderSide(b)}</span>${
        this.#hasData ? html`<span role="gridcell" class="data">${dataTitle(difference) ?? nothing}</span>` : nothing
      }${
        this.hasValues
          ? html`${nmse}${
              this.medium
                ? nothing
                : html`<span role="gridcell" class="number"
                      >${values ? formatMeasured(values.largestDifference) : nothing}</span
                    ><span role="gridcell" class="number">${values && cosineText(values)}</span>`
            }`
          : nothing
      }`;
  }

  protected renderDetail(row: number) {
    const difference = this.differenceAt(row);
    if (!difference) return html``;
    const { name, nameB, isMoved, a, b, problem, values } = difference;
    const place = (side: ComparedTensor | undefined, own: string) =>
      side && { name: { tensor: own }, index: side.index };
    return html`<div class="detail-body">
      <h3>
        ${renderText(name, { limit: 600 })}${nameB === undefined ? nothing : html` → ${renderText(nameB, { limit: 600 })}`}
      </h3>
      <dl>
        ${renderFacts("A", a)}${renderFacts("B", b)}
        ${
          a && b
            ? html`<div>
                <dt>Data as stored</dt>
                <dd>${dataTitle(difference)}</dd>
              </div>`
            : nothing
        }
        ${
          isMoved && a && b
            ? html`<div>
                <dt>Position in the list</dt>
                <dd>${formatId(a.index + 1)} in A, ${formatId(b.index + 1)} in B</dd>
              </div>`
            : nothing
        }
        ${values ? renderValues(values) : nothing}
      </dl>
      ${problem === undefined ? nothing : html`<p class="problem">${renderText(problem, { limit: 600 })}</p>`}
      ${
        a && b && values?.largestAt !== undefined
          ? html`<gguf-element-values
              .a=${{ gguf: this.a.model.gguf, index: a.index }}
              .b=${{ gguf: this.b.model.gguf, index: b.index }}
              .around=${values.largestAt}
            ></gguf-element-values>`
          : nothing
      }
      ${this.renderPlaces(place(a, name), place(b, nameB ?? name))}
    </div>`;
  }
}

/** What the table says about the data of a tensor that is in both files. */
function renderSide(side: ComparedTensor | undefined) {
  if (!side) return html`<span class="absent">none</span>`;
  return html`<span class="type">${side.type}</span>${side.dimensions.map(formatInteger).join(" × ") || "scalar"}`;
}

function renderFacts(label: string, side: ComparedTensor | undefined) {
  return html`<div>
    <dt>${label}</dt>
    <dd>
      ${
        side
          ? html`${renderSide(side)}${side.byteLength === undefined ? nothing : html`, ${formatBytes(side.byteLength)}`}`
          : "No such tensor."
      }
    </dd>
  </div>`;
}

function renderValues(values: ValueDifference) {
  const fact = (label: string, value: unknown) =>
    html`<div>
      <dt>${label}</dt>
      <dd>${value}</dd>
    </div>`;
  return html`${fact(
    "Compared values",
    `${formatCount(values.count, "element")}${values.isSampled ? ", a sample" : ""}`,
  )}
  ${fact(ERROR_TITLE, formatError(values.nmse))}
  ${fact(
    "Largest difference",
    `${formatMeasured(values.largestDifference)}${values.largestAt === undefined ? "" : ` at element ${formatId(values.largestAt)}`}`,
  )}
  ${fact("Cosine similarity", cosineText(values) ?? "not defined")}
  ${values.nonFinite === 0 ? nothing : fact("Pairs left out", `${formatInteger(values.nonFinite)} with NaN or an infinite value`)}`;
}

define("gguf-tensor-differences", GgufTensorDifferences);

declare global {
  interface HTMLElementTagNameMap {
    "gguf-tensor-differences": GgufTensorDifferences;
  }
}
