import type { LiteralTest } from "gguf-wasm/common/template-facts.js";
import type { FoundFlag } from "gguf-wasm/common/template-flags.js";
import { html, nothing } from "lit";
import { icons } from "../ui/icons.ts";
import { formatCount } from "../ui/numbers.ts";
import { renderText } from "../ui/render-text.ts";
import { columnHeads } from "../ui/column-heads.ts";

const ICONS = { error: icons.error, warning: icons.warning, note: icons.info } as const;
const WORDS = { error: "Error", warning: "Warning", note: "Note" } as const;
/** The most details of a flag that are shown. */
const MOST_DETAILS = 8;

/** The list of red flags, with an icon and a word for the severity of each. */
export function renderFlags(flags: readonly FoundFlag[]) {
  return html`<ul class="flags">
    ${flags.map(
      ({ title, severity, details }) =>
        html`<li class=${severity === "note" ? "note-flag" : severity}>
          ${ICONS[severity]}<b><span class="sr">${WORDS[severity]}: </span>${title}</b>
          <ul>
            ${details.slice(0, MOST_DETAILS).map((detail) => html`<li>${renderText(detail, { limit: 400 })}</li>`)}
            ${
              details.length > MOST_DETAILS
                ? html`<li>And ${formatCount(details.length - MOST_DETAILS, "more", "more")}.</li>`
                : nothing
            }
          </ul>
        </li>`,
    )}
  </ul>`;
}

/** The table of the literals that the template compares something with. */
export function renderTests(tests: readonly LiteralTest[]) {
  return html`<table>
    ${columnHeads("Expression", "Compared with")}
    <tbody>
      ${tests.map(
        ({ expression, values }) =>
          html`<tr>
            <th scope="row"><code>${renderText(expression, { limit: 200 })}</code></th>
            <td>
              ${values.map(
                (value, index) => html`${index > 0 ? ", " : ""}<code>${renderText(value, { limit: 100 })}</code>`,
              )}
            </td>
          </tr>`,
      )}
    </tbody>
  </table>`;
}
