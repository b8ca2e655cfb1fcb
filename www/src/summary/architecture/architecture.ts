import { css, html, nothing, type PropertyValues, svg } from "lit";
import { property } from "lit/decorators.js";
import { architectureInfo, tensorRole } from "../../gguf/library.ts";
import { define } from "../../ui/define.ts";
import { formatParameters } from "../../ui/numbers.ts";
import { renderText } from "../../ui/render-text.ts";
import { linkButtonStyles } from "../../ui/styles/link-button.ts";
import { placeFinder } from "../block-roles.ts";
import { Picture } from "../picture.ts";
import { layOut, type PlacedBox, SPACE } from "./layout.ts";
import type { Box } from "./block-boxes.ts";
import { type BlockFold, modelStages, type Stage } from "./model-parts.ts";
import { modelSource } from "./model-source.ts";

/** What a model is made of, as boxes from the embedding to the output. Blocks with equal tensors are folded. */
export class GgufArchitecture extends Picture {
  /** Whether the Graph panel can be shown. */
  @property({ type: Boolean }) graph = false;

  protected readonly heading = "Architecture";
  protected readonly saveName = "architecture";
  protected override readonly hint = "Choose a box to see its tensors.";
  #stages: readonly Stage[] = [];
  #name = "";

  static override styles = [
    ...Picture.styles,
    linkButtonStyles,
    css`
      :host {
        --attention: light-dark(#e3ecf8, #1e2c3f);
        --feed-forward: light-dark(#f8ecd6, #382a12);
        --experts: light-dark(#f8e2e0, #3b2120);
        --recurrent: light-dark(#ece4f6, #2c2340);
        --other: light-dark(#efefec, #24282c);
      }
      .box {
        fill: var(--kind, var(--gguf-surface));
        stroke: var(--gguf-line-strong);
      }
      .attention {
        --kind: var(--attention);
      }
      .feed-forward {
        --kind: var(--feed-forward);
      }
      .experts {
        --kind: var(--experts);
      }
      .recurrent {
        --kind: var(--recurrent);
      }
      .other,
      .outer {
        --kind: var(--other);
      }
      .shared .box {
        stroke-dasharray: 4 3;
      }
      .fold {
        fill: none;
        stroke: var(--gguf-line-strong);
      }
      .behind {
        fill: none;
        stroke: var(--gguf-line-strong);
        stroke-opacity: 0.6;
      }
      text.title,
      text.head {
        fill: var(--gguf-ink);
        font-size: var(--gguf-text-control);
        font-weight: 600;
      }
      .arrow {
        fill: none;
        stroke: var(--gguf-ink-3);
        stroke-width: 1.5px;
      }
      @media (forced-colors: active) {
        .box {
          fill: Canvas;
          stroke: CanvasText;
        }
        .fold,
        .behind,
        .arrow {
          stroke: CanvasText;
        }
        text.title,
        text.head {
          fill: CanvasText;
        }
        [data-filter] text.title {
          fill: LinkText;
        }
      }
    `,
  ];

  override willUpdate(changed: PropertyValues): void {
    if (!changed.has("gguf")) return;
    const source = modelSource(this.gguf);
    this.#name = source.architecture;
    this.#stages = modelStages(source, placeFinder(tensorRole));
  }

