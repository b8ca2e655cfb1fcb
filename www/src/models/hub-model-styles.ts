import { css } from "lit";
import { technicalStyles } from "../ui/styles/notices.ts";

/** The page of a model that becomes a GGUF file. */
export const hubModelStyles = css`
  :host {
    display: block;
    overflow: auto;
    padding: 20px 24px 40px;
  }
  .page {
    max-width: 980px;
    margin: 0 auto;
  }
  h2 {
    font-size: 20px;
    font-weight: 650;
    line-height: 1.3;
    overflow-wrap: anywhere;
  }
  h2 + .hint {
    margin: 6px 0 20px;
  }
  h3 {
    font-size: 15px;
  }
  .facts {
    display: grid;
    grid-template-columns: repeat(auto-fill, minmax(min(100%, 220px), 1fr));
    gap: 12px 24px;
    margin-top: 8px;
  }
  .facts dt,
  .figures dt {
    color: var(--gguf-ink-2);
    font-size: 12px;
  }
  .facts dd {
    font-size: 13.5px;
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
    font-size: 12.5px;
  }
  .steps {
    margin-top: 10px;
  }
  .new-name {
    font: 13px/1.5 var(--gguf-mono);
    overflow-wrap: anywhere;
  }
  .figures {
    display: grid;
    grid-template-columns: repeat(auto-fill, minmax(min(100%, 150px), 1fr));
    gap: 12px 24px;
    margin-top: 10px;
  }
  .figures dd {
    font-size: 17px;
    font-weight: 600;
  }
  .before {
    display: block;
    color: var(--gguf-ink-2);
    font-size: 12.5px;
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
  .state {
    display: grid;
    justify-items: center;
    gap: 12px;
    padding: 64px 16px;
    color: var(--gguf-ink-2);
    text-align: center;
  }
  .card {
    width: min(100%, 600px);
    margin: 32px auto 0;
    padding: 24px;
    border: 1px solid var(--gguf-line);
    border-radius: var(--gguf-radius);
    background: var(--gguf-surface);
  }
  .card h2 {
    font-size: 18px;
  }
  .card .name {
    margin-top: 2px;
    color: var(--gguf-ink-2);
    font: 12px/1.5 var(--gguf-mono);
    overflow-wrap: anywhere;
  }
  .card .what {
    margin-top: 14px;
    overflow-wrap: anywhere;
  }
  .card ul {
    margin-top: 12px;
    padding-inline-start: 1.2em;
    list-style: disc;
    color: var(--gguf-ink-2);
  }
  ${technicalStyles}
  ::slotted([slot="help"]) {
    display: block;
    margin-top: 16px;
  }
  @media (max-width: 560px) {
    :host {
      padding: 14px 12px 28px;
    }
    h2 {
      font-size: 17px;
    }
  }
`;
