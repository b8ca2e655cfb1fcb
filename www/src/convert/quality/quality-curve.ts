import { scaleLinear, scaleLog } from "d3-scale";
import { line } from "d3-shape";
import { html, nothing, svg } from "lit";
import { property } from "lit/decorators.js";
import { live } from "lit/directives/live.js";
import { ERROR_TITLE, formatError } from "../../gguf/nmse.ts";
import { Picture } from "../../summary/picture.ts";
import { columnHeads } from "../../ui/column-heads.ts";
import { define } from "../../ui/define.ts";
import { formatBytes } from "../../ui/numbers.ts";
import { axisTicks } from "../../ui/ticks.ts";
import type { CardLimit } from "./card-limit.ts";
import { bestWithin, type QualityPoint, savedText, sliderPoints } from "./curve-points.ts";
import { qualityCurveStyles } from "./quality-curve-styles.ts";

/** The height of the picture, and the room for the axes, in px. */
const SIZES = { height: 300, left: 58, right: 26, top: 22, bottom: 42 };
/** The radius of a point, and of the chosen one. */
const RADIUS = { point: 4.5, chosen: 7 };
/** The height of the text of a name and of a line of texts, and the width of a character. */
const NAME = { height: 13, line: 15, character: 7 };

/** The new file, if its types are not those of a file type. */
export interface OwnPoint {
  readonly size: number;
  readonly error: number;
}

/**
 * The size of each file type against its error, with the largest files that fit the cards. A slider and the points choose a file type: the
 * event `gguf-target` reports its name (detail: a string).
 */
export class GgufQualityCurve extends Picture {
  @property({ attribute: false }) points: readonly QualityPoint[] = [];
  /** The name of the chosen file type. */
  @property() chosen = "";
  /** The new file with types that were set by hand. */
  @property({ attribute: false }) own: OwnPoint | undefined;
  /** The largest files for the cards of the person, the smallest first. */
  @property({ attribute: false }) limits: readonly CardLimit[] = [];
  @property({ type: Boolean }) disabled = false;

  protected readonly heading = "Size against error";
  protected readonly saveName = "quality";
  protected override readonly hint = "Each point is a file type. Choose one to convert to it.";

  static override styles = [...Picture.styles, qualityCurveStyles];

