import { css, html, LitElement, nothing, type PropertyValues, svg } from "lit";
import { property, state } from "lit/decorators.js";
import { formatCount, formatInteger, formatMeasured, formatPercent } from "./numbers.ts";
import {
  type Axis,
  axisOf,
  type Bar,
  barHeight,
  constantOf,
  type Distribution,
  distributionBars,
  finiteCount,
  describeNonFinite,
} from "./histogram-bars.ts";
import { countTicks, type Tick, axisTicks } from "./ticks.ts";
import { announce } from "./announce.ts";
import { baseStyles, figureStyles } from "./styles.ts";
import { columnHeads } from "./column-heads.ts";
import { define } from "./define.ts";
import { plainTableStyles, rowPadding } from "./styles/tables.ts";

/** The size of the drawing in SVG units. The drawing is stretched to the element; the labels beside it are not. */
const WIDTH = 1000;
const HEIGHT = 100;
/** The most bars. Narrower bars could not be pointed at. */
const MAX_BARS = 80;
/** The width of the bar of a single value, as a share of the drawing. */
const SINGLE_BAR_WIDTH = 0.04;

/** The distribution of numbers as bars, with a table for screen readers. */
export class GgufHistogram extends LitElement {
  @property({ attribute: false }) statistics!: Distribution;
  @state() private logarithmic = false;
  /** The index of the bar that the pointer or the keys are on; -1 for none. */
  @state() private bar = -1;
  /** The width of the drawing in CSS pixels. */
  @state() private width = 400;

