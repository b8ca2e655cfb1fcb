import type { FileName } from "gguf-wasm";
import { html, LitElement, nothing, type PropertyValues } from "lit";
import { formatBytes, formatCount, formatParameters, formatPercent } from "../ui/numbers.ts";
import { type MarkedFact, markedFacts } from "./marked-facts.ts";
import { elementsLabel, fileFacts, headlineFacts, modelFacts, modelName, notices, type StoredHeader } from "./facts.ts";
import { isNamedByConvention, kindFacts, nameFacts, suggestedName, tokenFacts } from "./file-kind.ts";
import { parseFileName } from "../gguf/library.ts";
import "../ui/copy-button.ts";
import { typeShares } from "../gguf/tensor-types.ts";
import type { OpenCost, ShownHeader } from "../gguf/shown-file.ts";
import { colourName } from "../gguf/type-colours.ts";
import { renderText } from "../ui/render-text.ts";
import { icons } from "../ui/icons.ts";
import { baseStyles } from "../ui/styles.ts";
import { typeColours } from "../gguf/type-styles.ts";
import { summaryStyles } from "./summary-styles.ts";
import { define } from "../ui/define.ts";

/** The types that are listed at first. Most models have two to five types. */
const FIRST_TYPES = 7;
/** The most characters of a figure that fit beside another one. */
const LONGEST_FIGURE = 14;
/** The most characters of a name that are rendered: a name from a file may be megabytes long. */
const MAX_NAME_LENGTH = 4000;

/** The facts that people want to know first about a model. */
export class GgufSummary extends LitElement {
  static override properties = {
    gguf: { attribute: false },
    edited: { attribute: false },
    changes: { attribute: false },
    fileName: { attribute: false },
    cost: { attribute: false },
    page: { attribute: false },
    shards: {},
    allTypes: { state: true },
    whole: { state: true },
    cut: { state: true },
  };

  declare gguf: StoredHeader;
  /** The header after editing. Undefined while the file is not being edited. */
  declare edited: ShownHeader | undefined;
  /** The number of changes. */
  declare changes: number;
  declare fileName: string;
  declare cost: OpenCost | undefined;
  /** The address of a page about the file. */
  declare page: string | undefined;
  /** The number of shards of the model, such as "2 of 3"; "" if it is one file. */
  declare shards: string;
  declare private allTypes: boolean;
  /** Whether long names are shown completely. */
  declare private whole: boolean;
  /** Whether a name is longer than two lines. */
  declare private cut: boolean;

  readonly #widths = new ResizeObserver(() => this.#measure());

  constructor() {
    super();
    this.edited = undefined;
    this.changes = 0;
    this.fileName = "";
    this.cost = undefined;
    this.page = undefined;
    this.shards = "";
    this.allTypes = false;
    this.whole = false;
    this.cut = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#widths.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#widths.disconnect();
  }

  override willUpdate(changed: PropertyValues): void {
    if (changed.has("gguf")) this.whole = false;
  }

  override updated(): void {
    this.#measure();
  }

