import type { Gguf } from "gguf-wasm/explain";
import { css, html, LitElement, nothing, type PropertyValues } from "lit";
import { property, state } from "lit/decorators.js";
import { dataErrorText } from "../gguf/error-texts.ts";
import { failureOf } from "../gguf/failure.ts";
import { valuesGguf } from "../gguf/values.ts";
import { columnHeads } from "../ui/column-heads.ts";
import { define } from "../ui/define.ts";
import { formatId, formatMeasured } from "../ui/numbers.ts";
import { sectionStyles } from "../ui/panel-styles.ts";
import { baseStyles } from "../ui/styles.ts";

/** The elements before and after the one with the largest difference. */
const AROUND = 4;

/** A tensor of one side. */
interface SideTensor {
  readonly gguf: Gguf;
  readonly index: number;
}

interface ReadValues {
  start: number;
  a: Float64Array;
  b: Float64Array;
}

/** The values of both files around the largest difference of a tensor. They are read when a person asks for them. */
export class GgufElementValues extends LitElement {
  @property({ attribute: false }) a!: SideTensor;
  @property({ attribute: false }) b!: SideTensor;
  /** The index of the element with the largest difference. */
  @property({ type: Number }) around = 0;
  @state() private read: ReadValues | undefined;
  @state() private isReading = false;
  @state() private problem = "";

  #abort: AbortController | undefined;

  static override styles = [
    baseStyles,
    sectionStyles,
    css`
      .scroll {
        max-width: calc(480 * var(--gguf-unit));
        margin-top: 0;
        background: var(--gguf-surface);
      }
      .largest {
        background: var(--gguf-warning-soft);
      }
      td,
      tbody th {
        font-family: var(--gguf-mono);
        font-size: var(--gguf-text-dense);
      }
    `,
  ];

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#abort?.abort();
  }

  override willUpdate(changed: PropertyValues): void {
    const isSame = (name: "a" | "b") => {
      const before = changed.get(name) as SideTensor | undefined;
      return !changed.has(name) || (before?.gguf === this[name].gguf && before.index === this[name].index);
    };
    if (isSame("a") && isSame("b") && !changed.has("around")) return;
    this.#abort?.abort();
    this.read = undefined;
    this.isReading = false;
    this.problem = "";
  }

  override render() {
    const { read, problem } = this;
    if (problem !== "") return html`<p class="problem" role="alert">${problem}</p>`;
    if (!read)
      return html`<button type="button" class="small" aria-disabled=${this.isReading} @click=${this.#read}>
        ${this.isReading ? "Reading…" : "Show the values at the largest difference"}
      </button>`;
    return html`<div class="scroll" tabindex="0" role="region" aria-label="Values at the largest difference">
      <table>
        ${columnHeads(["Element", "number"], ["A", "number"], ["B", "number"])}
        <tbody>
          ${[...read.a].map(
            (value, at) =>
              html`<tr class=${read.start + at === this.around ? "largest" : nothing}>
                <th scope="row" class="number">${formatId(read.start + at)}</th>
                <td class="number">${formatMeasured(value)}</td>
                <td class="number">${formatMeasured(read.b[at] ?? NaN)}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>`;
  }

  readonly #read = async () => {
    if (this.isReading) return;
    const { signal } = (this.#abort = new AbortController());
    this.isReading = true;
    const start = Math.max(0, this.around - AROUND);
    try {
      const [a, b] = await Promise.all(
        [this.a, this.b].map((side) => readElements(side, start, this.around + AROUND + 1, signal)),
      );
      if (!signal.aborted && a && b) this.read = { start, a, b };
    } catch (error) {
      if (!signal.aborted) this.problem = dataErrorText(failureOf(error));
    } finally {
      if (!signal.aborted) this.isReading = false;
    }
  };
}

async function readElements({ gguf, index }: SideTensor, start: number, end: number, signal: AbortSignal) {
  const tensor = gguf.tensors[index];
  if (!tensor) return undefined;
  const { elementCount = end } = tensor;
  return (await valuesGguf(gguf)).read(tensor, { start, end: Math.min(end, elementCount), as: "float64", signal });
}

define("gguf-element-values", GgufElementValues);
