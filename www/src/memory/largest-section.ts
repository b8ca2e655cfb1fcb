import type { MemoryEstimate } from "gguf-wasm/explain";
import { html, nothing } from "lit";
import { formatCount, formatInteger } from "../ui/numbers.ts";
import type { Largest } from "./largest-context.ts";
import type { Machine } from "./machine.ts";
import { isBeyond, type ModelFacts } from "./settings.ts";

/** A larger context is limited by nothing but the numbers of llama.cpp: nothing in the memory grows with it. */
const LONGEST_ASKED = 4_000_000_000;

/** What the section shows. */
export interface LargestView {
  readonly largest: Largest;
  /** Whether another one is searched. */
  readonly isBusy: boolean;
  readonly caches: MemoryEstimate["caches"];
  readonly facts: ModelFacts;
  readonly machine: Machine;
  /** The chosen context. */
  readonly context: number | undefined;
  readonly choose: (context: number) => void;
}

/** The largest context that fits, and the buttons that take it. One that is longer than the trained one is said to be so. */
export function renderLargest(view: LargestView) {
  const { largest, isBusy, context, choose, facts } = view;
  const { ownContext } = facts;
  const buttons = contextsToUse(largest, ownContext).filter((offered) => offered !== context);
  return html`<p class="largest">
    <span>${largestWords(view)}</span>
    ${buttons.map(
      (offered) =>
        html`<button type="button" ?disabled=${isBusy} @click=${() => choose(offered)}>
          Use ${formatInteger(offered)}${isBeyond(offered, facts) ? ", longer than trained" : nothing}
        </button>`,
    )}
  </p>`;
}

/** The contexts that a person can take: the largest one, and before it the trained one if that is shorter. */
function contextsToUse(largest: Largest, ownContext: number | undefined): number[] {
  if (typeof largest !== "number" || largest > LONGEST_ASKED) return [];
  const own = ownContext !== undefined && ownContext < largest ? [ownContext] : [];
  return [...own, largest];
}

function largestWords({ largest, caches, facts: { ownContext }, machine }: LargestView) {
  const { cards = [], shared } = machine;
  const place = shared
    ? "in the memory"
    : cards.length === 0
      ? "in the main memory"
      : cards.length > 1
        ? "on the cards"
        : "on the GPU";
  if (largest === "no-machine") return "Choose your GPU memory, and it is computed.";
  if (largest === "unknown") return "Not known, because not all parts are known.";
  if (largest === "skipped") return "Not computed, because the file has too many tensors.";
  if (largest === undefined) return `Not even 256 tokens fit ${place}.`;
  if (largest > LONGEST_ASKED)
    return caches?.length === 0
      ? "The model keeps no keys and values, so no context is too large for the memory."
      : "No keys and values are on the GPU, so no context is too large for its memory.";
  const fitting = html`<strong>${formatCount(largest, "token")}</strong> fit ${place}`;
  return ownContext !== undefined && largest > ownContext
    ? html`${fitting}: more than the ${formatCount(ownContext, "token")} that the model was trained for.`
    : html`${fitting}.`;
}
