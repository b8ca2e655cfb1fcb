import type { GgmlTypeInfo, TensorInfo } from "gguf-wasm/explain";
import type { IndexRange, TensorPreview, TensorStatistics } from "gguf-wasm/full";
import { css, html, LitElement, nothing, type PropertyValues } from "lit";
import { property, state } from "lit/decorators.js";
import { dataErrorText } from "../gguf/error-texts.ts";
import { failureOf } from "../gguf/failure.ts";
import { formatBytes, formatPercent } from "../ui/numbers.ts";
import { matrixOf } from "./matrix.ts";
import { isStacked, sliceRows, formatSlice } from "./slices.ts";
import { whyUnavailable } from "./unavailable-values.ts";
import { announce } from "../ui/announce.ts";
import { type FileValues, PREVIEW_LIMITS, type TensorValues } from "./file-values.ts";
import type { CellRange } from "./heat-map.ts";
import { levelWords } from "./sample-words.ts";
import { icons } from "../ui/icons.ts";
import { progressBarStyles, renderProgressBar } from "../ui/progress-bar.ts";
import { baseStyles } from "../ui/styles.ts";
import type { GgufValueTable } from "./value-table.ts";
import { type LongTask, type LongTaskState, TaskWatcher } from "../ui/long-task.ts";
import { define } from "../ui/define.ts";
import "./heat-map.ts";
import "../ui/histogram.ts";
import "./slice-picker.ts";
import "./statistics-table.ts";
import "./value-table.ts";
import { tracks } from "../ui/styles/tracks.ts";
import { boxWidth } from "../ui/styles/breakpoints.ts";

/** The size of a download during which a thumbnail is shown first. */
const THUMBNAIL_THRESHOLD = 1 << 20;

/** The values of a tensor: a preview of a sample at first, the statistics of the whole tensor on request, and a table of the elements. */
export class GgufTensorValues extends LitElement {
  @property({ attribute: false }) values!: FileValues;
  @property({ attribute: false }) tensor!: TensorInfo;
  @property({ attribute: false }) info: GgmlTypeInfo | undefined;
  /** The slice that is shown; undefined for all slices. */
  @state() private slice: readonly number[] | undefined;

  readonly #watch = new TaskWatcher(this);
  #shown: TensorValues | undefined;
  #whole: LongTaskState<TensorStatistics>["name"] = "idle";

