import type { Gguf } from "gguf-wasm";
import { html, LitElement, nothing, type PropertyValues } from "lit";
import { serverCommand } from "../../memory/command.ts";
import { type DeviceMemory, formatRange } from "../../memory/devices.ts";
import { LargestContext } from "../../memory/largest-context.ts";
import { contextSteps, memoryOptions, modelFacts, type ModelFacts } from "../../memory/settings.ts";
import "../../ui/copy-button.ts";
import { define } from "../../ui/define.ts";
import { icons } from "../../ui/icons.ts";
import { pause, Pieces } from "../../ui/in-pieces.ts";
import { formatBinaryBytes, formatCount, formatInteger } from "../../ui/numbers.ts";
import { renderText } from "../../ui/render-text.ts";
import { baseStyles } from "../../ui/styles.ts";
import { fieldStyles } from "../../ui/styles/fields.ts";
import { plainTableStyles } from "../../ui/styles/tables.ts";
import { bestWay, fitWays, type FitWay } from "./fit.ts";
import { GPU_SIZES, type Machine, MAIN_SIZES, readMachine, SHARED_SIZES, storeMachine } from "./machine.ts";
import { willItRunStyles } from "./will-it-run-styles.ts";

const GIB = 2 ** 30;
/** The context that is asked for at first, in tokens: that of a long conversation. */
const FIRST_CONTEXT = 8192;
/** The cards for which the longest context is listed until a person has chosen a machine. */
const LISTED_CARDS = [8, 12, 16, 24, 48, 80] as const;

/** An answer: what the model takes, or the ways to load it on the chosen machine. */
type Result =
  | {
      readonly kind: "cards";
      readonly isKnown: boolean;
      /** The bytes on the GPU and in the main memory. */
      readonly takes: number;
      readonly main: number;
      readonly cards: readonly { readonly card: number; readonly words: string }[];
    }
  | {
      readonly kind: "machine";
      readonly machine: Machine;
      /** Undefined if a part of the memory is not known. */
      readonly ways: readonly FitWay[] | undefined;
      readonly best: FitWay | undefined;
      readonly longest: string;
    };

/** Whether a model runs on the user's machine, with the command that starts it. */
export class GgufWillItRun extends LitElement {
  static override properties = {
    gguf: { attribute: false },
    fileName: { attribute: false },
    machine: { state: true },
    context: { state: true },
    chosen: { state: true },
    result: { state: true },
  };

  declare gguf: Gguf;
  declare fileName: string;
  /** Undefined until a person has chosen one. */
  declare private machine: Machine | undefined;
  /** The context in tokens. Undefined: that of a long conversation, or the longest of the model. */
  declare private context: number | undefined;
  /** The title of the way that a person has chosen. Undefined: the best one. */
  declare private chosen: string | undefined;

  /** Undefined while it is computed for the first time. */
  declare private result: Result | undefined;

  #facts: ModelFacts | undefined;
  readonly #largest = new LargestContext();
  #computing = new AbortController();

  constructor() {
    super();
    this.fileName = "";
    this.machine = readMachine();
    this.context = undefined;
    this.chosen = undefined;
    this.result = undefined;
  }

