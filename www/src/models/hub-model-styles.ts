import { css } from "lit";
import { windowSize } from "../ui/styles/breakpoints.ts";

/** The page of a model that becomes a GGUF file. */
export const hubModelStyles = css`
  :host {
    display: block;
    overflow: auto;
    padding: 20px 24px 40px;
  }
  .page {
    max-width: calc(980 * var(--gguf-unit));
    margin: 0 auto;
  }
  h2 + .hint {
    margin: 6px 0 20px;
  }
  h3 {
    font-size: var(--gguf-text-lead);
  }
  .facts {
    display: grid;
    grid-template-columns: repeat(auto-fill, minmax(min(100%, calc(220 * var(--gguf-unit))), 1fr));
    gap: 12px 24px;
    margin-top: 8px;
  }
  .facts dt,
  .figures dt {
    color: var(--gguf-ink-2);
    font-size: var(--gguf-text-small);
  }
  .facts dd {
    font-size: var(--gguf-text-body);
    overflow-wrap: anywhere;
  }
  .unknown {
    color: var(--gguf-ink-2);
    font-style: italic;
  }
  .facts summary,
  .notice summary {
    width: fit-content;
    cursor: pointer;
  }
  .facts ul,
  .notice details p {
    margin-top: 4px;
    font-size: var(--gguf-text-dense);
  }
  .steps {
    margin-top: 10px;
  }
  .new-name {
    font: var(--gguf-text-control)/1.5 var(--gguf-mono);
    overflow-wrap: anywhere;
  }
  .figures {
    display: grid;
    grid-template-columns: repeat(auto-fill, minmax(min(100%, calc(150 * var(--gguf-unit))), 1fr));
    gap: 12px 24px;
    margin-top: 10px;
  }
  .figures dd {
    font-size: var(--gguf-text-title);
    font-weight: 600;
  }
  .files {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(min(100%, calc(340 * var(--gguf-unit))), 1fr));
    gap: 14px;
    margin: 10px 0 12px;
  }
  .files > div {
    min-width: 0;
    padding: 12px 14px;
    border: 1px solid var(--gguf-line);
    border-radius: var(--gguf-radius);
  }
  .files h4 {
    margin-top: 0;
  }
  .files .figures {
    grid-template-columns: repeat(auto-fill, minmax(min(100%, calc(120 * var(--gguf-unit))), 1fr));
  }
  .before {
    display: block;
    color: var(--gguf-ink-2);
    font-size: var(--gguf-text-dense);
    font-weight: 400;
  }
  .planning {
    min-height: 1.5em;
    margin-top: 8px;
  }
  gguf-planned-contents {
    margin-top: 24px;
    padding-top: 20px;
    border-top: 1px solid var(--gguf-line);
  }
  @media (max-width: ${windowSize(560)}) {
    :host {
      padding: 14px 12px 28px;
    }
  }
`;
