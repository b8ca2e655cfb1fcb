import { scaleLog } from "d3-scale";
import { symbol, symbolCircle, symbolDiamond, symbolSquare, symbolStar, symbolTriangle, symbolWye } from "d3-shape";
import { html, nothing, type PropertyValues, svg } from "lit";
import { property } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import { type ErrorScale, errorScale, scaleTicks } from "../../gguf/error-scale.ts";
import { tensorRole } from "../../gguf/library.ts";
import { ERROR_TITLE, formatError } from "../../gguf/nmse.ts";
import { placeFinder } from "../../summary/block-roles.ts";
import { Picture } from "../../summary/picture.ts";
import { columnHeads } from "../../ui/column-heads.ts";
import { define } from "../../ui/define.ts";
import { formatCount, formatId, formatInteger } from "../../ui/numbers.ts";
import { bitsErrorStyles } from "./bits-error-styles.ts";
import {
  errorsByType,
  MOST_POINTS,
  type Point,
  type PointKind,
  pointsOf,
  smallerSide,
  type TypeAxis,
  typeAxis,
} from "./points.ts";
import type { TensorError, TensorLists } from "./tensor-errors.ts";
import { errorWords } from "./words.ts";

/** The height of the picture and of the row of equal tensors, and the room for the axes, in px. */
const SIZES = { height: 330, equal: 30, left: 62, right: 14, top: 26, bottom: 56 };
/** The size of a mark in square px. */
const MARK = 36;
/** The least distance of two labels below the columns, in px. */
const LABEL = 46;
/** The most types whose largest error has a name. */
const MOST_NAMES = 8;
/** Marks at most this many px apart are in one row for the keyboard. */
const ROW = 12;

/** The shapes, so that the kinds differ without colours. */
const KINDS: readonly { readonly kind: PointKind; readonly title: string; readonly path: string }[] = [
  { kind: "attention", title: "Attention", path: shape(symbolCircle) },
  { kind: "feed-forward", title: "Feed-forward", path: shape(symbolSquare) },
  { kind: "experts", title: "Experts", path: shape(symbolTriangle) },
  { kind: "recurrent", title: "Recurrent", path: shape(symbolDiamond) },
  { kind: "other", title: "Norms and other", path: shape(symbolWye) },
  { kind: "outer", title: "Outside of blocks", path: shape(symbolStar) },
];

/** Bits per weight against error: a mark for each tensor. `gguf` is the first file. */
export class GgufBitsError extends Picture {
  @property({ attribute: false }) errors: readonly TensorError[] = [];
  /** The tensors of both files. */
  @property({ attribute: false }) lists: TensorLists = { a: [], b: [] };

  protected readonly heading = "Bits against error";
  protected readonly saveName = "bits-error";
  protected override readonly hint = "Each mark is a tensor. Choose one to see how it differs.";
  #points: readonly Point[] = [];
  #side: "a" | "b" = "b";

  static override styles = [...Picture.styles, bitsErrorStyles];

  override willUpdate(changed: PropertyValues): void {
    if (changed.has("lists")) this.#side = smallerSide(this.lists);
    if (changed.has("errors") || changed.has("lists"))
      this.#points = pointsOf(this.errors, this.#side, placeFinder(tensorRole));
  }

