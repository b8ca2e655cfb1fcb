import { css, html, LitElement, nothing } from "lit";
import { property } from "lit/decorators.js";
import { columnHeads } from "../ui/column-heads.ts";
import { define } from "../ui/define.ts";
import { formatHex } from "../ui/numbers.ts";
import { sectionStyles } from "../ui/panel-styles.ts";
import { baseStyles } from "../ui/styles.ts";
import { bytePlaces } from "./byte-places.ts";

/** The differences of two texts that are not UTF-8 and look the same, as bytes. */
export class GgufByteDifference extends LitElement {
  @property({ attribute: false }) a!: Uint8Array;
  @property({ attribute: false }) b!: Uint8Array;

  static override styles = [
    baseStyles,
    sectionStyles,
    css`
      .scroll {
        max-height: 360px;
        background: var(--gguf-surface);
      }
      td,
      tbody th {
        font: var(--gguf-text-dense)/1.5 var(--gguf-mono);
      }
    `,
  ];

  override render() {
    const { places, isCut } = bytePlaces(this.a, this.b);
    return html`<p class="hint">Bytes that are not UTF-8 text differ. The rest of the text is equal.</p>
      <div class="scroll" tabindex="0" role="region" aria-label="Bytes that differ">
        <table>
          ${columnHeads(["First byte", "number"], "A", "B")}
          <tbody>
            ${places.map(
              ({ start, a, b }) =>
                html`<tr>
                  <th scope="row" class="number">${formatHex(start)}</th>
                  <td>${a}</td>
                  <td>${b}</td>
                </tr>`,
            )}
          </tbody>
        </table>
      </div>
      ${isCut ? html`<p class="hint">Only the first places are listed.</p>` : nothing}`;
  }
}

define("gguf-byte-difference", GgufByteDifference);
