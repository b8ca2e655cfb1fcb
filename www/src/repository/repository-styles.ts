import { css } from "lit";
import { rowPadding } from "../ui/styles/tables.ts";
import { windowSize } from "../ui/styles/breakpoints.ts";

/** The page of a repository: its facts, the filter, and the tables of its files. */
export const repositoryStyles = css`
  .facts {
    display: flex;
    flex-wrap: wrap;
    gap: 4px 16px;
    margin-top: 6px;
    color: var(--gguf-ink-2);
    font-size: var(--gguf-text-control);
  }
  .facts > * {
    overflow-wrap: anywhere;
  }
  .toolbar {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 8px 14px;
    margin-top: 18px;
  }
  .count {
    color: var(--gguf-ink-2);
    font-size: var(--gguf-text-dense);
  }
  section + section {
    margin-top: 20px;
    padding-top: 0;
    border-top: 0;
  }
  section {
    margin-top: 18px;
  }
  h3 span {
    margin-inline-start: 6px;
    color: var(--gguf-ink-2);
    font-size: var(--gguf-text-dense);
    font-weight: 400;
  }
  .scroll {
    background: var(--gguf-surface);
  }
  table {
    table-layout: auto;
  }
  tbody tr:hover {
    background: var(--gguf-hover);
  }
  thead th {
    padding: 4px;
  }
  thead button {
    min-height: calc(28 * var(--gguf-unit));
    padding: 0 8px;
    border-color: transparent;
    background: transparent;
    color: inherit;
    font-size: var(--gguf-text-small);
  }
  thead th.number button {
    flex-direction: row-reverse;
  }
  thead button svg {
    width: calc(12 * var(--gguf-unit));
    height: calc(12 * var(--gguf-unit));
  }
  thead .unsorted svg {
    visibility: hidden;
  }
  tbody th a {
    color: var(--gguf-ink);
    text-decoration-color: var(--gguf-line-strong);
  }
  tbody th a:hover {
    color: var(--gguf-accent);
    text-decoration-color: currentColor;
  }
  .folder {
    color: var(--gguf-ink-2);
  }
  .shards {
    display: block;
    margin-top: 1px;
    color: var(--gguf-ink-2);
    font-size: var(--gguf-text-small);
  }
  .shards.missing {
    color: var(--gguf-warning);
  }
  td.encoding {
    font-family: var(--gguf-mono);
    font-size: var(--gguf-text-small);
  }
  .encoding,
  .role {
    width: 1%;
    white-space: nowrap;
  }
  thead th.role {
    padding: 4px 12px;
    vertical-align: middle;
  }
  span.role {
    display: none;
  }
  .none {
    color: var(--gguf-ink-3);
  }
  .estimate {
    color: var(--gguf-ink-2);
  }
  /* The user's memory, and the file that is likely the best for it. */
  .choice {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 8px 18px;
    margin-top: 16px;
    padding: 12px 14px;
    border: 1px solid var(--gguf-line);
    border-radius: var(--gguf-radius);
    background: var(--gguf-surface);
  }
  .choice label {
    flex: none;
    min-width: calc(130 * var(--gguf-unit));
  }
  .choice p {
    flex: 1 1 calc(320 * var(--gguf-unit));
    font-size: var(--gguf-text-body);
    text-wrap: pretty;
  }
  .choice p a {
    font-weight: 600;
  }
  .mark {
    display: inline-block;
    padding: 0 7px;
    border: 1px solid transparent;
    border-radius: 9px;
    background: var(--gguf-accent);
    color: var(--gguf-on-accent);
    font-size: var(--gguf-text-tiny);
    font-weight: 600;
    line-height: 1.5;
    white-space: nowrap;
  }
  tbody .mark {
    margin-inline-start: 6px;
  }
  tbody tr.best,
  tbody tr.best:hover {
    background: var(--gguf-active);
  }
  td.size {
    min-width: calc(92 * var(--gguf-unit));
    white-space: nowrap;
  }
  .bar {
    display: block;
    height: 4px;
    margin-top: 3px;
    border-radius: 2px;
    background: var(--gguf-sunken);
  }
  .bar span {
    display: block;
    min-width: 1px;
    height: 100%;
    border-radius: 2px;
    background: var(--gguf-ink-3);
  }
  .best .bar span {
    background: var(--gguf-accent);
  }
  thead th.fits {
    padding: 4px 12px;
    vertical-align: middle;
  }
  .fits {
    width: 1%;
    white-space: nowrap;
  }
  .cards {
    display: flex;
    gap: 3px;
  }
  .card-size {
    min-width: calc(24 * var(--gguf-unit));
    padding: 0 3px;
    border: 1px solid transparent;
    border-radius: 4px;
    color: var(--gguf-ink-3);
    font-size: var(--gguf-text-small);
    text-align: center;
  }
  .card-size.fitting {
    background: var(--gguf-accent-soft);
    color: var(--gguf-ink);
  }
  .card-size.own {
    border-color: var(--gguf-line-strong);
  }
  .card-size.own.fitting {
    border-color: var(--gguf-accent);
    font-weight: 650;
  }
  .rule {
    margin-top: 8px;
  }
  @media (forced-colors: active) {
    .mark {
      border-color: CanvasText;
    }
    .bar {
      forced-color-adjust: none;
      background: Canvas;
    }
    .bar span,
    .best .bar span {
      background: CanvasText;
    }
    .card-size:not(.fitting) {
      border-color: Canvas;
    }
    .card-size.own {
      border-color: CanvasText;
      border-style: dashed;
    }
    .card-size.own.fitting {
      border-color: Highlight;
      border-style: solid;
    }
  }
  @media (max-width: ${windowSize(560)}) {
    /* The size says nearly the same as the bits, and the name the same as the quantization. */
    .bits,
    .encoding {
      display: none;
    }
    /* The kind is below the name. */
    .role {
      display: none;
    }
    span.role {
      display: block;
    }
    th,
    td {
      padding: ${rowPadding(7)} 6px;
    }
    td.size {
      min-width: calc(70 * var(--gguf-unit));
    }
    thead th.fits {
      min-width: calc(76 * var(--gguf-unit));
      padding: 4px 6px;
      white-space: normal;
    }
    /* Only the smallest card that fits. */
    .cards:not(.unfit) .card-size:not(.fitting),
    .unfit .card-size:not(:last-child),
    .fitting ~ .fitting {
      display: none;
    }
    .fitting:not(:last-child)::after {
      content: "+";
    }
    thead th {
      padding: 4px 0;
    }
    thead button {
      padding: 0 6px;
    }
  }
`;