  get #chosen(): QualityPoint | undefined {
    return this.points.find(({ name }) => name === this.chosen);
  }

  protected override intro() {
    const chosen = this.#chosen;
    return html`<p class="intro">
        ${
          chosen
            ? html`<strong>${chosen.name}</strong> has ${formatBytes(chosen.size)} and an error of about
                ${formatError(chosen.error)}${chosen.without === undefined ? "" : `, ${savedText(chosen.without, chosen.error)} than without the importance matrix`}. `
            : nothing
        }${this.limits.map((limit) => this.#renderLimit(limit))}
      </p>
      ${this.#renderSlider()}`;
  }

  #renderLimit({ title, bytes }: CardLimit) {
    const best = bestWithin(this.points, bytes);
    return best
      ? html`The least error that fits ${title} is that of <strong>${best.name}</strong>. `
      : `No file type fits ${title}. `;
  }

  #renderSlider() {
    const steps = sliderPoints(this.points, this.chosen);
    const at = steps.findIndex(({ name }) => name === this.chosen);
    const chosen = steps[at];
    if (steps.length < 2) return nothing;
    return html`<div class="slider">
      <span aria-hidden="true">Smaller</span
      ><input
        type="range"
        min="0"
        max=${steps.length - 1}
        step="1"
        aria-label="File type"
        aria-valuetext=${chosen ? pointWords(chosen) : nothing}
        ?disabled=${this.disabled}
        .value=${live(String(Math.max(0, at)))}
        @input=${(event: Event) => this.#choose(steps[Number((event.target as HTMLInputElement).value)]?.name)}
      /><span aria-hidden="true">Better</span>
    </div>`;
  }

  protected draw(width: number) {
    const { points, own, limits } = this;
    if (points.length === 0) return nothing;
    const scales = scalesOf([...points, ...(own ? [own] : [])], limits, width);
    const placed = points.map((point) => ({ point, x: scales.x(point.size), y: scales.y(point.error) }));
    return html`<svg width=${width} height=${scales.height} role="group" aria-labelledby="title">
      <g aria-hidden="true">${drawAxes(scales)} ${drawLimits(limits, scales)} ${drawCurve(placed)}</g>
      ${inPaintOrder(placed, this.chosen).map(
        ({ point, x, y }) => svg`<g
          role="button"
          tabindex="-1"
          data-row="0"
          data-column=${points.indexOf(point)}
          aria-label=${pointWords(point)}
          aria-pressed=${point.name === this.chosen}
          aria-disabled=${this.disabled}
          @click=${() => this.#choose(point.name)}
          @keydown=${(event: KeyboardEvent) => {
            if (event.key === "Enter" || event.key === " ") this.#choose(point.name);
          }}
        >
          <circle class="target" cx=${x} cy=${y} r="12"></circle>
          <circle
            class="face point ${point.isBest ? "best" : ""} ${point.name === this.chosen ? "chosen" : ""}"
            cx=${x}
            cy=${y}
            r=${point.name === this.chosen ? RADIUS.chosen : RADIUS.point}
          ></circle>
        </g>`,
      )}
      <g aria-hidden="true">
        ${own ? svg`<path class="own" d="M ${scales.x(own.size)} ${scales.y(own.error) - 8} l 8 8 l -8 8 l -8 -8 z"></path>` : nothing}
        ${namesOf(placed, this.chosen, width).map(
          ({ name, x, y, isChosen }) =>
            svg`<text class="name ${isChosen ? "chosen" : ""}" x=${x} y=${y} text-anchor="middle">${name}</text>`,
        )}
      </g>
    </svg>`;
  }

  protected override legend() {
    return html`<ul class="legend" aria-label="Points">
      <li><span class="dot best"></span>No smaller file type has less error</li>
      <li><span class="dot"></span>Other file types</li>
      ${this.own ? html`<li><span class="diamond"></span>The new file, with types set by hand or by a mix</li>` : nothing}
      ${
        this.limits.length === 0
          ? nothing
          : html`<li><span class="bar"></span>Largest file for ${this.limits.map(({ title }) => title).join(", ")}</li>`
      }
    </ul>`;
  }

  protected facts() {
    const hasWithout = this.points.some(({ without }) => without !== undefined);
    return html`<table>
      ${columnHeads(
        "File type",
        ["Size", "number"],
        [ERROR_TITLE, "number"],
        ...(hasWithout ? [["Without imatrix", "number"] as const] : []),
        "On the curve",
      )}
      <tbody>
        ${this.points.map(
          ({ name, size, error, without, isBest }) =>
            html`<tr>
              <th scope="row">${name}</th>
              <td class="number">${formatBytes(size)}</td>
              <td class="number">${formatError(error)}</td>
              ${hasWithout ? html`<td class="number">${without === undefined ? "–" : formatError(without)}</td>` : nothing}
              <td>${isBest ? "Yes" : "No"}</td>
            </tr>`,
        )}
      </tbody>
    </table>`;
  }

  #choose(name: string | undefined): void {
    if (name === undefined || this.disabled || name === this.chosen) return;
    this.dispatchEvent(new CustomEvent("gguf-target", { detail: name }));
  }
}

interface Placed {
  readonly point: QualityPoint;
  readonly x: number;
  readonly y: number;
}

interface Scales {
  readonly x: (bytes: number) => number;
  readonly y: (error: number) => number;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  readonly height: number;
  /** The most bytes of the axis. */
  readonly most: number;
  /** The least and the largest error of the axis. */
  readonly errors: readonly [number, number];
}

function scalesOf(
  points: readonly { readonly size: number; readonly error: number }[],
  limits: readonly CardLimit[],
  width: number,
): Scales {
  const sizes = points.map(({ size }) => size);
  const largest = Math.max(...sizes);
  // A card that is much larger than all files would leave no room for the points.
  const most = 1.04 * Math.max(largest, ...limits.map(({ bytes }) => bytes).filter((bytes) => bytes < 1.25 * largest));
  const least = Math.max(0, Math.min(...sizes) - 0.06 * most);
  const errors = points.map(({ error }) => error);
  const domain = [Math.min(...errors) / 1.6, Math.max(...errors) * 1.6] as const;
  // Each limit has a line for its name above the picture.
  const top = SIZES.top + Math.max(0, limits.length - 1) * NAME.line + (limits.length > 0 ? 6 : 0);
  const height = SIZES.height + top - SIZES.top;
  const [left, right, bottom] = [SIZES.left, width - SIZES.right, height - SIZES.bottom];
  const x = scaleLinear([least, most], [left, right]);
  const y = scaleLog(domain, [bottom, top]).clamp(true);
  return { x: (bytes) => x(bytes), y: (error) => y(error), left, right, top, bottom, height, most, errors: domain };
}

