import { scaleLinear, scaleLog } from "d3-scale";
import { area, line } from "d3-shape";
import { css, html, nothing, type PropertyValues, svg } from "lit";
import { define } from "../../ui/define.ts";
import { formatBinaryBytes, formatCount, formatInteger } from "../../ui/numbers.ts";
import { modelFacts } from "../../memory/settings.ts";
import { Picture } from "../picture.ts";
import {
  CARD_LINES,
  curveContexts,
  type CurvePoint,
  type CurveType,
  curveTypes,
  memoryCurve,
  smallestCard,
} from "./curve.ts";

const GIB = 2 ** 30;
/** The height of the picture, and the room for the words around it, in px. */
const SIZES = { height: 270, left: 54, right: 62, top: 14, bottom: 40 };

/** The parts of the stack, from the bottom. */
const STACK = [
  { name: "weights", title: "Weights" },
  { name: "cache", title: "KV cache" },
  { name: "compute", title: "Compute buffer" },
] as const;

/** The memory on the GPU against the length of the context. */
export class GgufContextCurve extends Picture {
  protected readonly heading = "Memory against context";
  protected readonly saveName = "memory";
  #points: readonly CurvePoint[] | undefined;
  #ownContext: number | undefined;

  static override styles = [
    ...Picture.styles,
    css`
      :host {
        --weights: light-dark(#9db3cf, #3c5575);
        --cache: light-dark(#e3b35b, #8f6a1e);
        --compute: light-dark(#b9a4d3, #64507f);
      }
      .area {
        fill: var(--part);
      }
      .weights {
        --part: var(--weights);
      }
      .cache {
        --part: var(--cache);
      }
      .compute {
        --part: var(--compute);
      }
      .curve {
        fill: none;
        stroke: var(--gguf-ink);
        stroke-width: 1.75px;
      }
      .curve.Q8_0 {
        stroke-dasharray: 6 3;
      }
      .curve.Q4_0 {
        stroke-dasharray: 2 3;
      }
      .card {
        stroke: var(--gguf-ink-3);
        stroke-width: 1px;
        stroke-opacity: 0.55;
      }
      .axis-line {
        stroke: var(--gguf-line-strong);
      }
      text.small {
        font-size: 11px;
      }
      .end {
        fill: var(--gguf-ink);
      }
      .mark {
        fill: transparent;
        stroke: none;
      }
      .mark:hover {
        fill: color-mix(in srgb, var(--gguf-ink) 8%, transparent);
      }
      .legend {
        display: flex;
        flex-wrap: wrap;
        gap: 4px 14px;
        margin-top: 4px;
        font-size: 12.5px;
      }
      .legend li {
        display: flex;
        align-items: center;
        gap: 6px;
      }
      .swatch {
        width: 11px;
        height: 11px;
        border-radius: 2px;
        background: var(--part);
      }
      .legend svg {
        flex: none;
      }
      @media (forced-colors: active) {
        .area {
          stroke: CanvasText;
          fill: Canvas;
        }
        .area.cache {
          fill: color-mix(in srgb, CanvasText 35%, Canvas);
        }
        .area.compute {
          fill: color-mix(in srgb, CanvasText 65%, Canvas);
        }
        .curve,
        .card {
          stroke: CanvasText;
        }
        .swatch {
          border: 1px solid CanvasText;
          forced-color-adjust: none;
          background: Canvas;
        }
        .cache .swatch {
          background: color-mix(in srgb, CanvasText 35%, Canvas);
        }
        .compute .swatch {
          background: color-mix(in srgb, CanvasText 65%, Canvas);
        }
      }
    `,
  ];

  override willUpdate(changed: PropertyValues): void {
    if (!changed.has("gguf")) return;
    this.#ownContext = modelFacts(this.gguf).ownContext;
    this.#points = memoryCurve(this.gguf, curveContexts(this.#ownContext));
  }

  protected override intro() {
    const points = this.#points;
    if (points === undefined)
      return html`<p class="intro">
        The memory for a context is not known, because llama.cpp's rules for this architecture are not known.
      </p>`;
    return html`<p class="intro">${doublingWords(points)} All layers are on the GPU.</p>`;
  }

