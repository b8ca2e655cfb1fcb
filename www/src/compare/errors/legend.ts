/** What the colours and the outlines of errors mean. */

import { html, nothing, svg } from "lit";
import { type ErrorScale, errorStyle, scaleTicks } from "../../gguf/error-scale.ts";
import { formatError } from "../../gguf/nmse.ts";
import type { TensorError } from "./tensor-errors.ts";

const STATES = [
  { kind: "equal", title: "Equal" },
  { kind: "pending", title: "Not compared yet" },
  { kind: "unmeasured", title: "Not compared" },
] as const;

/** The class of a mark: that of its state, or `bits` for a mark with the colour of its error. */
export function kindOf(state: TensorError["state"], nmse: number | undefined): string {
  return state !== "measured" ? state : nmse === 0 ? "equal" : "bits";
}

/** The legend of a scale, and of the outlines that occur. */
export function renderLegend(scale: ErrorScale | undefined, errors: readonly TensorError[]) {
  const kinds = new Set(errors.map(({ state, nmse }) => kindOf(state, nmse)));
  return html`<ul class="legend" aria-label="Errors">
    ${
      scale === undefined
        ? nothing
        : scaleTicks(scale).map(
            (tick) =>
              html`<li>
                <span class="swatch" .style=${errorStyle(scale, tick)}></span
                ><span class="mono">${formatError(tick)}</span>
              </li>`,
          )
    }
    ${STATES.filter(({ kind }) => kinds.has(kind)).map(
      ({ kind, title }) =>
        html`<li>
          <svg class="sample" width="12" height="12" aria-hidden="true">
            <rect class=${kind} x="0.5" y="0.5" width="11" height="11" rx="1.5"></rect>
            ${kind === "unmeasured" ? svg`<line class="cross" x1="1" y1="11" x2="11" y2="1"></line>` : nothing}</svg
          >${title}
        </li>`,
    )}
  </ul>`;
}
