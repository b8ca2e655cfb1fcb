import { html } from "lit";
import type { Fit } from "./fit.ts";
import { type MemoryState, withoutDefaults } from "./memory-state.ts";
import { RESERVE_RULE } from "./room.ts";
import { renderWays } from "./ways-table.ts";

/** What a way chooses. */
type Way = Pick<MemoryState, "context" | "keys" | "values" | "layers" | "experts" | "split">;

function wayOf({ context, keys, values, layers, experts, split }: MemoryState): Way {
  return { context, keys, values, layers, experts, split };
}

/**
 * The ways to load the model with the chosen context on the chosen machine. `fit` is undefined if the memory of the model is unknown.
 * `state` is how the model is loaded. `choose` is called with the choices of a way.
 */
export function renderFit(fit: Fit | undefined, state: MemoryState, choose: (way: Way) => void) {
  if (fit === undefined) return html`<p class="hint">Not known, because not all parts are known.</p>`;
  if (fit.ways.length === 0) return html`<p class="hint">Nothing fits with this context, nor with a shorter one.</p>`;
  const textOf = (way: MemoryState) => JSON.stringify(withoutDefaults(wayOf(way)));
  const chosen = fit.ways.find((way) => textOf(way.state) === textOf(state));
  return html`${renderWays(fit.ways, chosen, (way) => choose(wayOf(way.state)))}
    <p class="hint">${RESERVE_RULE}</p>`;
}
