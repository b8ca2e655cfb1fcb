import type { FileName } from "gguf-wasm/explain";
import { html, LitElement, nothing } from "lit";
import { property, state } from "lit/decorators.js";
import type { OpenCost, ShownHeader } from "../gguf/shown-file.ts";
import { startedLibrary } from "../gguf/started-library.ts";
import { typeShares } from "../gguf/tensor-types.ts";
import { colourName } from "../gguf/type-colours.ts";
import { typeColours } from "../gguf/type-styles.ts";
import "../ui/copy-button.ts";
import { columnHeads } from "../ui/column-heads.ts";
import { define } from "../ui/define.ts";
import { icons } from "../ui/icons.ts";
import { formatBytes, formatCount, formatParameters, formatPercent } from "../ui/numbers.ts";
import { renderText } from "../ui/render-text.ts";
import { baseStyles } from "../ui/styles.ts";
import { detailsStyles } from "./details-styles.ts";
import { factStyles, renderFact } from "./fact-list.ts";
import { elementsLabel, fileFacts, modelFacts, type StoredHeader } from "./facts.ts";
import { isNamedByConvention, kindFacts, nameFacts, suggestedName, tokenFacts } from "./file-kind.ts";
import { markedFacts } from "./marked-facts.ts";

/** The types that are listed at first. Most models have two to five types. */
const FIRST_TYPES = 7;
/** The most characters of a file name that is parsed: a name may be megabytes long. */
const MAX_NAME_LENGTH = 4000;

/** The facts in the header of a file: its kind, its types, the dimensions of the model, its special tokens and its name. */
export class GgufDetails extends LitElement {
  @property({ attribute: false }) gguf!: StoredHeader;
  /** The header after editing. Undefined while the file is not being edited. */
  @property({ attribute: false }) edited: ShownHeader | undefined;
  @property({ attribute: false }) fileName = "";
  @property({ attribute: false }) cost: OpenCost | undefined;
  /** The number of shards of the model, such as "2 of 3"; "" if it is one file. */
  @property() shards = "";
  @state() private allTypes = false;

  static override styles = [baseStyles, typeColours, factStyles, detailsStyles];

  override render() {
    const { gguf } = this;
    const now = this.edited ?? gguf;
    const model = markedFacts(modelFacts(gguf), modelFacts(now));
    return html`<div class="details">
      <div>${this.#renderKind(now)} ${this.#renderTypes(now)}</div>
      <div>
        ${
          model.length > 0
            ? html`<h3>Model</h3>
                <dl class="facts">${model.map(renderFact)}</dl>`
            : nothing
        }
        ${this.#renderTokens(now)}
      </div>
      <div>
        ${this.#renderName(now)}
        <h3>File</h3>
        <dl class="facts">
          ${this.shards === "" ? nothing : renderFact({ label: "Shards", value: this.shards })}
          ${markedFacts(fileFacts(gguf, this.cost), fileFacts(now, this.cost)).map(renderFact)}
        </dl>
      </div>
    </div>`;
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
    const name = startedLibrary()?.parseFileName(fileName);
    if (!name) return nothing;
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
    if (now.arrival && !now.arrival.hasAllTensors)
      return html`<h3>Tensor types by size</h3>
        <p class="missing">${now.arrival.missing}</p>`;
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
        ${columnHeads(html`<span class="sr">Type</span>`, "Share", "Size", elementsLabel(now))}
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

  readonly #showAllTypes = () => {
    this.allTypes = true;
  };
}

define("gguf-details", GgufDetails);

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
