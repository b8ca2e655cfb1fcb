import type { Gguf } from "gguf-wasm";
import { css, html, LitElement, nothing } from "lit";
import { bytes, counted, parameters, percent } from "../logic/format.ts";
import { type Fact, fileFacts, headline, modelFacts, modelName, notices } from "../logic/summary.ts";
import { typeHue, typeShares } from "../logic/tensor-types.ts";
import { fileText } from "./file-text.ts";
import { icons } from "./icons.ts";
import type { Reading } from "./opening.ts";
import { base, typeColours } from "./styles.ts";

/** Real models have two to five types; what has more is a showcase. */
const FEW_TYPES = 7;

/** What a person wants to know first about a model. */
export class GgufSummary extends LitElement {
  static override properties = {
    gguf: { attribute: false },
    fileName: { attribute: false },
    reading: { attribute: false },
    page: { attribute: false },
    allTypes: { state: true },
  };

  declare gguf: Gguf;
  declare fileName: string;
  declare reading: Reading | undefined;
  /** A page about the file, if one is known. */
  declare page: string | undefined;
  declare private allTypes: boolean;

  constructor() {
    super();
    this.fileName = "";
    this.reading = undefined;
    this.page = undefined;
    this.allTypes = false;
  }

  static override styles = [
    base,
    typeColours,
    css`
      :host {
        display: block;
        padding: 20px 20px 28px;
        overflow: auto;
      }
      h2 {
        font-size: 20px;
        font-weight: 650;
        line-height: 1.25;
        letter-spacing: -0.01em;
        overflow-wrap: anywhere;
        text-wrap: balance;
      }
      .file {
        margin-top: 4px;
        color: var(--gguf-ink-2);
        font: 12px/1.5 var(--gguf-mono);
        overflow-wrap: anywhere;
      }
      .figures {
        display: grid;
        grid-template-columns: repeat(auto-fit, minmax(120px, 1fr));
        gap: 14px 16px;
        margin-top: 18px;
        padding: 16px 0;
        border-block: 1px solid var(--gguf-line);
      }
      .figures div {
        display: flex;
        flex-direction: column-reverse;
      }
      .figures dt {
        color: var(--gguf-ink-2);
        font-size: 12px;
      }
      .figures dd {
        font-size: 19px;
        font-weight: 600;
        letter-spacing: -0.01em;
        overflow-wrap: anywhere;
      }
      h3 {
        margin: 22px 0 8px;
        color: var(--gguf-ink-2);
        font-size: 12px;
        font-weight: 600;
      }
      .bar {
        display: flex;
        gap: 2px;
        height: 12px;
        border-radius: 4px;
        overflow: hidden;
      }
      .segment {
        min-width: 3px;
        flex: var(--share) 1 0;
        background: var(--hue);
      }
      table {
        width: 100%;
        margin-top: 8px;
        border-collapse: collapse;
        font-size: 12.5px;
      }
      th {
        padding: 3px 0;
        font-weight: 400;
        text-align: end;
      }
      td {
        padding: 3px 0 3px 10px;
        color: var(--gguf-ink-2);
        text-align: end;
        white-space: nowrap;
      }
      thead th:not(:first-child) {
        color: var(--gguf-ink-3);
        font-size: 11.5px;
        padding-inline-start: 10px;
      }
      /* The first column takes the room that the others leave, and a long name of a type ends in it. */
      th:first-child {
        width: 100%;
        max-width: 0;
        padding-inline-start: 0;
        overflow: hidden;
        text-align: start;
        text-overflow: ellipsis;
        white-space: nowrap;
      }
      th .swatch {
        margin-inline-end: 7px;
      }
      td.share {
        color: var(--gguf-ink);
      }
      .more {
        min-height: 26px;
        margin: 4px 0 0 -8px;
        padding: 0 8px;
        font-size: 12px;
      }
      .facts {
        display: grid;
        gap: 5px;
      }
      .facts div {
        display: flex;
        justify-content: space-between;
        gap: 16px;
        font-size: 13px;
      }
      .facts dt {
        flex: none;
        color: var(--gguf-ink-2);
      }
      .facts dd {
        text-align: end;
        overflow-wrap: anywhere;
        min-width: 0;
      }
      .notice {
        display: flex;
        gap: 10px;
        margin-top: 16px;
        padding: 10px 12px;
        border-radius: 6px;
        background: var(--gguf-warning-soft);
        font-size: 12.5px;
      }
      .notice svg {
        flex: none;
        margin-top: 1px;
        color: var(--gguf-warning);
      }
      .notice strong {
        color: var(--gguf-warning);
      }
    `,
  ];

