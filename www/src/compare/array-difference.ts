import type { MetadataArray, ValueDetails } from "gguf-wasm";
import { css, html, LitElement, nothing, type PropertyValues } from "lit";
import { valueText } from "../metadata/metadata-rows.ts";
import { define } from "../ui/define.ts";
import { formatCount, formatInteger } from "../ui/numbers.ts";
import { sectionStyles } from "../ui/panel-styles.ts";
import { renderText } from "../ui/render-text.ts";
import { renderShowAll } from "../ui/show-all.ts";
import { baseStyles } from "../ui/styles.ts";
import { rangeText, tokenWords } from "./words.ts";

/** The places and tokens that are listed at first. */
const FIRST_ROWS = 20;
/** The places that are listed after that. More are of no use to a person, and the Markdown and the JSON of a comparison have them. */
const MOST_ROWS = 1000;
/** The elements of a place that are shown of each side. */
const MAX_ELEMENTS = 8;

/** The differences of two arrays: the places where their elements differ, and of lists of tokens the tokens. */
export class GgufArrayDifference extends LitElement {
  static override properties = {
    a: { attribute: false },
    b: { attribute: false },
    details: { attribute: false },
    label: {},
    showsAllPlaces: { state: true },
    showsAllTokens: { state: true },
  };

  declare a: MetadataArray;
  declare b: MetadataArray;
  declare details: ValueDetails;
  /** The key of the entry, for screen readers. */
  declare label: string;
  declare private showsAllPlaces: boolean;
  declare private showsAllTokens: boolean;

  constructor() {
    super();
    this.label = "";
    this.showsAllPlaces = false;
    this.showsAllTokens = false;
  }

  static override styles = [
    baseStyles,
    sectionStyles,
    css`
      .scroll {
        max-height: 360px;
        background: var(--gguf-surface);
      }
      .elements {
        font: 12.5px/1.5 var(--gguf-mono);
      }
      .more,
      .none {
        color: var(--gguf-ink-2);
        font: 12px/1.5 var(--gguf-sans);
      }
      section + section {
        margin-top: 14px;
        padding-top: 0;
        border-top: 0;
      }
      h4 {
        margin-top: 0;
      }
    `,
  ];

  override willUpdate(changed: PropertyValues): void {
    if (!changed.has("details")) return;
    this.showsAllPlaces = false;
    this.showsAllTokens = false;
  }

  override render() {
    const { tokens } = this.details;
    return html`${tokens ? this.#renderTokens(tokens) : nothing}${this.#renderPlaces()}`;
  }

  #renderTokens(tokens: NonNullable<ValueDetails["tokens"]>) {
    const all = tokens.differences.length;
    const shown = this.showsAllTokens ? all : Math.min(all, FIRST_ROWS);
    const total = tokens.added + tokens.removed + tokens.renumbered;
    return html`<section aria-labelledby="tokens">
      <h4 id="tokens">Tokens</h4>
      <p class="hint">${tokenWords(tokens)} ${all < total ? `The first ${formatInteger(all)} are listed.` : nothing}</p>
      ${
        all === 0
          ? nothing
          : html`<div class="scroll" tabindex="0" role="region" aria-label="Tokens that differ">
              <table>
                <thead>
                  <tr>
                    <th scope="col">Token</th>
                    <th scope="col" class="number">Id in A</th>
                    <th scope="col" class="number">Id in B</th>
                  </tr>
                </thead>
                <tbody>
                  ${tokens.differences.slice(0, shown).map(
                    ({ text, idA, idB }) =>
                      html`<tr>
                        <th scope="row" class="elements">${renderText(text, { limit: 300 })}</th>
                        <td class="number">${idOf(idA)}</td>
                        <td class="number">${idOf(idB)}</td>
                      </tr>`,
                  )}
                </tbody>
              </table>
            </div>`
      }
      ${renderShowAll(shown, all, "token", () => (this.showsAllTokens = true))}
    </section>`;
  }

  #renderPlaces() {
    const { hunks } = this.details;
    const most = Math.min(hunks.length, MOST_ROWS);
    const shown = this.showsAllPlaces ? most : Math.min(most, FIRST_ROWS);
    return html`<section aria-labelledby="places">
      <h4 id="places">
        ${formatCount(hunks.length, "place")} where the elements
        differ${most < hunks.length ? `, the first ${formatInteger(most)} are listed` : nothing}
      </h4>
      <div class="scroll" tabindex="0" role="region" aria-label="Differences of ${this.label}">
        <table>
          <thead>
            <tr>
              <th scope="col">A</th>
              <th scope="col">B</th>
            </tr>
          </thead>
          <tbody>
            ${hunks.slice(0, shown).map(
              ({ startA, endA, startB, endB }) =>
                html`<tr>
                  <td>${renderElements(this.a, startA, endA)}</td>
                  <td>${renderElements(this.b, startB, endB)}</td>
                </tr>`,
            )}
          </tbody>
        </table>
      </div>
      ${renderShowAll(shown, most, "place", () => (this.showsAllPlaces = true))}
    </section>`;
  }
}

const idOf = (id: number | undefined) => (id === undefined ? html`<span class="none">none</span>` : formatInteger(id));

function renderElements(array: MetadataArray, start: number, end: number) {
  const elements = array.slice(start, Math.min(end, start + MAX_ELEMENTS));
  const rest = end - start - elements.length;
  return html`<p class="more">${rangeText(start, end)}</p>
    ${elements.map((value) => html`<p class="elements">${renderText(valueText(value, array.elementType), { limit: 300 })}</p>`)}
    ${rest > 0 ? html`<p class="more">and ${formatInteger(rest)} more</p>` : nothing}`;
}

define("gguf-array-difference", GgufArrayDifference);

declare global {
  interface HTMLElementTagNameMap {
    "gguf-array-difference": GgufArrayDifference;
  }
}