  #bars: Bar[] = [];
  readonly #sizes = new ResizeObserver(([entry]) => {
    this.width = entry?.contentRect.width ?? 0;
  });

  static override styles = [
    baseStyles,
    figureStyles,
    css`
      .bar {
        justify-content: space-between;
      }
      button {
        min-height: 26px;
        padding: 0 9px;
        font-size: 12px;
      }
      .chart {
        position: relative;
        display: grid;
        grid-template-columns: 4.2em 1fr;
        grid-template-rows: var(--height, 150px) auto;
        font-size: 11px;
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
        height: 20px;
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
        font-size: 12.5px;
        color: var(--gguf-ink-2);
      }
      .readout b {
        font: 500 12.5px var(--gguf-mono);
        color: var(--gguf-ink);
      }
      .note {
        font-size: 12.5px;
        color: var(--gguf-ink-2);
      }
      details {
        margin-top: 4px;
        font-size: 12.5px;
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
        font: 12px var(--gguf-mono);
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

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#sizes.disconnect();
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#sizes.observe(this);
  }

  override willUpdate(changed: PropertyValues): void {
    if (!changed.has("statistics")) return;
    this.#bars = distributionBars(this.statistics, MAX_BARS);
    this.bar = -1;
  }

  override render() {
    const nonFinite = describeNonFinite(this.statistics);
    if (this.#bars.length === 0)
      return html`<h4>Distribution</h4>
        <p class="note">${nonFinite === "" ? "No numbers." : `No finite numbers: ${nonFinite}.`}</p>`;
    const axis = axisOf(this.#bars);
    const constant = constantOf(this.statistics);
    // A little space above the highest bar.
    const most = 1.03 * this.#bars.reduce((largest, { count }) => Math.max(largest, count), 0);
    const height = (count: number) => barHeight(count, most, this.logarithmic);
    // The halves are subtracted because the difference of the largest floats overflows.
    const place = (value: number) => (value / 2 - axis.low / 2) / (axis.high / 2 - axis.low / 2);
    return html`<div class="bar">
        <h4>Distribution</h4>
        <button type="button" aria-pressed=${this.logarithmic} @click=${this.#onScale}>Logarithmic counts</button>
      </div>
      <div class="chart">
        <div class="counts" aria-hidden="true">
          ${countTicks(most, this.logarithmic, 4).map(
            ({ value, text }) => html`<span .style=${`--at:${(height(value) * 100).toFixed(2)}%`}>${text}</span>`,
          )}
        </div>
        ${this.#renderPlot({ axis, most, place, height, constant })}
        <div class="numbers" aria-hidden="true">
          ${this.#axisTicks(axis, constant).map(
            ({ value, text }) => html`<span .style=${`--at:${(place(value) * 100).toFixed(2)}%`}>${text}</span>`,
          )}
        </div>
      </div>
      <p class="readout">${this.#renderReadout()}</p>
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
  #renderPlot(chart: {
    axis: Axis;
    most: number;
    place: (value: number) => number;
    height: (count: number) => number;
    constant: number | undefined;
  }) {
    const { axis, most, place, height, constant } = chart;
    const label =
      constant === undefined
        ? `Histogram of ${formatCount(this.#bars.length, "bar")} from ${formatMeasured(axis.low)} to ${formatMeasured(axis.high)}. Read the bars with the arrow keys.`
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
          axis.low < 0 && axis.high > 0 && constant === undefined
            ? svg`<line class="zero" x1=${place(0) * WIDTH} x2=${place(0) * WIDTH} y1="0" y2=${HEIGHT}></line>`
            : nothing
        }
        <path class="bars ${this.bar >= 0 ? "faint" : ""}" d=${this.#path(this.#bars, place, height)}></path>
        ${
          this.bar >= 0
            ? svg`<path class="bars read" d=${this.#path(this.#bars.slice(this.bar, this.bar + 1), place, height)}></path>`
            : nothing
        }
      </svg>
    </div>`;
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
                  <td>${formatPercent(count, this.statistics.count)}</td>
                </tr>`,
            )}
          </tbody>
        </table>
      </div>
    </details>`;
  }

  #axisTicks({ low, high }: Axis, constant: number | undefined): Tick[] {
    if (constant !== undefined) return [{ value: constant, text: formatMeasured(constant) }];
    return axisTicks(low, high, Math.max(2, Math.floor(this.width / 90)));
  }

  /** All bars as one SVG path. */
  #path(shown: readonly Bar[], place: (value: number) => number, height: (count: number) => number): string {
    // Neighbouring bars are separated by a gap if they are wide enough.
    const gap = this.#bars.length > 1 && this.width / this.#bars.length > 5 ? (1 / Math.max(1, this.width)) * WIDTH : 0;
    return shown
      .filter(({ count }) => count > 0)
      .map((bar) => {
        const half = bar.start === bar.end ? SINGLE_BAR_WIDTH / 2 : 0;
        const left = (place(bar.start) - half) * WIDTH;
        const right = (place(bar.end) + half) * WIDTH - gap;
        // A bar with a count above zero is always visible.
        const top = HEIGHT - Math.max(0.7, height(bar.count) * HEIGHT);
        return `M${left.toFixed(2)} ${HEIGHT}V${top.toFixed(2)}H${right.toFixed(2)}V${HEIGHT}Z`;
      })
      .join("");
  }

  #renderReadout() {
    const bar = this.#bars[this.bar];
    if (!bar) return nothing;
    const range =
      bar.start === bar.end
        ? html`<b>${formatMeasured(bar.start)}</b>`
        : html`<b>${formatMeasured(bar.start)}</b> to <b>${formatMeasured(bar.end)}</b>`;
    return html`${range}: ${formatCount(bar.count, "number")} (${formatPercent(bar.count, this.statistics.count)})`;
  }

  readonly #onScale = () => {
    this.logarithmic = !this.logarithmic;
  };

  readonly #onPointer = (event: PointerEvent) => {
    const box = (event.currentTarget as Element).getBoundingClientRect();
    const [first] = this.#bars;
    const last = this.#bars.at(-1);
    if (!first || !last) return;
    if (this.#bars.length === 1) {
      this.bar = 0;
      return;
    }
    // The last bar may be narrower than the others.
    const at = ((event.clientX - box.left) / box.width) * ((last.end - first.start) / (first.end - first.start));
    this.bar = Math.max(0, Math.min(Math.floor(at), this.#bars.length - 1));
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
    const range =
      bar &&
      (bar.start === bar.end
        ? formatMeasured(bar.start)
        : `${formatMeasured(bar.start)} to ${formatMeasured(bar.end)}`);
    if (bar) announce(this, `${range}: ${formatCount(bar.count, "number")}`);
    event.preventDefault();
  };
}

define("gguf-histogram", GgufHistogram);
