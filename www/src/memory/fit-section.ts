import { html } from "lit";
import type { Fit } from "./fit.ts";
import { RESERVE } from "./machine.ts";
import { type MemoryState, withoutDefaults } from "./memory-state.ts";
import { renderWays } from "./ways-table.ts";

/**
 * The ways to load the model with the chosen context on the chosen card. `fit` is undefined if the memory of the model is unknown. `choose`
 * is called with the choices of a way.
 */
export function renderFit(fit: Fit | undefined, choices: MemoryState, choose: (change: Partial<MemoryState>) => void) {
  if (fit === undefined) return html`<p class="hint">Not known, because not all parts are known.</p>`;
  if (fit.ways.length === 0) return html`<p class="hint">Nothing fits with this context, nor with a shorter one.</p>`;
  const current = JSON.stringify(withoutDefaults(choices));
  const chosen = fit.ways.find(({ state }) => JSON.stringify(state) === current);
  return html`${renderWays(fit.ways, chosen, ({ state: { context, keys, values, layers, experts } }) =>
      choose({ context, keys, values, layers, experts }),
    )}
    <p class="hint">${RESERVE} GiB of the memory is left free, as llama.cpp does it.</p>`;
}
