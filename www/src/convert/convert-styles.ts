import { css } from "lit";
import { boxWidth } from "../ui/styles/breakpoints.ts";

export const convertStyles = css`
  :host {
    container-type: inline-size;
  }
  .choices {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
  }
  .choices + section {
    margin-top: 24px;
    padding-top: 20px;
    border-top: 1px solid var(--gguf-line);
  }
  /* In a wide panel, the new file stays in view beside what is chosen. */
  @container (min-width: ${boxWidth(900)}) {
    .choices {
      grid-template-columns: minmax(0, 1fr) minmax(calc(300 * var(--gguf-unit)), 36%);
      grid-template-rows: auto 1fr;
      column-gap: 32px;
    }
    .new-file {
      grid-row: 1 / span 2;
      grid-column: 2;
      align-self: start;
      position: sticky;
      top: 0;
    }
    .choices > section.new-file {
      margin-top: 0;
      padding-top: 0;
      border-top: 0;
    }
  }
  h3 + .hint {
    margin-bottom: 10px;
  }
  .figures {
    display: grid;
    grid-template-columns: repeat(auto-fill, minmax(min(100%, calc(160 * var(--gguf-unit))), 1fr));
    gap: 12px 24px;
    margin-top: 10px;
  }
  .figures dt {
    color: var(--gguf-ink-2);
    font-size: var(--gguf-text-small);
  }
  .figures dd {
    font-size: var(--gguf-text-title);
    font-weight: 600;
  }
  .figures .link {
    margin-inline-start: -2px;
  }
  .figures .link,
  .figures .before {
    font-size: var(--gguf-text-dense);
    font-weight: 400;
  }
  .figures .before {
    display: block;
    color: var(--gguf-ink-2);
  }
  .card {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 6px 12px;
    margin-top: 14px;
    font-size: var(--gguf-text-control);
  }
  .card label {
    display: flex;
    align-items: center;
    gap: 8px;
    font-size: var(--gguf-text-dense);
  }
  .verdict {
    display: flex;
    gap: 6px;
    flex: 1 1 calc(260 * var(--gguf-unit));
  }
  .verdict svg {
    flex: none;
    margin-top: 1px;
  }
  .fits svg {
    color: var(--gguf-accent);
  }
  .tight svg,
  .over svg {
    color: var(--gguf-warning);
  }
  .notice details {
    margin-top: 6px;
  }
  .notice summary {
    cursor: pointer;
    font-size: var(--gguf-text-dense);
  }
  .by-hand {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 4px 12px;
    margin-top: 4px;
    color: var(--gguf-ink-2);
    font-size: var(--gguf-text-dense);
  }
  .new-name {
    overflow-wrap: anywhere;
  }
`;
