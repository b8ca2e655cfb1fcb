import type { Gguf } from "gguf-wasm/explain";
import { css, html, LitElement, nothing, type PropertyValues } from "lit";
import { property } from "lit/decorators.js";
import { until } from "lit/directives/until.js";
import { baseName } from "../gguf/base-name.ts";
import { startDownload } from "../saving/download.ts";
import { announce } from "../ui/announce.ts";
import { ElementWidth } from "../ui/element-width.ts";
import { icons } from "../ui/icons.ts";
import { whenIdle } from "../ui/idle.ts";
import "../ui/menu.ts";
import type { MenuGroup } from "../ui/menu.ts";
import { pngFile, svgFile } from "../ui/picture-file.ts";
import { enterMarks, enterSameMark, markOf, moveMark } from "../ui/picture-marks.ts";
import { baseStyles, drawingStyles } from "../ui/styles.ts";
import { plainTableStyles, rowPadding } from "../ui/styles/tables.ts";
import { escapeText } from "../ui/text.ts";

/**
 * A picture of a model: a heading, what it shows in a sentence, the picture, and the same facts as text. A mark in the picture, an element
 * with `data-row` and `data-column`, has its words in `aria-label`. If it also has `data-filter`, it is a link to the tensors that match.
 */
export abstract class Picture extends LitElement {
  @property({ attribute: false }) gguf!: Gguf;
  /** The name of the model's file. */
  @property({ attribute: false }) fileName = "";

  readonly #box = new ElementWidth(this);

  static override styles = [
    drawingStyles,
    baseStyles,
    plainTableStyles,
    css`
      :host {
        display: block;
        min-width: 0;
      }
      header {
        display: flex;
        align-items: center;
        justify-content: space-between;
        gap: 12px;
        min-height: calc(32 * var(--gguf-unit));
      }
      h3 {
        font-size: var(--gguf-text-lead);
        font-weight: 650;
        letter-spacing: -0.005em;
      }
      .intro {
        margin-bottom: 10px;
        color: var(--gguf-ink-2);
        font-size: var(--gguf-text-control);
        text-wrap: pretty;
      }
      .intro strong {
        color: var(--gguf-ink);
        font-weight: 600;
      }
      figure {
        min-width: 0;
      }
      figure > svg {
        max-width: 100%;
        overflow: visible;
        font-family: var(--gguf-sans);
      }
      svg text {
        fill: var(--gguf-ink-2);
        font-size: var(--gguf-text-small);
      }
      [data-row] {
        outline: none;
        cursor: default;
      }
      [data-filter] {
        cursor: pointer;
      }
      [data-row]:focus-visible > .face,
      .face:where([data-row]):focus-visible {
        stroke: var(--gguf-ink);
        stroke-width: 2.5px;
      }
      [data-row]:hover > .face {
        stroke: var(--gguf-ink);
        stroke-width: 1.5px;
      }
      .readout {
        min-height: calc(20 * var(--gguf-unit));
        margin-top: 4px;
        color: var(--gguf-ink-2);
        font-size: var(--gguf-text-dense);
        overflow-wrap: anywhere;
      }
      details {
        margin-top: 6px;
        font-size: var(--gguf-text-control);
      }
      summary {
        width: fit-content;
        min-height: calc(24 * var(--gguf-unit));
        color: var(--gguf-accent);
        font-size: var(--gguf-text-dense);
        cursor: pointer;
      }
      .text {
        position: relative;
        max-height: 420px;
        overflow: auto;
      }
      table {
        width: 100%;
        font-size: var(--gguf-text-control);
      }
      th,
      td {
        padding: ${rowPadding(4)} 12px ${rowPadding(4)} 0;
        text-align: start;
        vertical-align: top;
      }
      .number {
        text-align: end;
        white-space: nowrap;
      }
      .hint {
        margin-top: 6px;
        color: var(--gguf-ink-2);
        font-size: var(--gguf-text-dense);
      }
      @media (forced-colors: active) {
        svg text {
          fill: CanvasText;
        }
        [data-row]:focus-visible > .face {
          stroke: Highlight;
        }
      }
    `,
  ];

  /** The heading. */
  protected abstract readonly heading: string;
  /** What the name of the saved file ends with. */
  protected abstract readonly saveName: string;

  /** The element `svg` with a width of `width` units of the text size, or what renders it. It is scaled by the unit afterwards. */
  protected abstract draw(width: number): unknown;

  /** The height of the picture, in units, if it is known before the width. So the legend stays where it is. */
  protected get reservedHeight(): number {
    return 0;
  }

  /** The facts of the picture as text. */
  protected abstract facts(): unknown;

