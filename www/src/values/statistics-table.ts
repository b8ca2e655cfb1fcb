import type { TensorStatistics } from "gguf-wasm/full";
import { css, html, LitElement } from "lit";
import { property } from "lit/decorators.js";
import { formatCount, formatInteger, formatMeasured, formatPercent } from "../ui/numbers.ts";
import { baseStyles } from "../ui/styles.ts";
import { define } from "../ui/define.ts";
import { rowPadding, ruledTableStyles } from "../ui/styles/tables.ts";

/** The statistics of a tensor, or of a sample of it. */
export class GgufStatisticsTable extends LitElement {
  @property({ attribute: false }) statistics!: TensorStatistics;
  /** The number of elements of the tensor or slice. */
  @property({ attribute: false }) elements!: number;
  /** The slice in words; "" for the whole tensor. */
  @property() scope = "";

  static override styles = [
    baseStyles,
    css`
      :host {
        display: block;
      }
      ${ruledTableStyles}
      caption {
        padding: 3px 0 8px;
        text-align: start;
        font-size: var(--gguf-text-control);
        font-weight: 600;
      }
      caption span {
        font-size: var(--gguf-text-dense);
        font-weight: 400;
        color: var(--gguf-ink-2);
      }
      th {
        padding: ${rowPadding(3)} 12px ${rowPadding(3)} 0;
        color: var(--gguf-ink-2);
      }
      td {
        padding: ${rowPadding(3)} 0;
        text-align: end;
        font-family: var(--gguf-mono);
        font-size: var(--gguf-text-small);
      }
      .part {
        color: var(--gguf-ink-3);
      }
      .odd {
        color: var(--gguf-warning);
      }
    `,
  ];

  override render() {
    const { statistics, elements } = this;
    const figure = (title: string, value: number) =>
      html`<tr>
        <th scope="row">${title}</th>
        <td title=${String(value)}>${Number.isNaN(value) ? "–" : formatMeasured(value)}</td>
      </tr>`;
    const number = (title: string, value: number, odd = false) =>
      html`<tr>
        <th scope="row">${title}</th>
        <td class=${odd && value > 0 ? "odd" : ""}>
          ${formatInteger(value)}${value > 0 ? html` <span class="part">${formatPercent(value, statistics.count)}</span>` : ""}
        </td>
      </tr>`;
    return html`<table>
      <caption>
        Statistics
        <span
          >${
            statistics.count < elements
              ? `of a sample: ${formatInteger(statistics.count)} of ${formatCount(elements, "element")}`
              : `of all ${formatCount(elements, "element")}`
          }${this.scope === "" ? "" : `, ${this.scope}`}</span
        >
      </caption>
      <tbody>
        ${figure("Minimum", statistics.min)} ${figure("Maximum", statistics.max)} ${figure("Mean", statistics.mean)}
        ${figure("Standard deviation", statistics.standardDeviation)}
        ${figure("Largest magnitude", statistics.absoluteMaximum)}
        <tr>
          <th scope="row">Count</th>
          <td>${formatInteger(statistics.count)}</td>
        </tr>
        ${number("Zeros", statistics.zeros)} ${number("NaN", statistics.nans, true)}
        ${number("+Infinity", statistics.positiveInfinities, true)}
        ${number("−Infinity", statistics.negativeInfinities, true)}
      </tbody>
    </table>`;
  }
}

define("gguf-statistics-table", GgufStatisticsTable);
