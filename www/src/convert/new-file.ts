import type { ConversionPlan } from "gguf-wasm/convert";
import { html, nothing } from "lit";
import { live } from "lit/directives/live.js";
import type { OpenedModel } from "../gguf/opened-model.ts";
import { bitsPerWeight } from "../gguf/tensor-types.ts";
import { CARD_SIZES, DEFAULTS, type MemoryState } from "../memory/memory-state.ts";
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

/** The size and the bits per weight of the new file, beside those of the open model. */
export function renderFigures(plan: ConversionPlan, { size: sizeBefore, bits: bitsBefore }: ModelFigures) {
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
  </dl>`;
}

/** Whether the new file fits a card. The person chooses the memory of the card, in GiB. */
export function renderCard(fit: CardFit | undefined, settings: MemoryState, choose: (card: number) => void) {
  const card = settings.card ?? DEFAULTS.card;
  const sizes = CARD_SIZES.includes(card) ? CARD_SIZES : [...CARD_SIZES, card].sort((a, b) => a - b);
  return html`<div class="card">
    <label
      >${settings.shared ? "Memory" : "Card"}
      <select @change=${(event: Event) => choose(Number((event.target as HTMLSelectElement).value))}>
        ${sizes.map((size) => html`<option value=${size} .selected=${live(size === card)}>${formatInteger(size)} GiB</option>`)}
      </select></label
    >
    ${
      fit
        ? html`<p class="verdict ${fit.fit}">
            ${fit.fit === "over" || fit.fit === "tight" ? icons.warning : fit.fit === "fits" ? icons.check : nothing}<span
              >${fit.text}${
                fit.contextLength === undefined
                  ? nothing
                  : ` With a context of ${formatCount(fit.contextLength, "token")}, as in the Memory panel.`
              }</span
            >
          </p>`
        : html`<p class="verdict">Not known whether it fits.</p>`
    }
  </div>`;
}