  /** What stands between the heading and the picture. */
  protected intro(): unknown {
    return nothing;
  }

  /** What stands below the picture: a legend. */
  protected legend(): unknown {
    return nothing;
  }

  /** What the line below the picture says if no mark has the pointer or the focus. */
  protected readonly hint: string = "";

  /** The width may change when the file is closed already. */
  override shouldUpdate(): boolean {
    return this.isConnected;
  }

  /** A picture of another width has new marks. The mark that had the focus, or could have it, is found again by its place. */
  override update(changed: PropertyValues): void {
    const before = this.renderRoot.querySelector<SVGElement>('figure [data-row][tabindex="0"]');
    const hadFocus = before !== null && (this.renderRoot as ShadowRoot).activeElement === before;
    super.update(changed);
    const figure = this.renderRoot.querySelector("figure");
    if (!figure) return;
    this.#scale();
    if (before && !before.isConnected) enterSameMark(figure, before, hadFocus);
    enterMarks(figure);
  }

  /** Gives the drawing the scale of the text size. */
  #scale(): void {
    const svg = this.#svg;
    if (!svg) return;
    const [width, height] = [svg.width.baseVal.value, svg.height.baseVal.value];
    svg.classList.add("drawing");
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    svg.style.width = `${width * this.#box.unit}px`;
    svg.style.height = height === 0 ? "0" : "auto";
  }

  override render() {
    const { width } = this.#box;
    return html`<section aria-labelledby="title">
      <header>
        <h3 id="title">${this.heading}</h3>
        <gguf-menu brief label="Save the picture" .icon=${icons.save} .groups=${this.#saveItems}></gguf-menu>
      </header>
      ${this.intro()}
      <figure
        @keydown=${this.#onKey}
        @click=${this.#onClick}
        @pointerover=${this.#onMark}
        @focusin=${this.#onMark}
        @pointerleave=${this.#onLeave}
        @focusout=${this.#onLeave}
      >
        ${width > 0 ? this.draw(width) : html`<div .style=${`height: calc(${this.reservedHeight} * var(--gguf-unit))`}></div>`}
        ${this.legend()}
        <p class="readout" aria-hidden="true">${this.hint}</p>
      </figure>
      <details>
        <summary>As text</summary>
        <div class="text" role="region" aria-label="${this.heading} as text" tabindex="0">
          ${until(this.#lateFacts())}
        </div>
      </details>
    </section>`;
  }

  /** The text is hidden at first, so the picture is painted before it is made. The search of the browser finds it then. */
  async #lateFacts(): Promise<unknown> {
    await whenIdle();
    return this.isConnected ? this.facts() : nothing;
  }

  get #svg(): SVGSVGElement | null {
    return this.renderRoot.querySelector<SVGSVGElement>("figure > svg");
  }

  readonly #saveItems = (): readonly MenuGroup[] => [
    {
      items: [
        { title: "Save as SVG", run: () => void this.#save("svg") },
        { title: "Save as PNG", run: () => void this.#save("png") },
      ],
    },
  ];

  async #save(format: "svg" | "png"): Promise<void> {
    const svg = this.#svg;
    if (!svg) return;
    const name = `${baseName(this.fileName) || "model"}-${this.saveName}.${format}`;
    try {
      startDownload(format === "svg" ? svgFile(svg, this.heading) : await pngFile(svg, this.heading), name);
      announce(this, `Download of ${escapeText(name, 120)} started`);
    } catch {
      announce(this, "The browser could not write the picture. Save it as SVG.");
    }
  }

  readonly #onKey = (event: KeyboardEvent) => {
    const figure = event.currentTarget as HTMLElement;
    const mark = markOf(event);
    if (mark && (event.key === "Enter" || event.key === " ")) {
      event.preventDefault();
      this.#follow(mark);
    } else if (moveMark(event, figure)) event.preventDefault();
  };

  readonly #onClick = (event: MouseEvent) => {
    const mark = markOf(event);
    if (mark) this.#follow(mark);
  };

  /** Shows the tensors of a mark. */
  #follow({ dataset }: SVGElement): void {
    const filter = dataset["filter"];
    if (filter === undefined) return;
    this.dispatchEvent(new CustomEvent("gguf-show-tensors", { detail: { filter }, bubbles: true, composed: true }));
  }

  // The line changes too often for an update of the element.
  readonly #onMark = (event: Event) => this.#setReadout(markOf(event)?.getAttribute("aria-label") ?? this.hint);

  readonly #onLeave = () => this.#setReadout(this.hint);

  #setReadout(words: string): void {
    const line = this.renderRoot.querySelector(".readout");
    if (line) line.textContent = words;
  }
}
