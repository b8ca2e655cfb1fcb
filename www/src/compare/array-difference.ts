import type { MetadataArray, MetadataValue } from "gguf-wasm/explain";
import type { ValueDetails } from "gguf-wasm/full";
import { css, html, LitElement, nothing, type PropertyValues } from "lit";
import { property, state } from "lit/decorators.js";
import { columnHeads } from "../ui/column-heads.ts";
import { define } from "../ui/define.ts";
import { formatCount, formatId, formatInteger } from "../ui/numbers.ts";
import { sectionStyles } from "../ui/panel-styles.ts";
import { renderText } from "../ui/render-text.ts";
import { renderShowAll } from "../ui/show-all.ts";
import { baseStyles } from "../ui/styles.ts";
import { elementText, elementTexts } from "./element-text.ts";
import { rangeText, tokenWords } from "./words.ts";

/** The places and tokens that are listed at first. */
const FIRST_ROWS = 20;
/** The places that are listed after that. More are of no use to a person. */
const MOST_ROWS = 1000;
/** The elements of a place that are shown of each side. */
const MAX_ELEMENTS = 8;

/** The differences of two arrays: the places where their elements differ, and of lists of tokens the tokens. */
export class GgufArrayDifference extends LitElement {
  @property({ attribute: false }) a!: MetadataArray;
  @property({ attribute: false }) b!: MetadataArray;
  @property({ attribute: false }) details!: ValueDetails;
  /** The key of the entry, for screen readers. */
  @property() label = "";
  @state() private showsAllPlaces = false;
  @state() private showsAllTokens = false;

  static override styles = [
    baseStyles,
    sectionStyles,
    css`
      .scroll {
        max-height: 360px;
        background: var(--gguf-surface);
      }
      .elements {
        font: var(--gguf-text-dense)/1.5 var(--gguf-mono);
        white-space: pre-wrap;
      }
      .more,
      .none {
        color: var(--gguf-ink-2);
        font: var(--gguf-text-small)/1.5 var(--gguf-sans);
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
                ${columnHeads("Token", ["Id in A", "number"], ["Id in B", "number"])}
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
          ${columnHeads("A", "B")}
          <tbody>
            ${hunks
              .slice(0, shown)
              .map(({ startA, endA, startB, endB }) => this.#renderPlace(startA, endA, startB, endB))}
          </tbody>
        </table>
      </div>
      ${renderShowAll(shown, most, "place", () => (this.showsAllPlaces = true))}
    </section>`;
  }

  #renderPlace(startA: number, endA: number, startB: number, endB: number) {
    const [a, b] = [shownElements(this.a, startA, endA), shownElements(this.b, startB, endB)];
    const [typeA, typeB] = [this.a.elementType, this.b.elementType];
    // Elements at the same position of both sides show what differs between them.
    const pairs = a.map((value, at) => {
      const other = b[at];
      return other === undefined ? undefined : elementTexts([value, typeA], [other, typeB]);
    });
    return html`<tr>
      <td>
        ${renderElements(
          a.map((value, at) => pairs[at]?.[0] ?? elementText(value, typeA)),
          startA,
          endA,
        )}
      </td>
      <td>
        ${renderElements(
          b.map((value, at) => pairs[at]?.[1] ?? elementText(value, typeB)),
          startB,
          endB,
        )}
      </td>
    </tr>`;
  }
}

const idOf = (id: number | undefined) => (id === undefined ? html`<span class="none">none</span>` : formatId(id));

function shownElements(array: MetadataArray, start: number, end: number): readonly MetadataValue[] {
  return array.slice(start, Math.min(end, start + MAX_ELEMENTS));
}

function renderElements(texts: readonly string[], start: number, end: number) {
  const rest = end - start - texts.length;
  return html`<p class="more">${rangeText(start, end)}</p>
    ${texts.map((text) => html`<p class="elements">${renderText(text)}</p>`)}
    ${rest > 0 ? html`<p class="more">and ${formatInteger(rest)} more</p>` : nothing}`;
}

define("gguf-array-difference", GgufArrayDifference);
