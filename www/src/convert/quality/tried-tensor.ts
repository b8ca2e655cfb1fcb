import type { ConversionPlan, ConversionTensor, TriedRows } from "gguf-wasm/convert";
import { css, html, LitElement, nothing, type PropertyValues } from "lit";
import { property, state } from "lit/decorators.js";
import { live } from "lit/directives/live.js";
import { refusalText } from "../../gguf/error-texts.ts";
import { failureOf } from "../../gguf/failure.ts";
import { DarkMode } from "../../ui/dark-mode.ts";
import { define } from "../../ui/define.ts";
import { drawCells } from "../../ui/heat-canvas.ts";
import { formatCount, formatInteger, formatMeasured } from "../../ui/numbers.ts";
import { sectionStyles } from "../../ui/panel-styles.ts";
import { baseStyles } from "../../ui/styles.ts";
import { escapeText } from "../../ui/text.ts";
import { type Strips, stripsOf } from "./strips.ts";

/** The rows that are shown, and the most columns. */
const SHOWN = { rows: 24, columns: 256 };

/** Some rows of a tensor: the original, what the type of the plan makes of them, and the difference. */
export class GgufTriedTensor extends LitElement {
  @property({ attribute: false }) plan: ConversionPlan | undefined;
  /** The tensors of the plan. A plan whose types have changed has another list. */
  @property({ attribute: false }) tensors: readonly ConversionTensor[] = [];
  @property({ type: Boolean }) disabled = false;
  @state() private chosen = "";
  @state() private isOpen = false;
  @state() private tried: { readonly rows: TriedRows; readonly strips: Strips } | undefined;
  @state() private problem = "";

  readonly #dark = new DarkMode(this);
  readonly #resized = new ResizeObserver(() => this.#draw());
  #asked = 0;

  static override styles = [
    baseStyles,
    sectionStyles,
    css`
      summary {
        width: fit-content;
        min-height: calc(24 * var(--gguf-unit));
        color: var(--gguf-accent);
        font-size: var(--gguf-text-control);
        cursor: pointer;
      }
      .fields {
        margin-top: 8px;
      }
      select {
        max-width: 100%;
      }
      figure {
        margin-top: 10px;
      }
      figcaption {
        margin-bottom: 3px;
        color: var(--gguf-ink-2);
        font-size: var(--gguf-text-dense);
      }
      canvas {
        display: block;
        width: 100%;
        height: calc(72 * var(--gguf-unit));
        border-radius: 4px;
        image-rendering: pixelated;
      }
    `,
  ];

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#resized.disconnect();
  }

  override willUpdate(changed: PropertyValues): void {
    if (changed.has("plan") || changed.has("tensors") || changed.has("chosen") || changed.has("isOpen"))
      void this.#try();
  }

  override updated(): void {
    this.#resized.disconnect();
    const [first] = this.#canvases;
    if (first) this.#resized.observe(first);
    this.#draw();
  }

  /** The tensors that get another type. */
  get #names(): string[] {
    return this.tensors.flatMap(({ name, oldType, newType }) => (oldType === newType ? [] : [name]));
  }

  get #canvases(): HTMLCanvasElement[] {
    return [...this.renderRoot.querySelectorAll("canvas")];
  }

  async #try(): Promise<void> {
    const { plan } = this;
    const names = this.#names;
    const name = names.includes(this.chosen) ? this.chosen : names[0];
    this.#asked += 1;
    const asked = this.#asked;
    if (!this.isOpen || !plan || name === undefined || this.disabled) return;
    try {
      const rows = await plan.tryRows(name, { rowCount: SHOWN.rows });
      if (asked !== this.#asked) return;
      this.tried = { rows, strips: stripsOf(rows, SHOWN.columns) };
      this.problem = "";
    } catch (error) {
      if (asked !== this.#asked) return;
      this.tried = undefined;
      this.problem = refusalText(failureOf(error));
    }
  }

  #draw(): void {
    const { tried } = this;
    if (!tried) return;
    for (const [i, canvas] of this.#canvases.entries()) {
      const strip = tried.strips.all[i];
      if (strip) drawCells(canvas, strip.cells, strip.scale, this.#dark.isDark);
    }
  }

  override render() {
    const names = this.#names;
    if (names.length === 0) return nothing;
    const name = names.includes(this.chosen) ? this.chosen : (names[0] ?? "");
    return html`<details
      @toggle=${(event: Event) => {
        this.isOpen = (event.target as HTMLDetailsElement).open;
      }}
    >
      <summary>See a tensor before and after</summary>
      <div class="fields">
        <label
          >Tensor
          <select
            @change=${(event: Event) => {
              this.chosen = (event.target as HTMLSelectElement).value;
            }}
          >
            ${names.map((one) => html`<option value=${one} .selected=${live(one === name)}>${escapeText(one, 120)}</option>`)}
          </select></label
        >
      </div>
      ${this.problem === "" ? nothing : html`<p class="problem" role="alert">${this.problem}</p>`}
      ${this.tried ? this.#renderStrips(this.tried) : nothing}
    </details>`;
  }

  #renderStrips({ rows, strips }: { readonly rows: TriedRows; readonly strips: Strips }) {
    const { all, shownColumns, relative } = strips;
    const captions = [
      `Original: ${formatCount(rows.rowCount, "row")}, ${formatInteger(shownColumns)} of ${formatCount(rows.columns, "column")}`,
      `As ${rows.type}`,
      `Difference, ${formatMeasured(relative * 100)} % of the weights (root mean square)`,
    ];
    return html`${all.map(
      ({ scale }, i) =>
        html`<figure>
          <figcaption>
            ${captions[i]}${scale ? html` <span>(${formatMeasured(scale.low)} to ${formatMeasured(scale.high)})</span>` : nothing}
          </figcaption>
          <canvas role="img" aria-label=${captions[i] ?? ""}></canvas>
        </figure>`,
    )}`;
  }
}

define("gguf-tried-tensor", GgufTriedTensor);