  static override styles = [
    baseStyles,
    progressBarStyles,
    css`
      :host {
        display: block;
        min-width: 0;
        container-type: inline-size;
      }
      .overview {
        display: grid;
        gap: 20px 28px;
      }
      .figures {
        display: grid;
        align-content: start;
        gap: 18px 28px;
        min-width: 0;
      }
      gguf-value-table {
        margin-top: 20px;
      }
      gguf-slice-picker {
        margin-bottom: 10px;
      }
      gguf-histogram {
        --height: 150px;
      }
      @container (min-width: ${boxWidth(540)}) {
        .overview {
          grid-template-columns: minmax(0, 1fr) minmax(0, 1fr);
        }
      }
      @container (min-width: ${boxWidth(960)}) {
        .overview {
          grid-template-columns: ${tracks([0, 400], "1fr")};
        }
        .figures {
          grid-template-columns: ${tracks("1fr", 250)};
        }
        .overview:not(.flat) gguf-histogram {
          --height: 330px;
        }
      }
      /* The slice picker stands above the map, which must still fit into the view. */
      .stacked gguf-heat-map {
        --beside-map: 328px;
      }
      .flat {
        grid-template-columns: minmax(0, 1fr);
      }
      .waiting {
        display: grid;
        place-content: center;
        gap: 8px;
        min-height: calc(240 * var(--gguf-unit));
        border: 1px dashed var(--gguf-line-strong);
        border-radius: 6px;
        color: var(--gguf-ink-2);
        font-size: var(--gguf-text-dense);
        text-align: center;
      }
      .progress {
        min-width: calc(180 * var(--gguf-unit));
      }
      .whole {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 6px 12px;
        margin-top: 10px;
        color: var(--gguf-ink-2);
        font-size: var(--gguf-text-dense);
      }
      .whole .progress {
        flex: 1 1 calc(120 * var(--gguf-unit));
      }
      /* The column beside the histogram is narrower than the label. */
      .whole button {
        padding-block: 4px;
        white-space: normal;
      }
      .notice {
        display: flex;
        gap: 10px;
        padding: 10px 12px;
        border-radius: 6px;
        background: var(--gguf-warning-soft);
        font-size: var(--gguf-text-control);
        max-width: 80ch;
      }
      .notice svg {
        flex: none;
        margin-top: 2px;
        color: var(--gguf-warning);
      }
      .failed {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 8px 12px;
        color: var(--gguf-danger);
        font-size: var(--gguf-text-dense);
        max-width: 80ch;
      }
    `,
  ];

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#cancelAutomaticReads();
  }

  override connectedCallback(): void {
    super.connectedCallback();
    if (this.hasUpdated) this.#startNextRead();
  }

  override willUpdate(changed: PropertyValues): void {
    if (changed.has("values") || changed.has("tensor")) this.slice = this.values.slices.get(this.tensor.index);
    if (changed.has("values") || changed.has("tensor") || changed.has("slice")) {
      const values = this.values.of(this.tensor, this.#rows);
      if (values !== this.#shown) {
        this.#cancelAutomaticReads();
        this.#shown = values;
        this.#whole = values.statistics.state.name;
        this.#watch.watch(...(Object.values(values) as LongTask<unknown>[]));
      }
    }
    if (this.isConnected) this.#startNextRead();
  }

  /** Starts the next read: over a network, a thumbnail before the preview. */
  #startNextRead(): void {
    const shown = this.#shown;
    if (!shown || this.#problem !== undefined) return;
    if (shown.preview.value) this.#startDistribution(shown, shown.preview.value);
    if (shown.preview.state.name !== "idle") return;
    const slow = this.values.remote && this.#bytes > THUMBNAIL_THRESHOLD;
    if (slow && shown.thumbnail.state.name === "idle") shown.thumbnail.start();
    else if (shown.thumbnail.state.name !== "running") shown.preview.start();
  }

  /** Starts the histogram, and that of the whole tensor once a person has asked for its statistics. A download is not repeated. */
  #startDistribution(
    { distribution, wholeDistribution, statistics }: TensorValues,
    { statistics: sample }: TensorPreview,
  ) {
    // The numbers of other types are counts and ids, which have no outliers.
    if (isInteger(this.tensor.type) || !(sample.min < sample.max)) return;
    if (distribution.state.name === "idle") distribution.start();
    if (!distribution.value || !statistics.value || this.values.remote) return;
    if (wholeDistribution.state.name === "idle") wholeDistribution.start();
  }

  /** Cancels the automatic reads. A person asked for the statistics, so they continue. */
  #cancelAutomaticReads(): void {
    this.#shown?.thumbnail.withdraw();
    this.#shown?.preview.withdraw();
    this.#shown?.distribution.withdraw();
    this.#shown?.wholeDistribution.withdraw();
  }

  override updated(): void {
    const now = this.#shown?.statistics.state.name ?? "idle";
    if (now === this.#whole) return;
    this.#whole = now;
    if (now === "done") announce(this, `The statistics of the whole ${this.slice ? "slice" : "tensor"} are ready`);
  }

  /** The rows that are shown; undefined for all rows. */
  get #rows(): IndexRange | undefined {
    return this.slice && sliceRows(this.slice, this.tensor);
  }

  /** The fraction of the tensor that is shown. */
  get #share(): number {
    const rows = this.#rows;
    return rows ? (rows.end - rows.start) / matrixOf(this.tensor).rows : 1;
  }

  get #bytes(): number {
    return (this.tensor.byteLength ?? 0) * this.#share;
  }

  get #problem(): string | undefined {
    return whyUnavailable(this.tensor, this.info, this.values.isBeyondEnd(this.tensor));
  }

  override render() {
    const why = this.#problem;
    if (why !== undefined) return html`<p class="notice">${icons.warning}<span>${why}</span></p>`;
    const shown = this.#shown;
    if (!shown) return nothing;
    return html`${
        isStacked(this.tensor)
          ? html`<gguf-slice-picker
              .tensor=${this.tensor}
              .slice=${this.slice}
              @gguf-slice=${this.#onSlice}
            ></gguf-slice-picker>`
          : nothing
      }
      ${this.#renderOverview(shown)}
      <gguf-value-table
        .values=${this.values}
        .tensor=${this.tensor}
        .firstRow=${this.#rows?.start ?? 0}
      ></gguf-value-table>`;
  }

  #renderOverview(shown: TensorValues) {
    const { state } = shown.preview;
    if (state.name === "failed") return this.#renderFailure(state.error, () => shown.preview.start());
    const progress = state.name === "running" ? state.progress : undefined;
    const preview = shown.preview.value ?? shown.thumbnail.value;
    if (preview) return this.#renderPreview(shown, preview);
    const total = progress?.total ?? Math.min(this.#bytes, PREVIEW_LIMITS.maxBytes);
    return html`<div class="waiting">
      <span>${this.values.remote ? "Downloading" : "Reading"} a sample of ${formatBytes(total)}…</span>
      ${renderProgressBar("Sample read", progress ? progress.done / Math.max(1, progress.total) : 0)}
    </div>`;
  }

  #renderPreview(shown: TensorValues, preview: TensorPreview) {
    const bins = shown.wholeDistribution.value ?? shown.distribution.value ?? undefined;
    const levels = shown.distribution.value?.levels;
    return html`<div class="overview ${preview.rows === 1 ? "flat" : ""} ${isStacked(this.tensor) ? "stacked" : ""}">
      <gguf-heat-map
        .preview=${preview}
        .tensor=${this.tensor}
        .whole=${this.slice === undefined}
        label="Heat map of ${this.tensor.name}${this.slice ? `, ${formatSlice(this.slice, this.tensor)}` : ""}"
        @gguf-cell=${this.#onCell}
      ></gguf-heat-map>
      <div class="figures">
        <gguf-histogram
          .statistics=${shown.statistics.value ?? preview.statistics}
          .bins=${bins}
          .levels=${levels && { values: levels.values, words: levelWords(levels, this.tensor) }}
        ></gguf-histogram>
        <div>
          <gguf-statistics-table
            .statistics=${shown.statistics.value ?? preview.statistics}
            .elements=${(this.tensor.elementCount ?? 0) * this.#share}
            .scope=${this.slice ? formatSlice(this.slice, this.tensor) : ""}
          ></gguf-statistics-table>
          ${preview.complete ? nothing : this.#renderWhole(shown)}
        </div>
      </div>
    </div>`;
  }

  #renderWhole({ statistics }: TensorValues) {
    const { state } = statistics;
    const size = formatBytes(this.#bytes);
    switch (state.name) {
      case "done":
        return nothing;
      case "running": {
        const { done = 0, total = 1 } = state.progress ?? {};
        return html`<div class="whole">
          ${renderProgressBar("Statistics computed", done / total)}
          <span>${formatPercent(done, total)} of ${size}</span>
          <button type="button" @click=${() => statistics.withdraw()}>Cancel</button>
        </div>`;
      }
      case "idle":
      case "failed":
        return html`<div class="whole">
          <button type="button" @click=${() => statistics.start()}>
            Compute statistics of the whole ${this.slice ? "slice" : "tensor"}
          </button>
          <span>${this.values.remote ? "downloads" : "reads"} ${size}</span>
          ${state.name === "failed" ? this.#renderFailure(state.error) : nothing}
        </div>`;
    }
  }

  #renderFailure(error: unknown, again?: () => void) {
    return html`<p class="failed" role="alert">
      <span>${dataErrorText(failureOf(error))}</span>
      ${again ? html`<button type="button" @click=${again}>Try again</button>` : nothing}
    </p>`;
  }

  showSlice(slice: readonly number[]): void {
    this.slice = slice;
  }

  readonly #onSlice = ({ detail }: CustomEvent<readonly number[] | null>) => {
    this.slice = detail ?? undefined;
    // The choice is stored with the file, because this element leaves the document when its row is scrolled out of view.
    if (detail) this.values.slices.set(this.tensor.index, detail);
    else this.values.slices.delete(this.tensor.index);
  };

  readonly #onCell = (event: CustomEvent<CellRange>) => {
    this.renderRoot.querySelector<GgufValueTable>("gguf-value-table")?.showCell(event.detail);
  };
}

/** Whether a type has whole numbers: I8, I16, I32 or I64. */
function isInteger(type: string): boolean {
  return /^I\d+$/.test(type);
}

define("gguf-tensor-values", GgufTensorValues);

declare global {
  interface HTMLElementTagNameMap {
    "gguf-tensor-values": GgufTensorValues;
  }
}