  static override styles = [baseStyles, fieldStyles, plainTableStyles, willItRunStyles];

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#computing.abort();
  }

  override willUpdate(changed: PropertyValues): void {
    if (changed.has("gguf")) {
      this.#facts = modelFacts(this.gguf);
      this.result = undefined;
      this.context = undefined;
    }
    if (changed.has("gguf") || changed.has("machine") || changed.has("context")) {
      this.chosen = undefined;
      if (this.#facts) void this.#compute(this.#facts);
    }
  }

  /** Computes the answer in pieces. The answer before stays until then. */
  async #compute(facts: ModelFacts): Promise<void> {
    this.#computing.abort();
    this.#computing = new AbortController();
    const { signal } = this.#computing;
    try {
      const { machine } = this;
      const result =
        machine === undefined ? await this.#askCards(facts, signal) : await this.#askMachine(facts, machine, signal);
      if (!signal.aborted) this.result = result;
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  /** What the model takes, and the longest context on common cards. */
  async #askCards(facts: ModelFacts, signal: AbortSignal): Promise<Result> {
    const { devices, weights, caches, compute } = this.gguf.memory(
      memoryOptions({ context: this.#context(facts) }, facts),
    );
    const [gpu, cpu] = devices;
    const isKnown = weights !== undefined && caches !== undefined && compute !== undefined;
    const takes = gpu.weights + gpu.cache + gpu.state + gpu.output + gpu.compute.high;
    const options = memoryOptions({}, facts);
    delete options.contextLength;
    const pieces = new Pieces(signal);
    const cards: { card: number; words: string }[] = [];
    for (const card of isKnown ? LISTED_CARDS : []) {
      await pieces.rest();
      cards.push({ card, words: contextWords(this.gguf.largestContext({ ...options, bytes: card * GIB }), facts) });
    }
    return { kind: "cards", isKnown, takes, main: cpu.weights > 0 ? cpu.weights + cpu.output : 0, cards };
  }

  /** The ways to load the model on a machine, and the longest context of the best one. */
  async #askMachine(facts: ModelFacts, machine: Machine, signal: AbortSignal): Promise<Result> {
    const ways = await fitWays(this.gguf, facts, machine, this.#context(facts), signal);
    const best = ways && bestWay(ways);
    await pause();
    signal.throwIfAborted();
    return { kind: "machine", machine, ways, best, longest: best ? this.#longestWords(facts, best) : "" };
  }

  #context({ ownContext }: ModelFacts): number | undefined {
    return this.context ?? (ownContext === undefined ? undefined : Math.min(ownContext, FIRST_CONTEXT));
  }

  override render() {
    const facts = this.#facts;
    if (facts === undefined) return nothing;
    return html`<section aria-labelledby="title">
      <h3 id="title">Will it run?</h3>
      ${this.#renderAnswer(facts)} ${this.#renderMachine(facts)} ${this.#renderWays(facts)}
    </section>`;
  }

  /** The answer in one sentence. A model is not refused before a person has named a machine. */
  #renderAnswer(facts: ModelFacts) {
    const { result } = this;
    const context = this.#context(facts);
    const within = context === undefined ? "" : ` with a context of ${formatCount(context, "token")}`;
    if (result === undefined) return html`<p class="answer" role="status" aria-busy="true">The memory is computed…</p>`;
    return result.kind === "cards" ? renderCards(result, within) : this.#renderVerdict(result, within);
  }

  #renderVerdict({ machine, ways, best, longest }: Extract<Result, { kind: "machine" }>, within: string) {
    if (ways === undefined)
      return html`<p class="answer" role="status">
        Not known: llama.cpp's rules for this architecture are not known. The tensors take
        <strong>${formatBinaryBytes(this.gguf.tensors.reduce((sum, { byteLength = 0 }) => sum + byteLength, 0))}</strong
        >.
      </p>`;
    if (best === undefined) {
      const [least] = ways.toSorted((a, b) => excessOf(a) - excessOf(b));
      return html`<p class="answer no" role="status">
        ${icons.close}<span
          ><strong>No</strong>, not${within || " as it is"}. ${least ? missingWords(least) : ""} A smaller quantisation
          or a shorter context may fit.</span
        >
      </p>`;
    }
    const isWhole = best === ways[0];
    const onGpu = machine.gpu > 0 && (best.state.layers ?? 1) > 0;
    return html`<p class="answer yes" role="status">
      ${icons.check}<span
        ><strong>${isWhole || !onGpu ? "Yes" : "Yes, with changes"}</strong>${within}.
        ${isWhole && onGpu ? "" : `${best.title}. `}${takesWords(best.devices)} ${longest}</span
      >
    </p>`;
  }

  #renderMachine(facts: ModelFacts) {
    const { machine } = this;
    const { gpu, main, shared } = machine ?? { gpu: undefined, main: 32, shared: false };
    const context = this.#context(facts);
    const steps = contextSteps(facts).filter((step) => Math.log2(step) % 1 === 0 || step === facts.ownContext);
    if (context !== undefined && !steps.includes(context)) steps.push(context);
    const option = (size: number, chosen: number | undefined) =>
      html`<option value=${size} ?selected=${size === chosen}>
        ${size === 0 ? "No graphics card" : `${formatInteger(size)} GB`}
      </option>`;
    return html`<form class="machine" @change=${this.#onChoice} @submit=${(event: Event) => event.preventDefault()}>
      <div class="field">
        <label for="gpu">${shared ? "Memory" : "GPU memory"}</label>
        <select id="gpu" name="gpu">
          ${gpu === undefined ? html`<option value="" selected>Choose…</option>` : nothing}
          ${(shared ? SHARED_SIZES : GPU_SIZES).map((size) => option(size, gpu))}
        </select>
      </div>
      ${
        shared
          ? nothing
          : html`<div class="field">
              <label for="main">Main memory</label>
              <select id="main" name="main">
                ${MAIN_SIZES.map((size) => option(size, main))}
              </select>
            </div>`
      }
      <div class="field">
        <label for="context">Context</label>
        <select id="context" name="context">
          ${steps
            .sort((a, b) => a - b)
            .map(
              (step) =>
                html`<option value=${step} ?selected=${step === context}>${formatCount(step, "token")}</option>`,
            )}
        </select>
      </div>
      <label class="check"
        ><input type="checkbox" name="shared" .checked=${shared} /> GPU and CPU share one memory</label
      >
    </form>`;
  }

  /** The command, and the other ways with what they cost. */
  #renderWays(facts: ModelFacts) {
    const { result } = this;
    if (result?.kind !== "machine" || result.ways === undefined || result.ways.length === 0) return nothing;
    const { ways, best } = result;
    const shown = ways.find(({ title }) => title === this.chosen) ?? best;
    const command = shown && serverCommand(this.fileName, shown.state, facts);
    return html`${
        command === undefined || !facts.isLoadable
          ? nothing
          : html`<div class="command">
              <code>${renderText(command)}</code>
              <gguf-copy-button label="Copy the command" .text=${() => command}></gguf-copy-button>
            </div>`
      }
      <details ?open=${best !== ways[0]}>
        <summary>Make it fit</summary>
        <div class="scroll" role="region" aria-label="Ways to make it fit" tabindex="0">
          <table>
            <thead>
              <tr>
                <th scope="col">Way</th>
                <th scope="col">Takes</th>
                <th scope="col">Costs</th>
                <th scope="col">Fits</th>
              </tr>
            </thead>
            <tbody>
              ${ways.map(
                (way) =>
                  html`<tr class=${way === shown ? "chosen" : ""}>
                    <th scope="row">
                      <button
                        type="button"
                        class="way"
                        aria-pressed=${way === shown}
                        @click=${() => (this.chosen = way.title)}
                      >
                        ${way.title}
                      </button>
                    </th>
                    <td>${way.devices.map(({ name, total }) => html`<div>${name} ${formatRange(total)}</div>`)}</td>
                    <td>${way.cost}</td>
                    <td>${way.fits ? "yes" : "no"}${way === best ? html`, <strong>best</strong>` : nothing}</td>
                  </tr>`,
              )}
            </tbody>
          </table>
        </div>
      </details>`;
  }

  #longestWords(facts: ModelFacts, { state, devices }: FitWay): string {
    const found = this.#largest.of(this.gguf, memoryOptions(state, facts), devices, undefined);
    return typeof found === "number" ? `The longest context that fits: ${contextWords(found, facts, true)}.` : "";
  }

  readonly #onChoice = (event: Event) => {
    const form = event.currentTarget as HTMLFormElement;
    const field = (name: string) => Number((form.elements.namedItem(name) as HTMLSelectElement | null)?.value ?? "");
    const changed = (event.target as HTMLInputElement).name;
    if (changed === "context") this.context = field("context");
    else {
      const shared = (form.elements.namedItem("shared") as HTMLInputElement).checked;
      const sizes = shared ? SHARED_SIZES : GPU_SIZES;
      const asked = field("gpu");
      const isChosen = (form.elements.namedItem("gpu") as HTMLSelectElement).value !== "" || changed === "shared";
      const machine = {
        gpu: sizes.includes(asked) && (asked > 0 || !shared) ? asked : shared ? 16 : 8,
        main: field("main") || 32,
        shared,
      };
      if (!isChosen) return;
      this.machine = machine;
      storeMachine(machine);
    }
  };
}

