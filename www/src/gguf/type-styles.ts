import { css, unsafeCSS } from "lit";
import { OTHER_COLOUR, TYPE_COLOURS } from "./type-colours.ts";

/**
 * The colours of tensor types, by the attribute `data-type`. A page overrides one with a custom property: `--gguf-type-q4-k` for Q4_K,
 * `--gguf-type-other` for types that have no colour of their own.
 */
const typeHues = unsafeCSS(
  [...Object.entries(TYPE_COLOURS), ["other", OTHER_COLOUR] as const]
    .map(([type, [light, dark]]) => {
      const property = `--gguf-type-${type.toLowerCase().replaceAll("_", "-")}`;
      return `[data-type="${type}"] { --hue: var(${property}, light-dark(${light}, ${dark})); }`;
    })
    .join("\n"),
);

/** Elements that carry the colour of a tensor type. */
export const typeColours = css`
  ${typeHues}
  .swatch {
    display: inline-block;
    flex: none;
    width: 10px;
    height: 10px;
    border-radius: 2px;
    background: var(--hue);
  }
`;