  override render() {
    const { gguf } = this;
    const name = modelName(gguf, this.fileName || "Unnamed model");
    const model = modelFacts(gguf);
    return html`
      <h2>${fileText(name, { limit: 200 })}</h2>
      ${
        this.fileName !== "" && this.fileName !== name
          ? html`<p class="file">
              ${
                this.page === undefined
                  ? fileText(this.fileName)
                  : html`<a href=${this.page} target="_blank" rel="noopener noreferrer">${fileText(this.fileName)}</a>`
              }
            </p>`
          : nothing
      }
      ${notices(gguf).map(
        (notice) =>
          html`<p class="notice">
            ${icons.warning}<span><strong>${notice.title}</strong> ${notice.text}</span>
          </p>`,
      )}
      <dl class="figures">${headline(gguf).map(renderFact)}</dl>
      ${this.#renderTypes()}
      ${
        model.length > 0
          ? html`<h3>Model</h3>
              <dl class="facts">${model.map(renderFact)}</dl>`
          : nothing
      }
      <h3>File</h3>
      <dl class="facts">${fileFacts(gguf, this.reading).map(renderFact)}</dl>
    `;
  }

  #renderTypes() {
    const shares = typeShares(this.gguf.tensors);
    const total = shares.reduce((sum, share) => sum + share.bytes, 0);
    if (shares.length === 0) return nothing;
    const listed = this.allTypes || shares.length <= FEW_TYPES + 2 ? shares : shares.slice(0, FEW_TYPES);
    return html`<h3 id="types">Tensor types by size</h3>
      <div class="bar" aria-hidden="true">
        ${shares
          .filter((share) => share.bytes > 0)
          .map(
            (share) =>
              html`<span
                class="segment"
                data-hue=${typeHue(share.type)}
                .style=${`--share:${share.bytes / total}`}
                title="${share.type}: ${percent(share.bytes, total)}"
              ></span>`,
          )}
      </div>
      <table aria-labelledby="types">
        <thead>
          <tr>
            <th scope="col"><span class="sr">Type</span></th>
            <th scope="col">Share</th>
            <th scope="col">Size</th>
            <th scope="col">Parameters</th>
          </tr>
        </thead>
        <tbody>
          ${listed.map(
            (share) =>
              html`<tr title=${counted(share.tensors, "tensor")}>
                <th scope="row" data-hue=${typeHue(share.type)} title=${share.type}>
                  <span class="swatch"></span><span class="mono">${share.type}</span>
                </th>
                <td class="share">${share.bytes > 0 ? percent(share.bytes, total) : "?"}</td>
                <td>${share.bytes > 0 ? bytes(share.bytes) : "?"}</td>
                <td>${parameters(share.elements)}</td>
              </tr>`,
          )}
        </tbody>
      </table>
      ${
        listed.length < shares.length
          ? html`<button type="button" class="quiet more" @click=${this.#showAllTypes}>
              ${counted(shares.length - listed.length, "more type", "more types")}
            </button>`
          : nothing
      }`;
  }

  readonly #showAllTypes = () => {
    this.allTypes = true;
  };
}

function renderFact(fact: Fact) {
  return html`<div>
    <dt>${fact.label}</dt>
    <dd title=${fact.exact ?? nothing}>${fileText(fact.value, { limit: 160 })}</dd>
  </div>`;
}
