import { css } from "lit";
import { tracks } from "../ui/styles/tracks.ts";
import { windowSize } from "../ui/styles/breakpoints.ts";

/** The list of found models: a row each, with columns where there is room. */
export const searchStyles = css`
  .intro {
    margin-top: 6px;
    color: var(--gguf-ink-2);
    font-size: var(--gguf-text-control);
  }
  .models {
    margin-top: 16px;
    border-radius: var(--gguf-radius);
    border: 1px solid var(--gguf-line);
    background: var(--gguf-surface);
  }
  .models li {
    position: relative;
    display: grid;
    grid-template-columns: minmax(0, 1fr) auto;
    align-items: baseline;
    gap: 2px 12px;
    padding: 9px 14px;
  }
  .models li + li {
    border-top: 1px solid var(--gguf-line);
  }
  .models li:hover {
    background: var(--gguf-hover);
  }
  .models a {
    color: var(--gguf-ink);
    font-weight: 500;
    text-decoration-color: transparent;
    overflow-wrap: anywhere;
  }
  /* The whole row is the link. */
  .models a::after {
    content: "";
    position: absolute;
    inset: 0;
  }
  .models a:focus-visible {
    outline: none;
  }
  .models a:focus-visible::after {
    outline: 2px solid var(--gguf-accent);
    outline-offset: -2px;
  }
  .models a:hover {
    color: var(--gguf-accent);
    text-decoration-color: currentColor;
  }
  .owner {
    color: var(--gguf-ink-2);
    font-weight: 400;
  }
  .gated {
    display: inline-flex;
    align-items: baseline;
    gap: 4px;
    margin-inline-start: 8px;
    color: var(--gguf-warning);
    font-size: var(--gguf-text-small);
  }
  .gated svg {
    align-self: center;
    width: calc(13 * var(--gguf-unit));
    height: calc(13 * var(--gguf-unit));
  }
  .facts {
    display: grid;
    grid-template-columns: ${tracks(118, 80, 96)};
    gap: 4px 12px;
    color: var(--gguf-ink-2);
    font-size: var(--gguf-text-dense);
    text-align: end;
    white-space: nowrap;
  }
  .facts b {
    color: var(--gguf-ink);
    font-weight: 500;
  }
  @media (max-width: ${windowSize(720)}) {
    .facts {
      grid-column: 1 / -1;
      display: flex;
      flex-wrap: wrap;
      gap: 0 14px;
    }
    .models li {
      padding: 9px 12px;
    }
  }
`;