  protected draw(width: number) {
    const points = this.#points ?? [];
    const [shortest, longest] = [points[0]?.context ?? 1, points.at(-1)?.context ?? 2];
    const most = Math.max(1, ...points.map(({ totals }) => Math.max(...Object.values(totals))));
    // The next larger card stays in the picture, so that it shows how much room there is.
    const next = CARD_LINES.find((card) => card * GIB > most);
    const top = next !== undefined && next * GIB < most * 1.6 ? next * GIB * 1.04 : most * 1.08;
    const height = points.length === 0 ? 0 : SIZES.height;
    const x = scaleLog(shortest === longest ? [shortest / 2, longest] : [shortest, longest], [
      SIZES.left,
      width - SIZES.right,
    ]).base(2);
    const y = scaleLinear([0, top], [height - SIZES.bottom, SIZES.top]);
    const stacked = (from: number, to: number) =>
      area<CurvePoint>()
        .x(({ context }) => x(context))
        .y0((point) => y(partsUpTo(point, from)))
        .y1((point) => y(partsUpTo(point, to)))(points) ?? "";
    const curve = (type: CurveType) =>
      line<CurvePoint>()
        .x(({ context }) => x(context))
        .y(({ totals }) => y(totals[type] ?? 0))(points) ?? "";
    const cards = CARD_LINES.filter((card) => card * GIB <= top && y(card * GIB) < y(0) - 8);
    return html`<svg width=${width} height=${height} role="group" aria-labelledby="title">
      <g aria-hidden="true">
        ${STACK.map((part, at) => svg`<path class="area ${part.name}" d=${stacked(at, at + 1)}></path>`)}
        ${apart(cards, (card) => y(card * GIB), 4).map(
          (card) => svg`<line
            class="card"
            x1=${SIZES.left}
            x2=${width - SIZES.right}
            y1=${y(card * GIB)}
            y2=${y(card * GIB)}
          ></line>`,
        )}
        ${apart(cards, (card) => y(card * GIB), 14).map(
          (card) => svg`<text class="small" x=${SIZES.left - 6} y=${y(card * GIB) + 4} text-anchor="end">
            ${card} GB
          </text>`,
        )}
        ${(cards.length > 0 ? [] : sizeTicks(top)).map(
          (bytes) => svg`<line
              class="card"
              x1=${SIZES.left}
              x2=${width - SIZES.right}
              y1=${y(bytes)}
              y2=${y(bytes)}
            ></line>
            <text class="small" x=${SIZES.left - 6} y=${y(bytes) + 4} text-anchor="end">${formatBinaryBytes(bytes)}</text>`,
        )}
        ${curveTypes(points).map((type) => svg`<path class="curve ${type}" d=${curve(type)}></path>`)}
        ${endLabels(points, y).map(
          ({ type, at }) => svg`<text class="small end" x=${width - SIZES.right + 6} y=${at + 4}>${type}</text>`,
        )}
        <line class="axis-line" x1=${SIZES.left} x2=${width - SIZES.right} y1=${y(0)} y2=${y(0)}></line>
        ${apart(points, ({ context }) => x(context), 46).map(
          ({ context }) => svg`<text class="small" x=${x(context)} y=${height - 22} text-anchor="middle">
            ${shortTokens(context)}
          </text>`,
        )}
        <text class="small" x=${(SIZES.left + width - SIZES.right) / 2} y=${height - 5} text-anchor="middle">
          Context in tokens${this.#ownContext === undefined ? "" : `, up to ${formatInteger(longest)}`}
        </text>
      </g>
      ${points.map((point, at) => {
        const [before, after] = [points[at - 1], points[at + 1]];
        const from = before ? (x(before.context) + x(point.context)) / 2 : SIZES.left;
        const to = after ? (x(after.context) + x(point.context)) / 2 : width - SIZES.right;
        return svg`<rect
          class="mark face"
          role="img"
          data-row="0"
          data-column=${at}
          aria-label=${pointWords(point)}
          x=${from.toFixed(1)}
          y=${SIZES.top}
          width=${Math.max(1, to - from).toFixed(1)}
          height=${height - SIZES.bottom - SIZES.top}
        ></rect>`;
      })}
    </svg>`;
  }

  protected override legend() {
    const points = this.#points;
    if (points === undefined) return nothing;
    return html`<ul class="legend" aria-label="Parts and KV cache types">
      ${STACK.map(({ name, title }) => html`<li class=${name}><span class="swatch"></span>${title}</li>`)}
      ${curveTypes(points).map(
        (type) =>
          html`<li>
            <svg width="22" height="10" aria-hidden="true">
              <line class="curve ${type}" x1="0" x2="22" y1="5" y2="5"></line></svg
            >Total, KV cache ${type}
          </li>`,
      )}
    </ul>`;
  }

