import type { MemoryEstimate } from "gguf-wasm/explain";
import { html, nothing } from "lit";
import { formatCount, formatInteger } from "../ui/numbers.ts";
import type { Largest } from "./largest-context.ts";
import type { MemoryState } from "./memory-state.ts";
import type { ModelFacts } from "./settings.ts";

/** A larger context is limited by nothing but the numbers of llama.cpp: nothing in the memory grows with it. */
const LONGEST_ASKED = 4_000_000_000;

/** The largest context that fits. `choose` is called with it if a person takes it, which is not possible while another one is searched. */
export function renderLargest(
  largest: Largest,
  isBusy: boolean,
  { caches }: Pick<MemoryEstimate, "caches">,
  { ownContext }: ModelFacts,
  choices: MemoryState,
  choose: (change: Partial<MemoryState>) => void,
) {
  const isEndless = typeof largest === "number" && largest > LONGEST_ASKED;
  const place = choices.shared ? "in the memory" : "on the GPU";
  let text;
  if (largest === "unknown") text = "Not known, because not all parts are known.";
  else if (largest === "skipped") text = "Not computed, because the file has too many tensors.";
  else if (largest === undefined) text = `Not even 256 tokens fit ${place}.`;
  else if (isEndless && caches?.length === 0)
    text = "The model keeps no keys and values, so no context is too large for the memory.";
  else if (isEndless) text = "No keys and values are on the GPU, so no context is too large for its memory.";
  else if (ownContext !== undefined && largest > ownContext)
    text = html`<strong>${formatCount(largest, "token")}</strong> fit ${place}. The model was trained for
      ${formatCount(ownContext, "token")}.`;
  else text = html`<strong>${formatCount(largest, "token")}</strong> fit ${place}.`;
  const canUse = typeof largest === "number" && !isEndless && largest !== (choices.context ?? ownContext);
  return html`<p class="largest">
    <span>${text}</span>
    ${
      canUse
        ? html`<button
            type="button"
            ?disabled=${isBusy}
            @click=${() => choose({ context: largest === ownContext ? undefined : largest })}
          >
            Use ${formatInteger(largest)}
          </button>`
        : nothing
    }
  </p>`;
}