  protected override intro() {
    const info = architectureInfo(this.#name);
    const name = renderText(this.#name, { limit: 60 });
    if (this.#name === "") return html`<p class="intro">The file does not name its architecture.</p>`;
    if (info?.llamaCppTensors === undefined)
      return html`<p class="intro">
        How the architecture <strong>${name}</strong> is computed is not known. The boxes follow from the names of the
        tensors.
      </p>`;
    return html`<p class="intro">
      <strong>${info.title}</strong>. Blocks with equal tensors are folded. ${this.#graphLink()}
    </p>`;
  }

  #graphLink() {
    const show = () =>
      this.dispatchEvent(new CustomEvent("gguf-show-panel", { detail: "graph", bubbles: true, composed: true }));
    return this.graph ? html`<button type="button" class="link" @click=${show}>See it as a graph</button>` : nothing;
  }

  protected draw(width: number) {
    const inner = width - 6;
    const { boxes, folds, arrows, height } = layOut(this.#stages, inner);
    return html`<svg width=${width} height=${height + 8} role="group" aria-labelledby="title">
      <g transform="translate(1 1)">
        ${folds.map(
          ({ fold, y, height: tall }) => svg`<g aria-hidden="true">
            ${
              fold.blocks.length > 1
                ? svg`<path class="behind" d="M ${inner + 3} ${y + 10} V ${y + tall + 4} H 10"></path>`
                : nothing
            }
            <rect class="fold" x="0" y=${y} width=${inner} height=${tall} rx="7"></rect>
            <text class="head" x=${SPACE.gap} y=${y + 18}>${headWords(fold, inner)}</text>
            ${
              inner > 420
                ? svg`<text x=${inner - SPACE.gap} y=${y + 18} text-anchor="end">${sizeWords(fold)}</text>`
                : nothing
            }
          </g>`,
        )}
        ${arrows.map(
          (y) => svg`<path
            class="arrow"
            aria-hidden="true"
            d="M ${inner / 2} ${y - 7} v 13 m -4 -4.5 l 4 4.5 l 4 -4.5"
          ></path>`,
        )}
        ${boxes.map(drawBox)}
      </g>
    </svg>`;
  }

  protected facts() {
    return html`<ol>
      ${this.#stages.map((stage) =>
        "boxes" in stage
          ? stage.boxes.map((box) => html`<li>${boxWords(box)}</li>`)
          : stage.folds.map(
              (fold) =>
                html`<li>
                  ${fold.title}, ${sizeWords(fold)}
                  <ul>
                    ${fold.boxes.map((box) => html`<li>${boxWords(box)}</li>`)}
                  </ul>
                </li>`,
            ),
      )}
    </ol>`;
  }
}

function drawBox({ box, x, y, width, height, title, lines, row, column }: PlacedBox) {
  const textX = x + SPACE.inner;
  const titleY = (at: number) => y + SPACE.inner + 9 + at * SPACE.title;
  const lineY = (at: number) => titleY(title.length) - 1 + at * SPACE.line;
  const content = svg`
    <rect class="box face" x=${x.toFixed(1)} y=${y} width=${width.toFixed(1)} height=${height} rx="5"></rect>
    <g aria-hidden="true">
      ${title.map((text, at) => svg`<text class="title" x=${textX} y=${titleY(at)}>${text}</text> `)}
      ${lines.map((text, at) => svg`<text x=${textX} y=${lineY(at)}>${text}</text> `)}
    </g>`;
  return box.filter === undefined
    ? svg`<g class=${box.kind} role="img" tabindex="-1" data-row=${row} data-column=${column} aria-label=${boxWords(box)}>${content}</g>`
    : svg`<g
        class=${box.kind}
        role="link"
        tabindex="-1"
        data-row=${row}
        data-column=${column}
        data-filter=${box.filter}
        aria-label=${boxWords(box)}
      >${content}</g>`;
}

/** "Attention: 32 heads, 8 for keys and values; head size 128". */
function boxWords({ title, lines }: Box): string {
  return lines.length === 0 ? title : `${title}: ${lines.join("; ")}`;
}

/** The title of folded blocks, cut off if it is too long. */
function headWords({ title }: BlockFold, width: number): string {
  const room = Math.floor((width - 2 * SPACE.gap - (width > 420 ? 150 : 0)) / 7.5);
  return title.length <= room ? title : `${title.slice(0, Math.max(1, room - 1))}…`;
}

function sizeWords({ blocks, parameters }: BlockFold): string {
  return `${formatParameters(parameters)} parameters${blocks.length > 1 ? " each" : ""}`;
}

define("gguf-architecture", GgufArchitecture);
