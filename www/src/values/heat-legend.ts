import { html, nothing } from "lit";
import { type ColourScale, cssGradient, positionOn, colourRamp } from "../ui/colour-scale.ts";
import { formatCount, formatMeasured } from "../ui/numbers.ts";

/**
 * The legend of a heat map: its colours, the ends of its scale, the number of cells that it cannot show, and the value of the current cell.
 */
export function heatLegend({
  scale,
  numbers,
  read,
  dark,
}: {
  scale: ColourScale | undefined;
  numbers: Float32Array;
  /** The value of the current cell. */
  read: number | undefined;
  dark: boolean;
}) {
  const without = numbers.reduce((count, number) => count + (Number.isFinite(number) ? 0 : 1), 0);
  const hatched =
    without === 0
      ? nothing
      : html`<p class="note"><span class="hatch"></span>${formatCount(without, "cell")} without a finite number</p>`;
  if (!scale) return html`<div class="legend">${hatched}</div>`;
  const { low, high, below, above } = scale;
  return html`<div class="legend">
    <div class="ramp" .style=${`--ramp:${cssGradient(colourRamp(scale.kind, dark))}`} aria-hidden="true">
      ${
        read !== undefined && Number.isFinite(read)
          ? html`<span class="needle" .style=${`--at:${(positionOn(scale, read) * 100).toFixed(2)}%`}></span>`
          : nothing
      }
    </div>
    <div class="ends">
      <span>${low === high ? "" : `${below > 0 ? "≤ " : ""}${formatMeasured(low)}`}</span>
      <span>${low === high ? formatMeasured(low) : scale.kind === "diverging" ? "0" : ""}</span>
      <span>${low === high ? "" : `${above > 0 ? "≥ " : ""}${formatMeasured(high)}`}</span>
    </div>
    ${
      below + above > 0
        ? html`<p class="note">
            ${formatCount(below + above, "cell")} beyond the ends of the scale; the furthest value is
            ${formatMeasured(furthest(scale, numbers))}
          </p>`
        : nothing
    }
    ${hatched}
  </div>`;
}

/** The number that is furthest beyond the scale. */
function furthest({ low, high }: ColourScale, numbers: Float32Array): number {
  let found = 0;
  let distance = 0;
  for (const number of numbers) {
    const beyond = Math.max(low - number, number - high);
    if (beyond > distance) [found, distance] = [number, beyond];
  }
  return found;
}