  get #sideName(): string {
    return this.#side.toUpperCase();
  }

  protected override intro() {
    const left = this.errors.filter(({ state }) => state !== "measured").length;
    return html`<p class="intro">
      A column for each type in ${this.#sideName}, the ${this.#side === "a" ? "first" : "second"} file, by bits per
      weight, against the error on a logarithmic scale. In a column, the first block is on the left, and the last one on
      the right. ${left === 0 ? nothing : `${formatCount(left, "tensor")} without an error are not shown.`}
      ${
        this.#points.length < MOST_POINTS
          ? nothing
          : `The ${formatInteger(MOST_POINTS)} tensors with the largest errors are shown.`
      }
    </p>`;
  }

  protected draw(width: number) {
    const points = this.#points;
    const scale = errorScale(points.map(({ nmse }) => nmse));
    const axes = axesOf(points, scale, width);
    const placed = points.map((point) => ({ point, x: axes.x(point), y: axes.y(point.nmse) }));
    return html`<svg
      width=${width}
      height=${points.length === 0 ? 0 : SIZES.height}
      role="group"
      aria-labelledby="title"
    >
      ${points.length === 0 ? nothing : svg`<g aria-hidden="true">${drawAxes(axes, scale, this.#sideName)}</g>${this.#drawMarks(placed, width)}`}
    </svg>`;
  }

  #drawMarks(placed: readonly Placed[], width: number) {
    // The arrow keys move to the mark beside, above or below.
    const columns = placed.toSorted((one, other) => one.x - other.x);
    const columnOf = new Map(columns.map(({ point }, at) => [point, at]));
    return svg`${repeat(
      columns,
      ({ point }) => point.error.tensor.index,
      ({ point: { kind, error }, point, x, y }) => svg`<path
        class="point face ${kind}"
        role=${error.isListed ? "link" : "img"}
        tabindex="-1"
        data-row=${Math.round(y / ROW)}
        data-column=${columnOf.get(point) ?? 0}
        data-filter=${error.isListed ? error.tensor.name : nothing}
        aria-label=${pointWords(point)}
        transform="translate(${x.toFixed(1)} ${y.toFixed(1)})"
        d=${KINDS.find((one) => one.kind === kind)?.path ?? ""}
      ></path>`,
    )}
      <g aria-hidden="true">${namesOf(placed, width).map(
        ({ words, x, y }) => svg`<text class="name" x=${x} y=${y} text-anchor="middle">${words}</text>`,
      )}</g>`;
  }

  protected override legend() {
    const kinds = new Set(this.#points.map(({ kind }) => kind));
    return html`<ul class="legend" aria-label="Kinds of tensors">
      ${KINDS.filter(({ kind }) => kinds.has(kind)).map(
        ({ kind, title, path }) =>
          html`<li>
            <svg width="14" height="14" viewBox="-7 -7 14 14" aria-hidden="true">
              <path class="point ${kind}" d=${path}></path></svg
            >${title}
          </li>`,
      )}
    </ul>`;
  }

  protected facts() {
    const number = (value: number | undefined) =>
      html`<td class="number">${value === undefined ? "" : formatError(value)}</td>`;
    return html`<table>
      ${columnHeads(
        `Type in ${this.#sideName}`,
        ["Bits per weight", "number"],
        ["Tensors", "number"],
        ["Equal", "number"],
        ["Least error", "number"],
        ["Median error", "number"],
        ["Largest error", "number"],
      )}
      <tbody>
        ${errorsByType(this.#points).map(
          ({ type, bits, count, equal, least, median, largest }) =>
            html`<tr>
              <th scope="row">${type}</th>
              <td class="number">${formatBits(bits)}</td>
              <td class="number">${formatInteger(count)}</td>
              <td class="number">${formatInteger(equal)}</td>
              ${number(least)}${number(median)}${number(largest)}
            </tr>`,
        )}
      </tbody>
    </table>`;
  }
}

interface Placed {
  readonly point: Point;
  readonly x: number;
  readonly y: number;
}

interface Axes extends TypeAxis {
  readonly y: (nmse: number) => number;
  readonly left: number;
  readonly right: number;
  /** Where the row of equal tensors is. Undefined if none is equal. */
  readonly equal: number | undefined;
}

function axesOf(points: readonly Point[], scale: ErrorScale | undefined, width: number): Axes {
  const [left, right] = [SIZES.left, width - SIZES.right];
  const hasEqual = points.some(({ nmse }) => nmse === 0);
  const bottom = SIZES.height - SIZES.bottom;
  const errors = scaleLog(scale === undefined ? [1, 10] : [scale.low / 1.2, scale.high * 1.2], [
    hasEqual ? bottom - SIZES.equal : bottom,
    SIZES.top,
  ]).clamp(true);
  const equal = hasEqual ? bottom - 10 : undefined;
  return {
    ...typeAxis(points, [left, right]),
    y: (nmse) => (nmse === 0 && equal !== undefined ? equal : errors(nmse)),
    left,
    right,
    equal,
  };
}

function drawAxes({ y, columns, each, left, right, equal }: Axes, scale: ErrorScale | undefined, side: string) {
  const bottom = SIZES.height - SIZES.bottom;
  const step = Math.ceil(LABEL / each);
  return svg`${(scale === undefined ? [] : scaleTicks(scale)).map(
    (tick) => svg`<line class="grid" x1=${left} x2=${right} y1=${y(tick)} y2=${y(tick)}></line>
      <text class="small" x=${left - 6} y=${y(tick) + 4} text-anchor="end">${formatError(tick)}</text>`,
  )}
  ${equal === undefined ? nothing : svg`<text class="small" x=${left - 6} y=${equal + 4} text-anchor="end">Equal</text>`}
  <line class="axis-line" x1=${left} x2=${right} y1=${bottom} y2=${bottom}></line>
  ${columns.map(
    (column, at) =>
      svg`${
        at === 0
          ? nothing
          : svg`<line class="grid" x1=${column.left} x2=${column.left} y1=${SIZES.top - 12} y2=${bottom + 6}></line>`
      }${
        at % step === 0
          ? svg`<text class="small" x=${column.left + each / 2} y=${bottom + 16} text-anchor="middle">${column.type}</text>
            <text class="small" x=${column.left + each / 2} y=${bottom + 31} text-anchor="middle">${formatBits(column.bits)}</text>`
          : nothing
      }`,
  )}
  <text class="small" x=${(left + right) / 2} y=${SIZES.height - 6} text-anchor="middle">Type in ${side}, and its bits per weight</text>
  <text class="small" text-anchor="middle" transform="translate(11 ${bottom / 2}) rotate(-90)">${ERROR_TITLE}</text>`;
}

/** A name above the largest error of each type. Marks of the type are below it. */
function namesOf(placed: readonly Placed[], width: number) {
  const named: { type: string; words: string; x: number; y: number }[] = [];
  for (const { point, x, y } of placed) {
    const { type, title, block, nmse } = point;
    if (named.length === MOST_NAMES || nmse === 0) break;
    if (named.some((other) => other.type === type || (Math.abs(other.y + 9 - y) < 16 && Math.abs(other.x - x) < 150)))
      continue;
    const words = `${type}: ${title.toLowerCase()}${block === undefined ? "" : ` ${formatId(block)}`}`;
    const half = words.length * 3.4;
    named.push({ type, words, x: Math.max(SIZES.left + half, Math.min(width - half, x)), y: y - 9 });
  }
  return named;
}

function pointWords(point: Point): string {
  return `${point.error.tensor.name}: ${point.type}, ${formatBits(point.bits)} bits per weight, ${errorWords([point.error])}`;
}

function formatBits(bits: number): string {
  return String(Number(bits.toFixed(2)));
}

function shape(type: Parameters<typeof symbol>[0]): string {
  return symbol(type, MARK)() ?? "";
}

define("gguf-bits-error", GgufBitsError);
