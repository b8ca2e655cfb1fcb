import { css, html, LitElement, nothing, type PropertyValues, svg } from "lit";
import { property, state } from "lit/decorators.js";
import { formatCount, formatInteger, formatMeasured, formatPercent } from "./numbers.ts";
import { type BinnedNumbers, linearBars, logarithmicBars } from "./histogram-bins.ts";
import { linearPlacing, logarithmicPlacing, type Placing } from "./histogram-placing.ts";
import {
  axisOf,
  type Bar,
  barHeight,
  barWords,
  constantOf,
  type Distribution,
  distributionBars,
  finiteCount,
  describeNonFinite,
} from "./histogram-bars.ts";
import { countTicks, type Tick } from "./ticks.ts";
import { announce } from "./announce.ts";
import { baseStyles, figureStyles } from "./styles.ts";
import { columnHeads } from "./column-heads.ts";
import { define } from "./define.ts";
import { ElementWidth } from "./element-width.ts";
import { plainTableStyles, rowPadding } from "./styles/tables.ts";

/** The size of the drawing in SVG units. The drawing is stretched to the element; the labels beside it are not. */
const WIDTH = 1000;
const HEIGHT = 100;
/** The most bars. Narrower bars could not be pointed at. */
const MAX_BARS = 80;
/** The length of the marks below the bars, in SVG units. */
const LEVEL_HEIGHT = 5;
/** The least height of the bars of outliers, which are few. */
const LEAST_BEYOND = 4;

/** The distribution of numbers as bars, with a table for screen readers. */
export class GgufHistogram extends LitElement {
  @property({ attribute: false }) statistics!: Distribution;
  /** Finer bins, whose range outliers do not set. Undefined until they are known. */
  @property({ attribute: false }) bins: BinnedNumbers | undefined;
  /** Values that are marked below the bars, and what they are. */
  @property({ attribute: false }) levels: { readonly values: readonly number[]; readonly words: string } | undefined;
  @state() private logarithmic = false;
  /** Whether the axis of the numbers is logarithmic. */
  @state() private hasLogarithmicAxis = false;
  /** The index of the bar that the pointer or the keys are on; -1 for none. */
  @state() private bar = -1;
  #bars: Bar[] = [];
  #place: Placing = linearPlacing({ low: 0, high: 1 });
  readonly #box = new ElementWidth(this);

  static override styles = [
    baseStyles,
    figureStyles,
    css`
      .bar {
        justify-content: space-between;
      }
      button {
        min-height: calc(26 * var(--gguf-unit));
        padding: 0 9px;
        font-size: var(--gguf-text-small);
      }
      .chart {
        position: relative;
        display: grid;
        grid-template-columns: 4.2em 1fr;
        grid-template-rows: var(--height, 150px) auto;
        font-size: var(--gguf-text-tiny);
        color: var(--gguf-ink-2);
      }
      .plot {
        position: relative;
        border-bottom: 1px solid var(--gguf-ink-3);
        outline-offset: 2px;
        touch-action: manipulation;
      }
      svg {
        position: absolute;
        inset: 0;
        width: 100%;
        height: 100%;
        overflow: visible;
      }
      .bars {
        fill: var(--gguf-accent);
      }
      /* The numbers beyond the axis stand apart from the others. */
      .bars.beyond {
        fill: var(--gguf-warning);
      }
      .levels {
        stroke: var(--gguf-ink);
        vector-effect: non-scaling-stroke;
      }
      .level {
        display: inline-block;
        width: 1px;
        height: calc(9 * var(--gguf-unit));
        margin-inline-end: 6px;
        background: var(--gguf-ink);
      }
      .beyond .swatch {
        display: inline-block;
        width: calc(9 * var(--gguf-unit));
        height: calc(9 * var(--gguf-unit));
        margin-inline-end: 6px;
        background: var(--gguf-warning);
        forced-color-adjust: none;
      }
      .scales {
        display: flex;
        flex-wrap: wrap;
        gap: 4px;
      }
      .bars.faint {
        opacity: 0.55;
      }
      .bars.read {
        fill: var(--gguf-ink);
      }
      .grid {
        stroke: var(--gguf-line);
        vector-effect: non-scaling-stroke;
      }
      .zero {
        stroke: var(--gguf-ink-3);
        stroke-dasharray: 3 3;
        vector-effect: non-scaling-stroke;
      }
      .counts,
      .numbers {
        position: relative;
        font-variant-numeric: tabular-nums;
      }
      .counts span {
        position: absolute;
        right: 8px;
        bottom: var(--at);
        translate: 0 50%;
      }
      .numbers {
        grid-column: 2;
        height: calc(20 * var(--gguf-unit));
      }
      .numbers span {
        position: absolute;
        left: var(--at);
        top: 4px;
        translate: -50% 0;
        white-space: nowrap;
      }
      .readout {
        min-height: 1.5em;
        padding-inline-start: 4.2em;
        font-size: var(--gguf-text-dense);
        color: var(--gguf-ink-2);
      }
      .readout b {
        font: 500 var(--gguf-text-dense) var(--gguf-mono);
        color: var(--gguf-ink);
      }
      .note {
        font-size: var(--gguf-text-dense);
        color: var(--gguf-ink-2);
      }
      details {
        margin-top: 4px;
        font-size: var(--gguf-text-dense);
      }
      summary {
        width: fit-content;
        color: var(--gguf-ink-2);
        cursor: pointer;
      }
      .scroll {
        position: relative;
        max-height: 240px;
        margin-top: 6px;
        overflow: auto;
        border: 1px solid var(--gguf-line);
        border-radius: 6px;
      }
      ${plainTableStyles}
      table {
        font: var(--gguf-text-small) var(--gguf-mono);
      }
      th,
      td {
        padding: ${rowPadding(3)} 10px;
        text-align: end;
      }
      thead th {
        position: sticky;
        top: 0;
        background: var(--gguf-sunken);
      }
      @media (forced-colors: active) {
        .bars {
          fill: Highlight;
          forced-color-adjust: none;
        }
      }
    `,
  ];