  #measure(): void {
    if (this.whole) return;
    const names = [...this.renderRoot.querySelectorAll(".short")];
    this.cut = names.some((name) => name.scrollHeight > name.clientHeight + 1);
  }

  static override styles = [baseStyles, typeColours, summaryStyles];

  override render() {
    const { gguf } = this;
    const now = this.edited ?? gguf;
    const short = this.whole ? "" : "short";
    const fallback = this.fileName || "Unnamed model";
    const [name, before] = [modelName(now, fallback), modelName(gguf, fallback)];
    const figures = markedFacts(headlineFacts(gguf), headlineFacts(now));
    const model = markedFacts(modelFacts(gguf), modelFacts(now));
    return html`
      ${
        this.changes === 0
          ? nothing
          : html`<p class="about">${icons.pen}After editing, with ${formatCount(this.changes, "change")}</p>`
      }
      <h2 class=${short}>${renderText(name, { limit: MAX_NAME_LENGTH })}</h2>
      ${name === before ? nothing : html`<p class="was ${short}">was ${renderText(before, { limit: MAX_NAME_LENGTH })}</p>`}
      ${
        this.fileName !== "" && this.fileName !== name
          ? html`<p class="file ${short}">
              ${
                this.page === undefined
                  ? renderText(this.fileName)
                  : html`<a href=${this.page} target="_blank" rel="noopener noreferrer"
                      >${renderText(this.fileName)}</a
                    >`
              }
            </p>`
          : nothing
      }
      ${
        this.cut || this.whole
          ? html`<button type="button" class="quiet more" aria-expanded=${this.whole} @click=${this.#toggleWhole}>
              ${this.whole ? "Shorten names" : "Show full names"}
            </button>`
          : nothing
      }
      ${notices(gguf).map(
        (notice) =>
          html`<p class="notice">
            ${icons.warning}<span><strong>${notice.title}</strong> ${notice.text}</span>
          </p>`,
      )}
      ${figures.length > 0 ? html`<dl class="figures">${figures.map(renderFact)}</dl>` : nothing}
      ${this.#renderKind(now)} ${this.#renderTypes(now)}
      ${
        model.length > 0
          ? html`<h3>Model</h3>
              <dl class="facts">${model.map(renderFact)}</dl>`
          : nothing
      }
      ${this.#renderTokens(now)} ${this.#renderName(now)}
      <h3>File</h3>
      <dl class="facts">
        ${this.shards === "" ? nothing : renderFact({ label: "Shards", value: this.shards })}
        ${markedFacts(fileFacts(gguf, this.cost), fileFacts(now, this.cost)).map(renderFact)}
      </dl>
    `;
  }

  /** What the file is, and what in the header says so. */
  #renderKind(now: ShownHeader) {
    if (now.classification === undefined) return nothing;
    const { kind, title, description, evidence } = now.classification;
    const before = this.gguf.classification ?? now.classification;
    // Files of another kind have other facts, so a comparison would list entries as removed that are still there.
    const facts = kind === before.kind ? markedFacts(kindFacts(this.gguf), kindFacts(now)) : kindFacts(now);
    return html`<h3 id="kind">Kind of file</h3>
      <section class="kind" aria-labelledby="kind">
        <p><strong>${title}.</strong> ${description}</p>
        ${kind === before.kind ? nothing : html`<p class="was">was ${before.title}</p>`}
        ${facts.length === 0 ? nothing : html`<dl class="facts">${facts.map(renderFact)}</dl>`}
        ${
          evidence.length === 0
            ? nothing
            : html`<details>
                <summary>Evidence</summary>
                <ul>
                  ${evidence.map((line) => html`<li>${renderText(line, { limit: 400 })}</li>`)}
                </ul>
              </details>`
        }
      </section>`;
  }

  /** The tokens with a special role. */
  #renderTokens(now: ShownHeader) {
    const tokens = markedFacts(tokenFacts(specialTokens(this.gguf)), tokenFacts(specialTokens(now)));
    return tokens.length === 0
      ? nothing
      : html`<h3>Special tokens</h3>
          <dl class="facts">${tokens.map(renderFact)}</dl>`;
  }

  /** The parts of the name of the file, the rules of the naming convention that it breaks, and the name that conforms to them. */
  #renderName(now: ShownHeader) {
    const { fileName } = this;
    if (fileName === "" || fileName.length > MAX_NAME_LENGTH || !now.fileType || now.format !== undefined)
      return nothing;
    const name = parseFileName(fileName);
    const suggested = suggestedName(now);
    return html`<h3 id="file-name">File name</h3>
      <section class="kind" aria-labelledby="file-name">
        <dl class="facts">${nameFacts(name).map(renderFact)}</dl>
        ${isNamedByConvention(now) ? renderProblems(name) : html`<p>The naming convention has no names for this kind of file.</p>`}
        ${
          suggested === undefined
            ? nothing
            : suggested === fileName
              ? html`<p>${icons.check}The name agrees with the metadata.</p>`
              : html`<p>
                  Name from the metadata: <span class="mono">${renderText(suggested, { limit: 300 })}</span>
                  <gguf-copy-button label="Copy the suggested name" .text=${() => suggested}></gguf-copy-button>
                </p>`
        }
      </section>`;
  }

  #renderTypes(now: ShownHeader) {
    const shares = typeShares(now.tensors);
    const total = shares.reduce((sum, share) => sum + share.bytes, 0);
    if (shares.length === 0) return nothing;
    const listed = this.allTypes || shares.length <= FIRST_TYPES + 2 ? shares : shares.slice(0, FIRST_TYPES);
    return html`<h3 id="types">Tensor types by size</h3>
      <div class="bar" aria-hidden="true">
        ${shares
          .filter((share) => share.bytes > 0)
          .map(
            (share) =>
              html`<span
                class="segment"
                data-type=${colourName(share.type)}
                .style=${`--share:${share.bytes / total}`}
                title="${share.type}: ${formatPercent(share.bytes, total)}"
              ></span>`,
          )}
      </div>
      <table aria-labelledby="types">
        <thead>
          <tr>
            <th scope="col"><span class="sr">Type</span></th>
            <th scope="col">Share</th>
            <th scope="col">Size</th>
            <th scope="col">${elementsLabel(now)}</th>
          </tr>
        </thead>
        <tbody>
          ${listed.map(
            (share) =>
              html`<tr title=${formatCount(share.tensors, "tensor")}>
                <th scope="row" data-type=${colourName(share.type)} title=${share.type}>
                  <span class="swatch"></span><span class="mono">${share.type}</span>
                </th>
                <td class="share">${share.bytes > 0 ? formatPercent(share.bytes, total) : "?"}</td>
                <td>${share.bytes > 0 ? formatBytes(share.bytes) : "?"}</td>
                <td>${formatParameters(share.elements)}</td>
              </tr>`,
          )}
        </tbody>
      </table>
      ${
        listed.length < shares.length
          ? html`<button type="button" class="quiet more" @click=${this.#showAllTypes}>
              Show ${formatCount(shares.length - listed.length, "more type", "more types")}
            </button>`
          : nothing
      }`;
  }

  readonly #toggleWhole = () => {
    this.whole = !this.whole;
  };

  readonly #showAllTypes = () => {
    this.allTypes = true;
  };
}

define("gguf-summary", GgufSummary);

/** The special tokens of a file; none if a token is too long for a text. */
function specialTokens(header: ShownHeader) {
  try {
    return header.specialTokens();
  } catch {
    return [];
  }
}

/** The rules of the naming convention that a name breaks. */
function renderProblems({ isConventional, problems }: FileName) {
  if (isConventional) return html`<p>${icons.check}The name conforms to the naming convention.</p>`;
  return html`<details>
    <summary>Not named by the convention</summary>
    <ul>
      ${problems.map(({ message }) => html`<li>${renderText(message, { limit: 400 })}</li>`)}
    </ul>
  </details>`;
}

function renderFact({ label, value, exact, mark, before }: MarkedFact) {
  return html`<div class=${value.length > LONGEST_FIGURE ? "words" : ""}>
    <dt>${label}</dt>
    <dd title=${exact ?? nothing}>${renderText(value, { limit: 160 })}${renderMark(mark, before)}</dd>
  </div>`;
}

function renderMark(mark: MarkedFact["mark"], before: string | undefined) {
  if (mark === undefined) return nothing;
  return html` <span class="was ${mark}"
    >${before === undefined ? "new" : html`was ${renderText(before, { limit: 160 })}`}</span
  >`;
}
