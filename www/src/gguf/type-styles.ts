import { css, unsafeCSS } from "lit";
import { OTHER_COLOUR, TYPE_COLOURS } from "./type-colours.ts";

/**
 * The colours of tensor types, selected by the attribute `data-type`. A page overrides one with a custom property: `--gguf-type-q4-k` for
 * Q4_K, `--gguf-type-other` for types without a colour.
 */
const typeHues = unsafeCSS(
  [...Object.entries(TYPE_COLOURS), ["other", OTHER_COLOUR] as const]
    .map(([type, [light, dark]]) => {
      const property = `--gguf-type-${type.toLowerCase().replaceAll("_", "-")}`;
      return `[data-type="${type}"] { --hue: var(${property}, light-dark(${light}, ${dark})); }`;
    })
    .join("\n"),
);

/** The styles of elements that have the colour of a tensor type. */
export const typeColours = css`
  ${typeHues}
  .swatch {
    display: inline-block;
    flex: none;
    width: calc(10 * var(--gguf-unit));
    height: calc(10 * var(--gguf-unit));
    border-radius: 2px;
    background: var(--hue);
  }
`;
