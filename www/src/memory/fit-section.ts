import type { Gguf, MemoryEstimate } from "gguf-wasm";
import { html } from "lit";
import { findFit } from "./fit.ts";
import { RESERVE } from "./machine.ts";
import { DEFAULTS, type MemoryState, withoutDefaults } from "./memory-state.ts";
import type { ModelFacts } from "./settings.ts";
import { renderWays } from "./ways-table.ts";

/**
 * The ways to load the model with the chosen context on the chosen card. `beside` is the estimate of the second file, and `choose` is called
 * with the choices of a way.
 */
export function renderFit(
  gguf: Gguf,
  facts: ModelFacts,
  choices: MemoryState,
  beside: MemoryEstimate | undefined,
  choose: (change: Partial<MemoryState>) => void,
) {
  const { card = DEFAULTS.card, shared = false } = choices;
  const fit = findFit(gguf, facts, { gpu: card, main: undefined, shared }, choices, beside && [beside]);
  if (fit === undefined) return html`<p class="hint">Not known, because not all parts are known.</p>`;
  if (fit.ways.length === 0) return html`<p class="hint">Nothing fits with this context, nor with a shorter one.</p>`;
  const current = JSON.stringify(withoutDefaults(choices));
  const chosen = fit.ways.find(({ state }) => JSON.stringify(state) === current);
  return html`${renderWays(fit.ways, chosen, ({ state: { context, keys, values, layers, experts } }) =>
      choose({ context, keys, values, layers, experts }),
    )}
    <p class="hint">${RESERVE} GiB of the memory is left free, as llama.cpp does it.</p>`;
}
