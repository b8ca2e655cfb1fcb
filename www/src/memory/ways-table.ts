import { css, html, nothing } from "lit";
import { formatRange } from "./devices.ts";
import type { FitWay } from "./fit.ts";
import { formatInteger } from "../ui/numbers.ts";
import { rowPadding } from "../ui/styles/tables.ts";
import { columnHeads } from "../ui/column-heads.ts";
import { unbroken } from "../ui/unbroken.ts";
import { windowSize } from "../ui/styles/breakpoints.ts";

/** Styles of `renderWays`, with those of plain tables. */
export const waysStyles = css`
  .ways {
    position: relative;
    overflow: auto;
  }
  .ways th,
  .ways td {
    padding: ${rowPadding(5)} 12px ${rowPadding(5)} 0;
    text-align: start;
    vertical-align: top;
  }
  .ways tbody tr {
    border-top: 1px solid var(--gguf-line);
  }
  .ways td:not(:nth-child(2)) {
    white-space: nowrap;
  }
  .ways th:first-child {
    min-width: calc(130 * var(--gguf-unit));
  }
  .ways th span {
    display: block;
    color: var(--gguf-ink-2);
  }
  .ways td:nth-child(2) {
    min-width: calc(130 * var(--gguf-unit));
  }
  .way {
    min-height: calc(26 * var(--gguf-unit));
    padding: 3px 8px;
    font-size: var(--gguf-text-dense);
    text-align: start;
    white-space: normal;
  }
  /* All columns fit beside each other on a phone. */
  @media (max-width: ${windowSize(479)}) {
    .ways {
      font-size: var(--gguf-text-small);
    }
    .ways th,
    .ways td,
    .ways td:not(:nth-child(2)) {
      min-width: 0;
      padding-inline-end: 8px;
      white-space: normal;
    }
    .ways th:first-child {
      min-width: calc(96 * var(--gguf-unit));
    }
    .ways td:nth-child(2),
    .ways td:nth-child(3) {
      min-width: calc(84 * var(--gguf-unit));
    }
    .way {
      padding: 3px 6px;
      font-size: var(--gguf-text-small);
    }
  }
  @media (forced-colors: active) {
    .way[aria-pressed="true"] {
      border-color: Highlight;
      background: Highlight;
      color: HighlightText;
      forced-color-adjust: none;
    }
  }
`;

/** The ways to load a model, with what each takes and costs. `chosen` has a pressed button, and `choose` is called with another one. */
export function renderWays(ways: readonly FitWay[], chosen: FitWay | undefined, choose: (way: FitWay) => void) {
  return html`<div class="ways" role="region" aria-label="Ways to make it fit" tabindex="0">
    <table>
      ${columnHeads("Way", "Costs", "Takes", "Longest context")}
      <tbody>
        ${ways.map(
          (way, at) =>
            html`<tr>
              <th scope="row">
                <button type="button" class="way" aria-pressed=${way === chosen} @click=${() => choose(way)}>
                  ${way.title}
                </button>
                ${at === 0 ? html`<span>best</span>` : nothing}
              </th>
              <td>${way.cost}</td>
              <td>${way.devices.map(({ name, total }) => html`<div>${name} ${unbroken(formatRange(total))}</div>`)}</td>
              <td>${formatInteger(way.longest)}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}
