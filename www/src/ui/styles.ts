import { css } from "lit";

/**
 * The sizes of texts, as multiples of `--gguf-unit`: a pixel if the text size of the browser is 16 px, as it is if nobody has changed it. So
 * they follow the text size that a person has chosen, as the boxes that hold text do.
 */
const textSizes = css`
  /* Labels of axes, badges. */
  --gguf-text-tiny: calc(11.5 * var(--gguf-unit));
  /* Heads of tables, notes. */
  --gguf-text-small: calc(12 * var(--gguf-unit));
  /* Tables, lists, code. */
  --gguf-text-dense: calc(12.5 * var(--gguf-unit));
  /* Buttons and fields. */
  --gguf-text-control: calc(13 * var(--gguf-unit));
  --gguf-text-body: calc(14 * var(--gguf-unit));
  --gguf-text-lead: calc(16 * var(--gguf-unit));
  --gguf-text-title: calc(17 * var(--gguf-unit));
  --gguf-text-headline: calc(20 * var(--gguf-unit));
`;

/** A drawing is scaled as a whole: in it, the unit is that of its coordinates. */
export const drawingStyles = css`
  .drawing {
    --gguf-unit: 1px;
    ${textSizes}
  }
`;

/**
 * Colours and sizes, as custom properties that a page may set. `light-dark()` follows `color-scheme`, which follows the system unless the
 * page sets it.
 */
export const themeStyles = css`
  :host {
    --gguf-page: light-dark(#f7f7f5, #121416);
    --gguf-surface: light-dark(#ffffff, #191c1f);
    --gguf-sunken: light-dark(#f1f1ee, #131517);
    --gguf-hover: light-dark(#f4f4f1, #202428);
    --gguf-active: light-dark(#e8f1ee, #1d2b29);
    --gguf-line: light-dark(#e3e3de, #2a2f33);
    --gguf-line-strong: light-dark(#c9c9c2, #434a50);
    --gguf-ink: light-dark(#1a1c1d, #e9eae8);
    --gguf-ink-2: light-dark(#4f5457, #aeb3b6);
    --gguf-ink-3: light-dark(#666b6e, #8d9397);
    --gguf-accent: light-dark(#0b6b5d, #5fd3bd);
    --gguf-on-accent: light-dark(#ffffff, #06231e);
    --gguf-accent-soft: light-dark(#dceee9, #173a34);
    --gguf-danger: light-dark(#a8281c, #ff9487);
    --gguf-danger-soft: light-dark(#fbeae7, #351b18);
    --gguf-warning: light-dark(#7a5200, #f1c46a);
    --gguf-warning-soft: light-dark(#fbf1da, #33290f);
    --gguf-mark: light-dark(#fdeaa0, #5b4a08);

    --gguf-string: light-dark(#2b5a2f, #a6d6a0);
    --gguf-number: light-dark(#1f4f94, #9dc3f7);
    --gguf-boolean: light-dark(#8a3f7a, #e6a8d9);

    --gguf-sans: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", sans-serif;
    --gguf-mono:
      ui-monospace, "SF Mono", "Cascadia Code", "JetBrains Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
    --gguf-radius: 8px;

    --gguf-unit: calc(1rem / 16);
    ${textSizes}
  }
`;

