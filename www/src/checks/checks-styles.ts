import { css } from "lit";
import { tracks } from "../ui/styles/tracks.ts";
import { boxWidth } from "../ui/styles/breakpoints.ts";

export const checksStyles = css`
  section + section {
    margin-top: 22px;
  }
  h3 {
    display: flex;
    align-items: center;
    gap: 8px;
    font-size: var(--gguf-text-body);
    font-weight: 650;
  }
  .error {
    --tint: var(--gguf-danger);
  }
  .warning {
    --tint: var(--gguf-warning);
  }
  .info {
    --tint: var(--gguf-ink-2);
  }
  h3 svg,
  li > svg {
    color: var(--tint);
  }
  .meaning,
  .about {
    color: var(--gguf-ink-2);
    font-size: var(--gguf-text-dense);
  }
  .about {
    margin-bottom: 16px;
  }
  ul {
    margin-top: 8px;
    border: 1px solid var(--gguf-line);
    border-radius: var(--gguf-radius);
  }
  li {
    display: grid;
    grid-template-columns: ${tracks(16, "1fr", "auto")};
    align-items: start;
    gap: 2px 10px;
    padding: 10px 12px;
    font-size: var(--gguf-text-control);
  }
  li + li {
    border-top: 1px solid var(--gguf-line);
  }
  li > svg {
    margin-top: 2px;
  }
  .loads {
    margin: 0 0 16px;
    font-size: var(--gguf-text-body);
  }
  .programs {
    display: grid;
    grid-template-columns: fit-content(60%) minmax(0, 1fr);
    align-items: baseline;
    gap: 2px 14px;
    margin: 6px 0;
    font-size: var(--gguf-text-control);
  }
  /* A program without an option has its row alone. */
  .programs dt {
    grid-column: 1;
  }
  .programs dd {
    font: var(--gguf-text-dense)/1.6 var(--gguf-mono);
  }
  .rules {
    margin-top: 2px;
    color: var(--gguf-ink-2);
    font-size: var(--gguf-text-dense);
  }
  .all {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 6px 12px;
    margin-bottom: 16px;
  }
  .actions {
    display: flex;
    flex-wrap: wrap;
    justify-content: flex-end;
    gap: 6px;
  }
  .actions .fix {
    height: auto;
    white-space: normal;
    text-align: start;
  }
  :host {
    container: checks / inline-size;
  }
  .message {
    overflow-wrap: anywhere;
  }
  .subject {
    font: 500 var(--gguf-text-dense)/1.5 var(--gguf-mono);
    overflow-wrap: anywhere;
  }
  .members {
    margin-top: 4px;
  }
  .members li {
    grid-template-columns: minmax(0, 1fr) auto;
    padding: 6px 10px;
  }
  /* One row that scrolls, so that the list begins high on the screen. */
  gguf-scroll-row {
    margin-bottom: 16px;
  }
  .filter,
  .filter > div {
    display: flex;
    gap: 6px;
    /* The row cuts what stands outside of it, as the outline of a button. */
    padding: 2px;
  }
  .filter {
    gap: 16px;
  }
  .filter button {
    min-height: calc(28 * var(--gguf-unit));
    padding: 0 10px;
    font-size: var(--gguf-text-dense);
  }
  .shard {
    margin-inline-end: 6px;
    padding: 1px 6px;
    border: 1px solid var(--gguf-line-strong);
    border-radius: 4px;
    color: var(--gguf-ink-2);
    font-size: var(--gguf-text-tiny);
    white-space: nowrap;
  }
  /* Fingers need the room: the links of two findings may be near each other. */
  .code a {
    display: inline-block;
    padding-block: 5px;
    margin-block: -5px;
  }
  .code {
    color: var(--gguf-ink-2);
    font: var(--gguf-text-tiny)/1.6 var(--gguf-mono);
    overflow-wrap: anywhere;
  }
  li button {
    min-height: calc(28 * var(--gguf-unit));
    padding: 0 9px;
    font-size: var(--gguf-text-small);
  }
  .more {
    margin-top: 8px;
  }
  .none {
    display: flex;
    align-items: center;
    gap: 10px;
    font-size: var(--gguf-text-lead);
    font-weight: 600;
  }
  .scope {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(min(100%, calc(280 * var(--gguf-unit))), 1fr));
    gap: 16px;
    margin-top: 16px;
  }
  .scope section {
    margin: 0;
  }
  .scope li {
    display: block;
  }
  .none svg {
    color: var(--gguf-accent);
  }
  /* The texts of these buttons are in line with the sentence above them. */
  li .places {
    margin: 2px 0 0 0;
    margin-inline-start: -10px;
  }
  .meaning + .clear {
    margin-inline-start: -10px;
  }
  @container checks (max-width: ${boxWidth(640)}) {
    li {
      grid-template-columns: ${tracks(16, "1fr")};
    }
    .members li {
      grid-template-columns: minmax(0, 1fr);
    }
    .members .actions {
      grid-column: 1;
    }
    .actions {
      grid-column: 2;
      justify-content: flex-start;
      margin-top: 4px;
    }
  }
  @media (pointer: coarse) {
    .filter button,
    li button {
      min-height: calc(40 * var(--gguf-unit));
    }
  }
`;
