import type { ConversionPlan } from "gguf-wasm/convert";
import { html, nothing } from "lit";
import { ERROR_TITLE, formatError } from "../gguf/nmse.ts";
import type { OpenedModel } from "../gguf/opened-model.ts";
import { bitsPerWeight } from "../gguf/tensor-types.ts";
import "../memory/card-fields.ts";
import type { Machine } from "../memory/machine.ts";
import { icons } from "../ui/icons.ts";
import { formatBytes, formatCount, formatInteger, formatPercent } from "../ui/numbers.ts";
import type { CardFit } from "./card-fit.ts";

/** The size of a model in bytes, and its bits per weight. */
export interface ModelFigures {
  readonly size: number | undefined;
  readonly bits: number | undefined;
}

export function figuresOf({ set, gguf }: OpenedModel): ModelFigures {
  return { size: (set ?? gguf).fileSize, bits: bitsPerWeight(gguf.tensors) };
}

/**
 * The size and the bits per weight of the new file, beside those of the open model, and its error. As long as the error is not known, a
 * button leads to where it is estimated.
 */
export function renderFigures(
  plan: ConversionPlan,
  { size: sizeBefore, bits: bitsBefore }: ModelFigures,
  error: number | undefined,
  showQuality: () => void,
) {
  return html`<dl class="figures">
    <div>
      <dt>Size</dt>
      <dd title="${formatInteger(plan.size)} bytes">
        ${formatBytes(plan.size)}
        ${
          sizeBefore === undefined
            ? nothing
            : html`<span class="before">${formatPercent(plan.size, sizeBefore)} of ${formatBytes(sizeBefore)}</span>`
        }
      </dd>
    </div>
    <div>
      <dt>Bits per weight</dt>
      <dd>
        ${plan.bitsPerWeight.toFixed(2)}
        ${bitsBefore === undefined ? nothing : html`<span class="before">before: ${bitsBefore.toFixed(2)}</span>`}
      </dd>
    </div>
    <div>
      <dt>${ERROR_TITLE}</dt>
      <dd>
        ${
          error === undefined
            ? html`<span class="before">not known yet</span>`
            : html`${formatError(error)} <span class="before">estimated</span>`
        }
        <button type="button" class="link" @click=${showQuality}>Size against error</button>
      </dd>
    </div>
  </dl>`;
}

/** Whether the new file fits the machine, whose memory the person chooses. */
export function renderCard(fit: CardFit | undefined, machine: Machine) {
  return html`<div class="card">
    <gguf-card-fields .machine=${machine}></gguf-card-fields>
    ${
      fit
        ? html`<p class="verdict ${fit.fit}">
            ${fit.fit === "over" || fit.fit === "tight" ? icons.warning : fit.fit === "fits" ? icons.check : nothing}<span
              >${fit.text}${
                fit.contextLength === undefined
                  ? nothing
                  : ` With a context of ${formatCount(fit.contextLength, "token")}, as in Summary and Memory.`
              }</span
            >
          </p>`
        : html`<p class="verdict">Not known whether it fits.</p>`
    }
  </div>`;
}