/** The base styles of every element: boxes, controls, focus, text for screen readers. */
export const baseStyles = css`
  /*
   * Each element is the containing block of its absolutely positioned parts, such as the hidden texts for screen readers. Each box that
   * scrolls must be one, too. Otherwise its hidden texts would make the block around it taller than its visible content.
   */
  :host {
    position: relative;
    box-sizing: border-box;
    color: var(--gguf-ink);
    font: 400 var(--gguf-text-body)/1.45 var(--gguf-sans);
    font-variant-numeric: tabular-nums;
    -webkit-text-size-adjust: 100%;
  }
  :host([hidden]),
  [hidden] {
    display: none !important;
  }
  *,
  *::before,
  *::after {
    box-sizing: border-box;
  }
  h1,
  h2,
  h3,
  h4,
  p,
  ul,
  dl,
  dd,
  figure {
    margin: 0;
    padding: 0;
  }
  ul {
    list-style: none;
  }
  a {
    color: var(--gguf-accent);
    text-underline-offset: 2px;
    text-decoration-thickness: 1px;
  }
  svg {
    display: block;
  }
  :where(.glyph) {
    width: calc(16 * var(--gguf-unit));
    height: calc(16 * var(--gguf-unit));
  }
  button,
  input,
  select {
    font: inherit;
    color: inherit;
  }
  button,
  .button {
    display: inline-flex;
    align-items: center;
    justify-content: center;
    gap: 6px;
    min-height: calc(32 * var(--gguf-unit));
    padding: 0 12px;
    border: 1px solid var(--gguf-line-strong);
    border-radius: 6px;
    background: var(--gguf-surface);
    color: var(--gguf-ink);
    font-size: var(--gguf-text-control);
    font-weight: 500;
    text-decoration: none;
    white-space: nowrap;
    cursor: pointer;
    transition:
      background-color 120ms,
      border-color 120ms;
  }
  button:hover:where(:enabled:not([aria-disabled="true"])),
  .button:hover {
    background: var(--gguf-hover);
    border-color: var(--gguf-ink-3);
  }
  button:disabled,
  button[aria-disabled="true"] {
    opacity: 0.5;
    cursor: default;
  }
  .primary {
    background: var(--gguf-accent);
    border-color: var(--gguf-accent);
    color: var(--gguf-on-accent);
  }
  .primary:hover:where(:not(:disabled, [aria-disabled="true"])) {
    background: color-mix(in oklab, var(--gguf-accent) 88%, var(--gguf-ink));
    border-color: color-mix(in oklab, var(--gguf-accent) 88%, var(--gguf-ink));
  }
  .quiet {
    border-color: transparent;
    background: transparent;
    color: var(--gguf-ink-2);
  }
  .quiet:hover:where(:not(:disabled, [aria-disabled="true"])) {
    background: var(--gguf-hover);
    border-color: transparent;
    color: var(--gguf-ink);
  }
  .icon {
    width: calc(32 * var(--gguf-unit));
    padding: 0;
  }
  button[aria-pressed="true"] {
    background: var(--gguf-accent-soft);
    border-color: var(--gguf-accent);
    color: var(--gguf-accent);
  }
  input[type="search"],
  input[type="text"],
  input[type="url"],
  input[type="password"],
  input[type="number"],
  select {
    min-height: calc(32 * var(--gguf-unit));
    min-width: 0;
    padding: 0 10px;
    border: 1px solid var(--gguf-line-strong);
    border-radius: 6px;
    background: var(--gguf-surface);
    font-size: var(--gguf-text-control);
    text-overflow: ellipsis;
  }
  input:where([type="checkbox"], [type="radio"]) {
    width: calc(13 * var(--gguf-unit));
    height: calc(13 * var(--gguf-unit));
  }
  button,
  input,
  select {
    scroll-margin-block: var(--gguf-field-margin, 0);
  }
  input::placeholder {
    color: var(--gguf-ink-3);
    opacity: 1;
  }
  /* Browsers show a disabled checkbox, but not a disabled text field. */
  input:disabled:where(:not([type="checkbox"], [type="radio"])) {
    opacity: 0.5;
  }
  :focus-visible {
    outline: 2px solid var(--gguf-accent);
    outline-offset: 1px;
  }
  /* WebKit draws the cancel button in blue. */
  input::-webkit-search-cancel-button {
    filter: grayscale(1);
    opacity: 0.7;
  }
  .mono {
    font-family: var(--gguf-mono);
    font-size: 0.93em;
  }
  .sr {
    position: absolute;
    width: 1px;
    height: 1px;
    margin: -1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  /* Text from a file: its direction does not affect the text around it. */
  bdi {
    unicode-bidi: isolate;
  }
  .escape {
    padding: 0 2px;
    border-radius: 3px;
    background: var(--gguf-warning-soft);
    color: var(--gguf-warning);
    font-family: var(--gguf-mono);
    font-size: 0.86em;
  }
  .whitespace {
    color: var(--gguf-ink-3);
    opacity: 0.75;
  }
  mark {
    background: var(--gguf-mark);
    color: inherit;
    border-radius: 2px;
  }
  /* Touch targets are larger. */
  @media (pointer: coarse) {
    button,
    .button,
    input[type="search"],
    input[type="text"],
    input[type="url"],
    input[type="password"],
    input[type="number"],
    select {
      min-height: calc(40 * var(--gguf-unit));
    }
    .icon {
      width: calc(40 * var(--gguf-unit));
    }
    input,
    select {
      font-size: var(--gguf-text-lead);
    }
  }
  @media (prefers-reduced-motion: reduce) {
    * {
      transition: none !important;
      animation-duration: 0.01ms !important;
    }
  }
  @media (forced-colors: active) {
    .swatch,
    .segment {
      forced-color-adjust: none;
    }
  }
`;

/** The head of a figure or table of tensor values: a heading with controls beside it. */
export const figureStyles = css`
  :host {
    display: block;
    min-width: 0;
  }
  .bar {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 4px 12px;
    margin-bottom: 8px;
  }
  h4 {
    font-size: var(--gguf-text-control);
    font-weight: 600;
  }
`;