  override willUpdate(changed: PropertyValues): void {
    if (!["statistics", "bins", "hasLogarithmicAxis"].some((name) => changed.has(name))) return;
    const { bins } = this;
    if (bins && this.hasLogarithmicAxis) {
      this.#bars = logarithmicBars(bins);
      this.#place = logarithmicPlacing(bins.frame, this.#bars);
    } else {
      this.#bars = bins ? linearBars(bins) : distributionBars(this.statistics, MAX_BARS);
      this.#place = linearPlacing(axisOf(this.#bars), this.#bars);
    }
    this.bar = -1;
  }

  override render() {
    const nonFinite = describeNonFinite(this.statistics);
    if (this.#bars.length === 0)
      return html`<h4>Distribution</h4>
        <p class="note">${nonFinite === "" ? "No numbers." : `No finite numbers: ${nonFinite}.`}</p>`;
    const constant = constantOf(this.statistics);
    // A little space above the highest bar.
    const most = 1.03 * this.#bars.reduce((largest, { count }) => Math.max(largest, count), 0);
    const height = (count: number) => barHeight(count, most, this.logarithmic);
    const { place } = this.#place;
    return html`<div class="bar">
        <h4>Distribution</h4>
        <div class="scales" role="group" aria-label="Logarithmic">
          ${
            this.bins
              ? html`<button type="button" aria-pressed=${this.hasLogarithmicAxis} @click=${this.#onAxis}>
                  Logarithmic axis
                </button>`
              : nothing
          }
          <button type="button" aria-pressed=${this.logarithmic} @click=${this.#onScale}>Logarithmic counts</button>
        </div>
      </div>
      <div class="chart">
        <div class="counts" aria-hidden="true">
          ${countTicks(most, this.logarithmic, 4).map(
            ({ value, text }) => html`<span .style=${`--at:${(height(value) * 100).toFixed(2)}%`}>${text}</span>`,
          )}
        </div>
        ${this.#renderPlot({ most, height, constant })}
        <div class="numbers" aria-hidden="true">
          ${this.#axisTicks(constant).map(
            ({ value, text }) => html`<span .style=${`--at:${(place(value) * 100).toFixed(2)}%`}>${text}</span>`,
          )}
        </div>
      </div>
      <p class="readout">${this.#renderReadout()}</p>
      ${this.#renderBeyond()}
      ${this.levels ? html`<p class="note"><span class="level" aria-hidden="true"></span>${this.levels.words}</p>` : nothing}
      ${
        this.bins && this.bins.count < this.statistics.count
          ? html`<p class="note">
              The histogram shows ${formatInteger(this.bins.count)} of ${formatInteger(this.statistics.count)} numbers.
            </p>`
          : nothing
      }
      ${
        constant === undefined
          ? nothing
          : html`<p class="note">
              All ${formatInteger(finiteCount(this.statistics))} finite numbers are ${formatMeasured(constant)}.
            </p>`
      }
      ${nonFinite === "" ? nothing : html`<p class="note">Not in the histogram: ${nonFinite}.</p>`}
      ${this.#renderTable()}`;
  }

  /** The bars, with lines for the counts and for zero. `place` and `height` are fractions of the plot. */
  #renderPlot(chart: { most: number; height: (count: number) => number; constant: number | undefined }) {
    const { most, height, constant } = chart;
    const { place } = this.#place;
    const [low = 0, high = 0] = [this.#bars[0]?.start, this.#bars.at(-1)?.end];
    const label =
      constant === undefined
        ? `Histogram of ${formatCount(this.#bars.length, "bar")} from ${formatMeasured(low)} to ${formatMeasured(high)}. Read the bars with the arrow keys.`
        : `Histogram of one value: ${formatMeasured(constant)}`;
    return html`<div
      class="plot"
      role="application"
      aria-roledescription="histogram"
      aria-label=${label}
      tabindex="0"
      @pointermove=${this.#onPointer}
      @pointerdown=${this.#onPointer}
      @pointerleave=${this.#onLeave}
      @blur=${this.#onLeave}
      @keydown=${this.#onKey}
    >
      <svg viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" aria-hidden="true">
        ${countTicks(most, this.logarithmic, 4).map(({ value }) => {
          const y = HEIGHT * (1 - height(value));
          return svg`<line class="grid" x1="0" x2=${WIDTH} y1=${y} y2=${y}></line>`;
        })}
        ${
          low < 0 && high > 0 && constant === undefined
            ? svg`<line class="zero" x1=${place(0) * WIDTH} x2=${place(0) * WIDTH} y1="0" y2=${HEIGHT}></line>`
            : nothing
        }
        <path
          class="bars ${this.bar >= 0 ? "faint" : ""}"
          d=${this.#path((bar) => bar.beyond === undefined, height)}
        ></path>
        <path
          class="bars beyond ${this.bar >= 0 ? "faint" : ""}"
          d=${this.#path((bar) => bar.beyond !== undefined, height)}
        ></path>
        ${this.bar >= 0 ? svg`<path class="bars read" d=${this.#path((_, at) => at === this.bar, height)}></path>` : nothing}
        ${
          this.levels
            ? svg`<path class="levels" d=${this.levels.values
                .map((value) => place(value))
                .filter((at) => at >= 0 && at <= 1)
                .map((at) => `M${(at * WIDTH).toFixed(2)} ${HEIGHT}v${LEVEL_HEIGHT}`)
                .join("")}></path>`
            : nothing
        }
      </svg>
    </div>`;
  }

  /** The outliers in words. */
  #renderBeyond() {
    const beyond = this.#bars.filter((bar) => bar.beyond !== undefined);
    return beyond.length === 0
      ? nothing
      : html`<p class="note beyond">
          <span class="swatch" aria-hidden="true"></span>Outliers:
          ${beyond.map((bar) => `${formatInteger(bar.count)} ${barWords(bar)}`).join("; ")}.
        </p>`;
  }

  #renderTable() {
    return html`<details>
      <summary>As a table</summary>
      <div class="scroll" tabindex="0" role="region" aria-label="Histogram as a table">
        <table>
          ${columnHeads("From", "To (excluded)", "Count", "Share")}
          <tbody>
            ${this.#bars.map(
              ({ start, end, count }) =>
                html`<tr>
                  <td>${formatMeasured(start)}</td>
                  <td>${formatMeasured(end)}</td>
                  <td>${formatInteger(count)}</td>
                  <td>${formatPercent(count, this.bins?.count ?? this.statistics.count)}</td>
                </tr>`,
            )}
          </tbody>
        </table>
      </div>
    </details>`;
  }

  #axisTicks(constant: number | undefined): Tick[] {
    if (constant !== undefined) return [{ value: constant, text: formatMeasured(constant) }];
    return this.#place.ticks(Math.max(2, Math.floor(this.#box.width / 90)));
  }

  /** Some bars as one SVG path. */
  #path(isShown: (bar: Bar, at: number) => boolean, height: (count: number) => number): string {
    const { width } = this.#box;
    // Neighbouring bars are separated by a gap if they are wide enough.
    const gap = this.#bars.length > 1 && width / this.#bars.length > 5 ? (1 / Math.max(1, width)) * WIDTH : 0;
    return this.#bars
      .map((bar, at) => {
        if (bar.count === 0 || !isShown(bar, at)) return "";
        const [left, right] = this.#place.sides(bar);
        // A bar with a count above zero is always visible.
        const top = HEIGHT - Math.max(bar.beyond ? LEAST_BEYOND : 0.7, height(bar.count) * HEIGHT);
        return `M${(left * WIDTH).toFixed(2)} ${HEIGHT}V${top.toFixed(2)}H${(right * WIDTH - gap).toFixed(2)}V${HEIGHT}Z`;
      })
      .join("");
  }

  #renderReadout() {
    const bar = this.#bars[this.bar];
    if (!bar) return nothing;
    const share = formatPercent(bar.count, this.bins?.count ?? this.statistics.count);
    return html`<b>${barWords(bar)}</b>: ${formatCount(bar.count, "number")} (${share})`;
  }

  readonly #onScale = () => {
    this.logarithmic = !this.logarithmic;
  };

  readonly #onAxis = () => {
    this.hasLogarithmicAxis = !this.hasLogarithmicAxis;
  };

  readonly #onPointer = (event: PointerEvent) => {
    const box = (event.currentTarget as Element).getBoundingClientRect();
    const at = (event.clientX - box.left) / box.width;
    const found = this.#bars.findIndex((bar) => at < this.#place.sides(bar)[1]);
    this.bar = found < 0 ? this.#bars.length - 1 : found;
  };

  readonly #onLeave = () => {
    this.bar = -1;
  };

  readonly #onKey = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const last = this.#bars.length - 1;
    const to = { ArrowLeft: this.bar - 1, ArrowRight: this.bar + 1, Home: 0, End: last }[event.key];
    if (to === undefined) return;
    this.bar = Math.max(0, Math.min(to, last));
    const bar = this.#bars[this.bar];
    if (bar) announce(this, `${barWords(bar)}: ${formatCount(bar.count, "number")}`);
    event.preventDefault();
  };
}

define("gguf-histogram", GgufHistogram);