  protected facts() {
    const points = this.#points;
    if (points === undefined) return html`<p>No figures are known.</p>`;
    const types = curveTypes(points);
    return html`<table>
      <thead>
        <tr>
          <th scope="col">Context</th>
          <th scope="col" class="number">KV cache</th>
          ${types.map((type) => html`<th scope="col" class="number">Total, ${type}</th>`)}
          <th scope="col">Smallest card, F16</th>
        </tr>
      </thead>
      <tbody>
        ${points.map(
          ({ context, cache, totals }) =>
            html`<tr>
              <th scope="row">${formatInteger(context)}</th>
              <td class="number">${formatBinaryBytes(cache)}</td>
              ${types.map((type) => html`<td class="number">${formatBinaryBytes(totals[type] ?? 0)}</td>`)}
              <td>${cardWords(totals.F16)}</td>
            </tr>`,
        )}
      </tbody>
    </table>`;
  }
}

function partsUpTo({ weights, cache, compute }: CurvePoint, count: number): number {
  return [weights, cache, compute].slice(0, count).reduce((sum, bytes) => sum + bytes, 0);
}

/** "80 GB", or that no common card is large enough. */
function cardWords(bytes: number): string {
  const card = smallestCard(bytes);
  return card === undefined ? "more than 80 GB" : `${card} GB`;
}

/** What doubling the context costs, at the longest context and half of it. */
export function doublingWords(points: readonly CurvePoint[]): string {
  const to = points.findLast(({ context }) => points.some((point) => 2 * point.context === context));
  const from = points.find(({ context }) => 2 * context === to?.context);
  if (from === undefined || to === undefined) return "";
  const more = to.totals.F16 - from.totals.F16;
  const tokens = `from ${formatInteger(from.context)} to ${formatCount(to.context, "token")}`;
  if (more <= 0) return `Doubling the context ${tokens} costs no memory.`;
  const [fromQ8, toQ8] = [from.totals.Q8_0, to.totals.Q8_0];
  const small =
    fromQ8 === undefined || toQ8 === undefined
      ? ""
      : `, or ${formatBinaryBytes(toQ8 - fromQ8)} with the KV cache type Q8_0`;
  return `Doubling the context ${tokens} costs ${formatBinaryBytes(more)}${small}.`;
}

function pointWords({ context, weights, cache, compute, totals }: CurvePoint): string {
  const types = Object.entries(totals)
    .map(([type, bytes]) => `${formatBinaryBytes(bytes)} with ${type}`)
    .join(", ");
  return `${formatCount(context, "token")}: weights ${formatBinaryBytes(weights)}, KV cache ${formatBinaryBytes(cache)}, compute buffer ${formatBinaryBytes(compute)}. Total ${types}`;
}

/** 512, 8K, 128K, 1M: the contexts of models are known by these names. */
function shortTokens(context: number): string {
  if (context >= 2 ** 20 && context % 2 ** 20 === 0) return `${context / 2 ** 20}M`;
  return context >= 1024 ? `${Number((context / 1024).toFixed(1))}K` : String(context);
}

/** Those of the items that are at least `distance` from the one before, from the last to the first: the last is the most important. */
function apart<Item>(items: readonly Item[], at: (item: Item) => number, distance: number): Item[] {
  const kept: Item[] = [];
  for (const item of items.toReversed()) {
    const before = kept[0];
    if (before === undefined || Math.abs(at(before) - at(item)) >= distance) kept.unshift(item);
  }
  return kept;
}

/** Sizes for the lines of a model that is much smaller than every card: one to three powers of two. */
function sizeTicks(top: number): number[] {
  const largest = 2 ** Math.floor(Math.log2(top));
  return [largest / 4, largest / 2, largest];
}

/** The names of the curves at their right ends, moved apart if they would cover each other. */
function endLabels(points: readonly CurvePoint[], y: (bytes: number) => number): { type: CurveType; at: number }[] {
  const last = points.at(-1);
  if (!last) return [];
  let above = -Infinity;
  return curveTypes(points).map((type) => {
    above = Math.max(y(last.totals[type] ?? 0), above + 13);
    return { type, at: above };
  });
}

define("gguf-context-curve", GgufContextCurve);
