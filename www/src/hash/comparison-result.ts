import { html, nothing } from "lit";
import { icons } from "../ui/icons.ts";
import { formatCount } from "../ui/numbers.ts";
import { renderText } from "../ui/render-text.ts";
import type { Comparison } from "./comparison.ts";

/** The differences that are listed, and the names. */
const MAX_DIFFERENCES = 50;
const MAX_NAMES = 20;

const KINDS = { match: "good", mismatch: "bad", partial: "warning", "nothing-found": "warning" } as const;

/** The result of a comparison, with each tensor or file that differs. */
export function renderComparison({ result, title, differing, missing, unlisted }: Comparison) {
  const rest = differing.length - MAX_DIFFERENCES;
  return html`<div class="notice ${KINDS[result]}" role=${result === "match" ? "status" : "alert"}>
    ${result === "match" ? icons.check : result === "mismatch" ? icons.error : icons.warning}
    <div>
      <strong>${renderText(title, { limit: 300 })}.</strong>
      ${
        differing.length === 0
          ? nothing
          : html`<dl class="differing">
                ${differing.slice(0, MAX_DIFFERENCES).map(
                  ({ name, expected, actual }) =>
                    html`<dt>${renderText(name, { limit: 200 })}</dt>
                      <dd>
                        <span>Expected</span><span class="digest">${renderText(expected, { limit: 100 })}</span>
                        <span>Found</span><span class="digest">${actual ?? "nothing"}</span>
                      </dd>`,
                )}
              </dl>
              ${rest > 0 ? html`<p>and ${formatCount(rest, "more difference")}.</p>` : nothing}`
      }
      ${renderNames("Expected, but not in this model", missing)} ${renderNames("Not compared", unlisted)}
    </div>
  </div>`;
}

function renderNames(title: string, names: readonly string[]) {
  if (names.length === 0) return nothing;
  const rest = names.length - MAX_NAMES;
  return html`<p>
    ${title}:
    ${names
      .slice(0, MAX_NAMES)
      .map(
        (name, at) => html`${at > 0 ? ", " : ""}<span class="mono">${renderText(name, { limit: 160 })}</span>`,
      )}${rest > 0 ? ` and ${formatCount(rest, "more", "more")}` : ""}.
  </p>`;
}
