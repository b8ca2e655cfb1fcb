import { css, html, LitElement, nothing } from "lit";
import { property, state } from "lit/decorators.js";
import { live } from "lit/directives/live.js";
import { BANDWIDTHS, mostTokens } from "../../memory/bandwidths.ts";
import { type Machine, MOST_BANDWIDTH } from "../../memory/machine.ts";
import "../../memory/number-field.ts";
import { define } from "../../ui/define.ts";
import { formatBytes, formatInteger } from "../../ui/numbers.ts";
import { baseStyles } from "../../ui/styles.ts";
import { fieldStyles } from "../../ui/styles/fields.ts";

type Rate = "gpuRate" | "mainRate";

/**
 * The most tokens in a second, from the bandwidths of the machine. The event `gguf-bandwidth` reports a chosen one (detail: `gpuRate` or
 * `mainRate` in GB/s).
 */
export class GgufSpeed extends LitElement {
  @property({ attribute: false }) machine!: Machine;
  /** The bytes that are read for each token, on the GPU and on the CPU. */
  @property({ attribute: false }) bytes!: readonly [number, number];
  /** The bandwidths that are typed, also if they are those of a listed memory. */
  @state() private own: readonly Rate[] = [];

  static override styles = [
    baseStyles,
    fieldStyles,
    css`
      :host {
        display: block;
        margin-top: 12px;
        font-size: var(--gguf-text-control);
      }
      h4 {
        font-size: var(--gguf-text-control);
        font-weight: 600;
      }
      .fields {
        display: flex;
        flex-wrap: wrap;
        align-items: end;
        gap: 8px 12px;
        margin: 6px 0;
      }
      .field {
        display: grid;
        flex: 1 1 calc(190 * var(--gguf-unit));
        gap: 4px;
        min-width: 0;
        max-width: calc(300 * var(--gguf-unit));
      }
      select {
        width: 100%;
        min-width: 0;
      }
      .hint {
        color: var(--gguf-ink-2);
        font-size: var(--gguf-text-dense);
        text-wrap: pretty;
      }
    `,
  ];

  override render() {
    const { shared, gpuRate, mainRate } = this.machine;
    const [gpu, cpu] = this.bytes;
    // One memory is read with one bandwidth.
    const bytes: [number, number] = shared ? [gpu + cpu, 0] : [gpu, cpu];
    const most = mostTokens(bytes, [gpuRate, mainRate]);
    const parts = (["gpuRate", "mainRate"] as const).filter((_, at) => (bytes[at] ?? 0) > 0);
    const sum = parts.map((rate) => {
      const read = formatBytes(rate === "gpuRate" ? bytes[0] : bytes[1]);
      return `${read} / ${formatRate(this.machine[rate])}`;
    });
    return html`<section aria-labelledby="title">
      <h4 id="title">Speed as an estimate</h4>
      <div class="fields">${parts.map((rate) => this.#renderField(rate))}</div>
      ${
        most === undefined
          ? html`<p class="hint">
              Choose ${parts.length > 1 ? "the bandwidths" : "the bandwidth"} for a bound of the speed.
            </p>`
          : html`<p class="most" role="status"><strong>At most ${formatTokens(most)} a second</strong></p>
              <p class="hint">
                1 / (${sum.join(" + ")}): for each token of a full context, all weights in use and the cache are read
                once. A machine is slower than this bound.
              </p>`
      }
    </section>`;
  }

  #renderField(rate: Rate) {
    const { shared, [rate]: chosen } = this.machine;
    const listed = BANDWIDTHS[rate === "mainRate" ? "main" : shared ? "shared" : "gpu"];
    const isOwn = this.own.includes(rate) || (chosen !== undefined && !listed.some((known) => known.rate === chosen));
    const label =
      rate === "mainRate" ? "Bandwidth of the main memory" : `Bandwidth of the ${shared ? "" : "GPU "}memory`;
    return html`<div class="field">
        <label for=${rate}>${label}</label>
        <select id=${rate} @change=${(event: Event) => this.#onList(rate, (event.target as HTMLSelectElement).value)}>
          ${chosen === undefined && !isOwn ? html`<option value="" .selected=${live(true)}>Choose…</option>` : nothing}
          ${listed.map(
            (known) =>
              html`<option value=${known.rate} .selected=${live(!isOwn && known.rate === chosen)}>
                ${known.name}: ${formatRate(known.rate)}
              </option>`,
          )}
          <option value="own" .selected=${live(isOwn)}>Other</option>
        </select>
      </div>
      ${
        isOwn
          ? html`<gguf-number-field
              label="${label} in GB/s"
              bare
              fractions
              unit="GB/s"
              .value=${chosen}
              .least=${0}
              .most=${MOST_BANDWIDTH}
              @gguf-number=${({ detail }: CustomEvent<number>) => this.#choose(rate, detail)}
            ></gguf-number-field>`
          : nothing
      }`;
  }

  #onList(rate: Rate, value: string): void {
    const others = this.own.filter((name) => name !== rate);
    this.own = value === "own" ? [...others, rate] : others;
    if (Number(value) > 0) this.#choose(rate, Number(value));
  }

  #choose(rate: Rate, value: number): void {
    this.dispatchEvent(new CustomEvent("gguf-bandwidth", { detail: { [rate]: value } }));
  }
}

function formatRate(rate: number | undefined): string {
  return rate === undefined ? "?" : `${rate.toLocaleString("en")} GB/s`;
}

/** "61 tokens"; below 10 with one decimal. */
function formatTokens(count: number): string {
  return `${count < 10 ? count.toFixed(1) : formatInteger(Math.floor(count))} tokens`;
}

define("gguf-speed", GgufSpeed);