function drawAxes({ x, y, left, right, top, bottom, height, most, errors: [low, high] }: Scales) {
  const powers = Array.from({ length: 40 }, (_, i) => 10 ** (i - 30)).filter((tick) => tick >= low && tick <= high);
  const unit = most >= 1e9 ? 1e9 : most >= 1e6 ? 1e6 : 1e3;
  const sizes = axisTicks(0, most / unit, right - left < 420 ? 4 : 7).filter(({ value }) => x(value * unit) >= left);
  return svg`${powers.map(
    (tick) => svg`<line class="grid" x1=${left} x2=${right} y1=${y(tick)} y2=${y(tick)}></line>
      <text class="small" x=${left - 6} y=${y(tick) + 4} text-anchor="end">${formatError(tick)}</text>`,
  )}
  <line class="axis-line" x1=${left} x2=${right} y1=${bottom} y2=${bottom}></line>
  ${sizes.map(
    ({
      value,
      text,
    }) => svg`<line class="axis-line" x1=${x(value * unit)} x2=${x(value * unit)} y1=${bottom} y2=${bottom + 4}></line>
      <text class="small" x=${x(value * unit)} y=${bottom + 17} text-anchor="middle">${text}</text>`,
  )}
  <text class="small" x=${(left + right) / 2} y=${height - 6} text-anchor="middle">Size in ${unit === 1e9 ? "GB" : unit === 1e6 ? "MB" : "kB"}</text>
  <text class="small" text-anchor="middle" transform="translate(12 ${(top + bottom) / 2}) rotate(-90)">${ERROR_TITLE}</text>`;
}

/** The limits, each with its name in a line of its own. What is larger than all cards is shaded. */
function drawLimits(limits: readonly CardLimit[], scales: Scales) {
  const { x, left, right, top, bottom, most } = scales;
  const last = limits.at(-1);
  const from = last && last.bytes <= most ? Math.max(left, x(last.bytes)) : right;
  return svg`<rect class="over" x=${from} y=${top} width=${Math.max(0, right - from)} height=${bottom - top}></rect>
    ${limits.map(({ bytes }, at) => {
      const place = Math.max(left, x(bytes));
      return bytes > most
        ? nothing
        : svg`<line class="limit" x1=${place} x2=${place} y1=${16 + at * NAME.line} y2=${bottom}></line>`;
    })}
    ${limits.map((limit, at) => drawLimitName(limit, 12 + at * NAME.line, scales))}`;
}

function drawLimitName({ title, bytes }: CardLimit, y: number, { x, left, right, most }: Scales) {
  if (bytes > most) return svg`<text class="small limit" x=${right} y=${y} text-anchor="end">All fit ${title}</text>`;
  const at = Math.max(left, x(bytes));
  const anchor = at > (left + right) / 2 ? "end" : "start";
  return svg`<text class="small limit" x=${at} y=${y} text-anchor=${anchor}>Fits ${title}: ${formatBytes(bytes)}</text>`;
}

/** The points that matter most are painted last: two file types can have the same place. */
function inPaintOrder(placed: readonly Placed[], chosen: string): Placed[] {
  const rank = ({ point }: Placed) => (point.name === chosen ? 2 : Number(point.isBest));
  return placed.toSorted((one, other) => rank(one) - rank(other));
}

/** The line through the best file types. */
function drawCurve(placed: readonly Placed[]) {
  const path = line<Placed>(
    ({ x }) => x,
    ({ y }) => y,
  )(placed.filter(({ point }) => point.isBest));
  return svg`<path class="curve" d=${path ?? ""}></path>`;
}

/** The names that have room: that of the chosen point first, then those of the best points, then the others. */
function namesOf(placed: readonly Placed[], chosen: string, width: number) {
  const rank = ({ name, isBest }: QualityPoint) => (name === chosen ? 0 : isBest ? 1 : 2);
  const named: { name: string; x: number; y: number; half: number; isChosen: boolean }[] = [];
  const ranked = placed.toSorted((a, b) => rank(a.point) - rank(b.point));
  for (const [at, { point, x, y }] of ranked.entries()) {
    // It is the same file as a point before it.
    if (ranked.slice(0, at).some((one) => one.x === x && one.y === y)) continue;
    const half = (point.name.length * NAME.character) / 2;
    const centre = Math.max(SIZES.left + half, Math.min(width - half, x));
    const isFree = (top: number) =>
      !named.some((one) => Math.abs(one.x - centre) < one.half + half + 4 && Math.abs(one.y - top) < NAME.height + 2) &&
      !placed.some(
        (one) => one.point !== point && Math.abs(one.x - centre) < half + 4 && Math.abs(one.y + 4 - top) < NAME.height,
      );
    const top = [y - 11, y + 21].find((one) => (point.name === chosen && one < y) || isFree(one));
    if (top !== undefined) named.push({ name: point.name, x: centre, y: top, half, isChosen: point.name === chosen });
  }
  return named;
}

function pointWords({ name, size, error }: QualityPoint): string {
  return `${name}: ${formatBytes(size)}, error ${formatError(error)}`;
}

define("gguf-quality-curve", GgufQualityCurve);
