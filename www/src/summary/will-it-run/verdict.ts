/** The answer in words: what a model takes, and whether it fits into the chosen machine. */

import type { Gguf } from "gguf-wasm/explain";
import { html, nothing } from "lit";
import type { DeviceMemory } from "../../memory/devices.ts";
import type { Fit, FitWay } from "../../memory/fit.ts";
import { usableBytes } from "../../memory/room.ts";
import { isBeyond, memoryOptions, type ModelFacts } from "../../memory/settings.ts";
import { icons } from "../../ui/icons.ts";
import { formatBinaryBytes, formatCapacity, formatCount, formatInteger } from "../../ui/numbers.ts";
import { unbroken } from "../../ui/unbroken.ts";
import type { MemorySource } from "../../worker/memory-source.ts";

/** The cards for which the longest context is listed until a person has chosen a machine. */
const LISTED_CARDS = [8, 12, 16, 24, 48, 80] as const;

/** Not all layers fit on a card. With some of them on the CPU, the model may run. */
const NOT_WHOLE = "does not fit as a whole";

/** What a model takes, and the longest context on common cards. */
export interface Cards {
  readonly isKnown: boolean;
  /** The bytes on the GPU and in the main memory. */
  readonly takes: number;
  readonly main: number;
  readonly cards: readonly { readonly card: number; readonly words: string }[];
}

/** What a model takes with a context, and the longest context on common cards. */
export async function findCards(
  source: Pick<MemorySource, "memory" | "largestContexts">,
  facts: ModelFacts,
  context: number | undefined,
): Promise<Cards> {
  const {
    devices: [gpu, cpu],
  } = await source.memory(memoryOptions({ context }, facts));
  const isKnown = gpu.total !== undefined;
  const options = memoryOptions({}, facts);
  delete options.contextLength;
  const listed = isKnown ? LISTED_CARDS : [];
  const longest = await source.largestContexts(listed.map((card) => ({ ...options, bytes: usableBytes(card) })));
  const cards = listed.map((card, at) => ({ card, words: contextWords(longest[at], facts) }));
  return { isKnown, takes: gpu.known.high, main: cpu.known.high, cards };
}

/** `within` is " with a context of 8,192 tokens", or "". `choose` is told the GiB of the card that a person has chosen. */
export function renderCards({ isKnown, takes, main, cards }: Cards, within: string, choose: (card: number) => void) {
  return html`<p class="answer" role="status">
      It takes ${isKnown ? "" : "at least "}<strong>${unbroken(formatBinaryBytes(takes))}</strong> of GPU
      memory${unbroken(within)}${main > 0 ? html`, and ${unbroken(formatBinaryBytes(main, takes))} of main memory` : nothing}.
    </p>
    ${
      isKnown
        ? html`<ul class="cards" aria-label="Longest context by GPU memory">
              ${cards.map(
                ({ card, words }) =>
                  html`<li>
                    <button type="button" title="Use ${card} GB for all answers" @click=${() => choose(card)}>
                      <span class="card">${card} GB</span> <span>${words}</span>
                    </button>
                  </li>`,
              )}
            </ul>
            ${
              cards.some(({ words }) => words === NOT_WHOLE)
                ? html`<p class="hint">Choose your GPU memory for ways to make it fit, such as layers on the CPU.</p>`
                : nothing
            }`
        : html`<p class="hint">Not all parts are known for this architecture.</p>`
    }`;
}

/**
 * `fit` is undefined if it is not known what the model takes. `isRefused` says that llama.cpp does not load the file: its memory is then
 * what it would take once it is repaired.
 */
export function renderVerdict(
  fit: Fit | undefined,
  { tensors }: Pick<Gguf, "tensors">,
  facts: ModelFacts,
  within: string,
  isRefused: boolean,
) {
  if (fit === undefined)
    return html`<p class="answer" role="status">
      Not known: llama.cpp's rules for this architecture are not known. The tensors take
      <strong>${formatBinaryBytes(tensors.reduce((sum, { byteLength = 0 }) => sum + byteLength, 0))}</strong>.
    </p>`;
  const [best] = fit.ways;
  if (!best?.hasContext) {
    const missing = fit.missing === undefined ? "" : ` ${formatBinaryBytes(fit.missing)} are missing.`;
    return html`<p class="answer no" role="status">
      ${icons.close}<span
        ><strong>No</strong>, not${unbroken(within) || " as it is"}.${unbroken(missing)}
        ${best ? `It fits with less: ${lowerCase(best.title)}.` : "A smaller quantization or a shorter context may fit."}</span
      >
    </p>`;
  }
  const longest = `The longest context that fits: ${contextWords(best.longest, facts, true)}.`;
  const changes = best.isFree && best.cost === "nothing" ? "" : `${best.title}. `;
  if (isRefused)
    return html`<p class="answer" role="status">
      Once it is repaired, it fits${changesWords(best, within)}${unbroken(within)}.
      ${unbroken(`${changes}${takesWords(best)} ${longest}`)}
    </p>`;
  return html`<p class="answer yes" role="status">
    ${icons.check}<span
      ><strong>Yes${changesWords(best, within)}</strong>${unbroken(within)}.
      ${unbroken(`${changes}${takesWords(best)} ${longest}`)}</span
    >
  </p>`;
}

/** "131,072 tokens, all that it was trained for". */
function contextWords(longest: number | undefined, { ownContext }: ModelFacts, isShort = false): string {
  if (longest === undefined) return NOT_WHOLE;
  if (ownContext !== undefined && longest >= ownContext)
    return isShort ? `all ${formatCount(ownContext, "token")}` : `all ${formatInteger(ownContext)} tokens`;
  return isShort ? formatCount(longest, "token") : `up to ${formatCount(longest, "token")}`;
}

/** "It takes up to 4.50 GiB of 12 GiB GPU memory and 0.28 GiB of 32 GiB main memory." */
function takesWords({ devices }: FitWay): string {
  const words = devices
    .filter(({ total }) => total.high > 0)
    .map(({ name, total, capacity = 0 }: DeviceMemory) => {
      const place =
        name === "CPU"
          ? "main memory"
          : name === "GPU"
            ? "GPU memory"
            : name === "GPU and CPU"
              ? "memory"
              : `of ${name}`;
      return `${formatBinaryBytes(total.high, capacity)} of ${formatCapacity(capacity)} ${place}`;
    });
  const listed = new Intl.ListFormat("en", { type: "conjunction" }).format(words);
  return words.length === 0 ? "" : `It takes up to ${listed}.`;
}

/** ", with changes" if the model does not fit as it is, and a comma if `within` follows. */
export function changesWords({ isFree }: Pick<FitWay, "isFree">, within: string): string {
  if (isFree) return "";
  return within === "" ? ", with changes" : ", with changes,";
}

/** " with a context of 8,192 tokens", and that it is longer than the trained one; "" if the context is not known. */
export function withinWords(context: number | undefined, facts: ModelFacts): string {
  if (context === undefined) return "";
  const beyond = isBeyond(context, facts)
    ? `, longer than the ${formatInteger(facts.ownContext ?? 0)} that it was trained for`
    : "";
  return ` with a context of ${formatCount(context, "token")}${beyond}`;
}

function lowerCase(title: string): string {
  return `${title.charAt(0).toLowerCase()}${title.slice(1)}`;
}