/** What the model takes, and the longest context on common cards. */
function renderCards({ isKnown, takes, main, cards }: Extract<Result, { kind: "cards" }>, within: string) {
  return html`<p class="answer" role="status">
      It takes ${isKnown ? "" : "at least "}<strong>${formatBinaryBytes(takes)}</strong> of GPU
      memory${within}${main > 0 ? html`, and ${formatBinaryBytes(main)} of main memory` : nothing}.
    </p>
    ${
      isKnown
        ? html`<ul class="cards" aria-label="Longest context by GPU memory">
            ${cards.map(({ card, words }) => html`<li><span class="card">${card} GB</span> <span>${words}</span></li>`)}
          </ul>`
        : html`<p class="hint">Not all parts are known for this architecture.</p>`
    }`;
}

/** "131,072 tokens, all that it was trained for". */
function contextWords(longest: number | undefined, { ownContext }: ModelFacts, isShort = false): string {
  if (longest === undefined) return "does not fit";
  if (ownContext !== undefined && longest >= ownContext)
    return isShort ? `all ${formatCount(ownContext, "token")}` : `all ${formatInteger(ownContext)} tokens`;
  return isShort ? formatCount(longest, "token") : `up to ${formatCount(longest, "token")}`;
}

/** "It takes 4.5 GiB of 12.0 GiB GPU memory and 282 MiB of 32.0 GiB main memory." */
function takesWords(devices: readonly DeviceMemory[]): string {
  const words = devices
    .filter(({ total }) => total.high > 0)
    .map(({ name, total, capacity = 0 }) => {
      const place = name === "CPU" ? "main memory" : name === "GPU" ? "GPU memory" : "memory";
      return `${formatBinaryBytes(total.high)} of ${formatBinaryBytes(capacity)} ${place}`;
    });
  return words.length === 0 ? "" : `It takes up to ${words.join(" and ")}.`;
}

/** The bytes that a way takes more than the machine has. */
function excessOf({ devices }: FitWay): number {
  return devices.reduce((sum, { total, capacity = 0 }) => sum + Math.max(0, total.high - capacity), 0);
}

function missingWords({ title, devices }: FitWay): string {
  const over = devices.filter(({ total, capacity = 0 }) => total.high > capacity);
  const words = over.map(
    ({ name, total, capacity = 0 }) =>
      `${formatBinaryBytes(total.high)} of ${formatBinaryBytes(capacity)} ${name === "CPU" ? "main memory" : "GPU memory"}`,
  );
  return `The nearest: ${title.charAt(0).toLowerCase()}${title.slice(1)}, which takes ${words.join(" and ")}.`;
}

define("gguf-will-it-run", GgufWillItRun);
