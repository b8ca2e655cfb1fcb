import { css } from "lit";
import { bitsColour } from "../gguf/bits-colours.ts";

/**
 * The style of a mark whose colour tells its bits per weight: its colour, and its place among the bits of the model for forced colours.
 * `known` are the bits of the model's types, ascending.
 */
export function bitsStyle(bits: number | undefined, known: readonly number[]): string {
  if (bits === undefined) return "";
  const [light, dark] = bitsColour(bits);
  return `--hue: light-dark(${light}, ${dark}); --place: ${placeAmong(bits, known).toFixed(3)}`;
}

/** The place of a number among ascending numbers, from 0 to 1. Few different greys can be told apart, so the types share all of them. */
function placeAmong(bits: number, known: readonly number[]): number {
  const above = known.findIndex((other) => bits < other);
  if (above === 0 || known.length < 2) return 0;
  const [low = 0, high = 0] = [known[above - 1], known[above]];
  return above < 0 ? 1 : (above - 1 + (bits - low) / (high - low)) / (known.length - 1);
}

/** The styles of marks with `bitsStyle`. With forced colours, more bits have more of the colour of text. */
export const bitsStyles = css`
  .bits {
    fill: var(--hue, var(--gguf-line-strong));
  }
  .legend {
    display: flex;
    flex-wrap: wrap;
    gap: 4px 14px;
    margin-top: 8px;
    font-size: var(--gguf-text-dense);
  }
  .legend li {
    display: flex;
    align-items: center;
    gap: 6px;
  }
  .legend .mono {
    font-family: var(--gguf-mono);
    font-size: var(--gguf-text-small);
  }
  .legend .dim {
    color: var(--gguf-ink-2);
  }
  .swatch {
    flex: none;
    width: calc(11 * var(--gguf-unit));
    height: calc(11 * var(--gguf-unit));
    border-radius: 2px;
    background: var(--hue, var(--gguf-line-strong));
  }
  @media (forced-colors: active) {
    .bits {
      fill: color-mix(in srgb, CanvasText calc(var(--place, 0) * 85% + 10%), Canvas);
      stroke: CanvasText;
      stroke-width: 0.5px;
    }
    .swatch {
      border: 1px solid CanvasText;
      background: color-mix(in srgb, CanvasText calc(var(--place, 0) * 85% + 10%), Canvas);
      forced-color-adjust: none;
    }
  }
`;
