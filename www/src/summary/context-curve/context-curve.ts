import { scaleLinear, scaleLog } from "d3-scale";
import { area, line } from "d3-shape";
import { html, nothing, type PropertyValues, svg } from "lit";
import { property, state } from "lit/decorators.js";
import { columnHeads } from "../../ui/column-heads.ts";
import { define } from "../../ui/define.ts";
import { formatBinaryBytes, formatCount, formatInteger } from "../../ui/numbers.ts";
import { formatSize, type Machine } from "../../memory/machine.ts";
import { RESERVE, usableBytes } from "../../memory/room.ts";
import { modelFacts } from "../../memory/settings.ts";
import { memorySource } from "../../worker/file-memory.ts";
import { Picture } from "../picture.ts";
import {
  curveContexts,
  type CurvePoint,
  type CurveType,
  curveTypes,
  memoryCurve,
  shownCards,
  smallestCard,
} from "./curve.ts";
import { contextCurveStyles } from "./context-curve-styles.ts";

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
  @property({ attribute: false }) machine: Machine = {};
  /** `computing` until they are known, `unknown` if a part of the memory is not known. */
  @state() private points: readonly CurvePoint[] | "computing" | "unknown" = "computing";
  #computing = new AbortController();

  static override styles = [...Picture.styles, contextCurveStyles];

  override willUpdate(changed: PropertyValues): void {
    if (changed.has("gguf")) void this.#compute();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#computing.abort();
  }

  async #compute(): Promise<void> {
    this.#computing.abort();
    this.#computing = new AbortController();
    const { signal } = this.#computing;
    this.points = "computing";
    const contexts = curveContexts(modelFacts(this.gguf).ownContext);
    const points = await memoryCurve(memorySource(this.gguf, signal), contexts).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
    if (!signal.aborted) this.points = points ?? "unknown";
  }

  get #points(): readonly CurvePoint[] | undefined {
    return typeof this.points === "string" ? undefined : this.points;
  }

  /** The person's card. A shared memory and several cards have no line. */
  get #ownCards(): readonly number[] {
    const { cards = [], shared } = this.machine;
    return shared || cards.length > 1 ? [] : cards;
  }

  protected override intro() {
    const points = this.#points;
    if (this.points === "computing") return html`<p class="intro" aria-busy="true">The memory is computed…</p>`;
    if (points === undefined)
      return html`<p class="intro">
        The memory for a context is not known, because llama.cpp's rules for this architecture are not known.
      </p>`;
    return html`<p class="intro">
      ${doublingWords(points)} All layers are on the GPU. A line is what a model may take of a card: ${RESERVE} GiB is
      left free.
    </p>`;
  }

  protected draw(width: number) {
    const points = this.#points ?? [];
    const cards = shownCards(this.#ownCards);
    const scales = scalesOf(points, width, cards);
    // The place of the picture, so that what is below stays where it is.
    const height = this.points === "unknown" ? 0 : SIZES.height;
    return html`<svg width=${width} height=${height} role="group" aria-labelledby="title">
      ${
        points.length === 0
          ? nothing
          : svg`<g aria-hidden="true">
                ${drawCurves(points, scales)} ${drawSizes(scales, cards, this.#ownCards)} ${drawContexts(points, scales)}
              </g>
              ${drawMarks(points, scales)}`
      }
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
      ${columnHeads(
        "Context",
        ["KV cache", "number"],
        ...types.map((type) => [`Total, ${type}`, "number"] as const),
        "Smallest card, F16",
      )}
      <tbody>
        ${points.map(
          ({ context, cache, totals }) =>
            html`<tr>
              <th scope="row">${formatInteger(context)}</th>
              <td class="number">${formatBinaryBytes(cache)}</td>
              ${types.map((type) => html`<td class="number">${formatBinaryBytes(totals[type] ?? 0)}</td>`)}
              <td>${cardWords(totals.F16, shownCards(this.#ownCards))}</td>
            </tr>`,
        )}
      </tbody>
    </table>`;
  }
}

interface Scales {
  readonly x: (context: number) => number;
  readonly y: (bytes: number) => number;
  readonly left: number;
  readonly right: number;
  readonly height: number;
  /** The bytes at the top. */
  readonly top: number;
}

function scalesOf(points: readonly CurvePoint[], width: number, cards: readonly number[]): Scales {
  const [shortest, longest] = [points[0]?.context ?? 1, points.at(-1)?.context ?? 2];
  const most = Math.max(1, ...points.map(({ totals }) => Math.max(...Object.values(totals))));
  // The next larger card stays in the picture, so that it shows how much room there is.
  const next = cards.map(usableBytes).find((bytes) => bytes > most);
  const top = next !== undefined && next < most * 1.6 ? next * 1.04 : most * 1.08;
  const { height } = SIZES;
  const [left, right] = [SIZES.left, width - SIZES.right];
  const contexts = shortest === longest ? [shortest / 2, longest] : [shortest, longest];
  const x = scaleLog(contexts, [left, right]).base(2);
  const y = scaleLinear([0, top], [height - SIZES.bottom, SIZES.top]);
  return { x: (context) => x(context), y: (bytes) => y(bytes), left, right, height, top };
}

/** The stack of parts, and a curve with its name for each type of the cache. */
function drawCurves(points: readonly CurvePoint[], { x, y, right }: Scales) {
  const stacked = (from: number, to: number) =>
    area<CurvePoint>()
      .x(({ context }) => x(context))
      .y0((point) => y(partsUpTo(point, from)))
      .y1((point) => y(partsUpTo(point, to)))(points) ?? "";
  const curve = (type: CurveType) =>
    line<CurvePoint>()
      .x(({ context }) => x(context))
      .y(({ totals }) => y(totals[type] ?? 0))(points) ?? "";
  return svg`${STACK.map((part, at) => svg`<path class="area ${part.name}" d=${stacked(at, at + 1)}></path>`)}
    ${curveTypes(points).map((type) => svg`<path class="curve ${type}" d=${curve(type)}></path>`)}
    ${endLabels(points, y).map(
      ({ type, at }) => svg`<text class="small end" x=${right + 6} y=${at + 4}>${type}</text>`,
    )}`;
}

/** A line for each card that is not larger than the picture, or for sizes of a model that is much smaller than every card. */
function drawSizes({ y, left, right, top }: Scales, sizes: readonly number[], own: readonly number[]) {
  const cards = sizes
    .map((card) => ({ bytes: usableBytes(card), words: `${formatSize(card)} GB`, isOwn: own.includes(card) }))
    .filter(({ bytes }) => bytes <= top && y(bytes) < y(0) - 8);
  const lines =
    cards.length > 0
      ? cards
      : sizeTicks(top).map((bytes) => ({ bytes, words: formatBinaryBytes(bytes), isOwn: false }));
  return svg`${apart(lines, ({ bytes }) => y(bytes), 4).map(
    ({ bytes, isOwn }) =>
      svg`<line class="card ${isOwn ? "own" : ""}" x1=${left} x2=${right} y1=${y(bytes)} y2=${y(bytes)}></line>`,
  )}
  ${apart(lines, ({ bytes }) => y(bytes), 14).map(
    ({ bytes, words, isOwn }) =>
      svg`<text class="small ${isOwn ? "own" : ""}" x=${left - 6} y=${y(bytes) + 4} text-anchor="end">${words}</text>`,
  )}`;
}

/** The axis of the context. */
function drawContexts(points: readonly CurvePoint[], { x, y, left, right, height }: Scales) {
  return svg`<line class="axis-line" x1=${left} x2=${right} y1=${y(0)} y2=${y(0)}></line>
    ${apart(points, ({ context }) => x(context), 46).map(
      ({ context }) =>
        svg`<text class="small" x=${x(context)} y=${height - 22} text-anchor="middle">${shortTokens(context)}</text>`,
    )}
    <text class="small" x=${(left + right) / 2} y=${height - 5} text-anchor="middle">Context in tokens</text>`;
}

/** A mark for each context, as wide as the distance to its neighbours. */
function drawMarks(points: readonly CurvePoint[], { x, left, right, height }: Scales) {
  return points.map((point, at) => {
    const [before, after] = [points[at - 1], points[at + 1]];
    const from = before ? (x(before.context) + x(point.context)) / 2 : left;
    const to = after ? (x(after.context) + x(point.context)) / 2 : right;
    return svg`<rect
      class="mark face"
      role="img"
      tabindex="-1"
      data-row="0"
      data-column=${at}
      aria-label=${pointWords(point)}
      x=${from.toFixed(1)}
      y=${SIZES.top}
      width=${Math.max(1, to - from).toFixed(1)}
      height=${height - SIZES.bottom - SIZES.top}
    ></rect>`;
  });
}

function partsUpTo({ weights, cache, compute }: CurvePoint, count: number): number {
  return [weights, cache, compute].slice(0, count).reduce((sum, bytes) => sum + bytes, 0);
}

/** "80 GB", or that no shown card is large enough. */
function cardWords(bytes: number, cards: readonly number[]): string {
  const card = smallestCard(bytes, cards);
  return card === undefined ? `more than ${formatSize(cards.at(-1) ?? 0)} GB` : `${formatSize(card)} GB`;
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
  const lessMore = fromQ8 === undefined || toQ8 === undefined ? more : toQ8 - fromQ8;
  // A model without a KV cache takes the same memory with each type of it.
  const small = lessMore < more ? `, or ${formatBinaryBytes(lessMore)} with the KV cache type Q8_0` : "";
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

/** Drops items that are closer than `distance` to the next item that is kept. Starts at the last item, because it is the most important. */
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
