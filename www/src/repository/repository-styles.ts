import { css } from "lit";
import { technicalStyles } from "../ui/styles/notices.ts";

/** The page of a repository: its facts, the filter, and the tables of its files. */
export const repositoryStyles = css`
  :host {
    display: block;
    overflow: auto;
    padding: 20px 24px 32px;
  }
  .page {
    max-width: 1080px;
    margin: 0 auto;
  }
  h2 {
    font-size: 20px;
    font-weight: 650;
    line-height: 1.3;
    overflow-wrap: anywhere;
  }
  .facts {
    display: flex;
    flex-wrap: wrap;
    gap: 4px 16px;
    margin-top: 6px;
    color: var(--gguf-ink-2);
    font-size: 13px;
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
    font-size: 12.5px;
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
    font-size: 12.5px;
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
    min-height: 28px;
    padding: 0 8px;
    border-color: transparent;
    background: transparent;
    color: inherit;
    font-size: 12px;
  }
  thead th.number button {
    flex-direction: row-reverse;
  }
  thead button svg {
    width: 12px;
    height: 12px;
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
    font-size: 12px;
  }
  .shards.missing {
    color: var(--gguf-warning);
  }
  td.encoding {
    font-family: var(--gguf-mono);
    font-size: 12px;
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
  .card li {
    margin-top: 4px;
  }
  ${technicalStyles}
  ::slotted([slot="help"]) {
    display: block;
    margin-top: 16px;
  }
  @media (max-width: 560px) {
    :host {
      padding: 14px 12px 24px;
    }
    h2 {
      font-size: 17px;
    }
    /* The size says nearly the same. */
    .bits {
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
      padding: 7px 6px;
    }
    thead th {
      padding: 4px 0;
    }
    thead button {
      padding: 0 6px;
    }
    td.encoding {
      font-size: 11px;
      white-space: normal;
    }
  }
`;
