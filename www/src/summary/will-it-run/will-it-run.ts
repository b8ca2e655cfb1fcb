import type { Gguf } from "gguf-wasm/explain";
import { html, LitElement, nothing, type PropertyValues } from "lit";
import { property, state } from "lit/decorators.js";
import { serverCommand } from "../../memory/command.ts";
import { type Fit, findFit, type FitWay, type Room } from "../../memory/fit.ts";
import {
  GPU_SIZES,
  type Machine,
  MAIN_SIZES,
  readMachine,
  RESERVE,
  SHARED_SIZES,
  storeMachine,
  USUAL_MAIN,
} from "../../memory/machine.ts";
import { DEFAULTS, type MemoryState, withoutDefaults } from "../../memory/memory-state.ts";
import { contextSteps, modelFacts, type ModelFacts } from "../../memory/settings.ts";
import { renderWays, waysStyles } from "../../memory/ways-table.ts";
import { Answer } from "../../ui/answer.ts";
import "../../ui/copy-button.ts";
import { define } from "../../ui/define.ts";
import { formatCount, formatInteger } from "../../ui/numbers.ts";
import { renderText } from "../../ui/render-text.ts";
import { baseStyles } from "../../ui/styles.ts";
import { fieldStyles } from "../../ui/styles/fields.ts";
import { plainTableStyles } from "../../ui/styles/tables.ts";
import { memorySource } from "../../worker/file-memory.ts";
import "./speed.ts";
import { type Cards, findCards, renderCards, renderVerdict } from "./verdict.ts";
import { willItRunStyles } from "./will-it-run-styles.ts";

/** The context that is asked for at first, in tokens: that of a long conversation. */
const FIRST_CONTEXT = 8192;

/** An answer: what the model takes, or the ways to load it on the chosen machine. */
type Result = {
  /** The context that it is for. */
  readonly context: number | undefined;
} & (
  | { readonly kind: "cards"; readonly cards: Cards }
  | {
      readonly kind: "machine";
      readonly machine: Machine;
      /** Undefined if a part of the memory is not known. */
      readonly fit: Fit | undefined;
    }
);

/** A machine with the main memory that a person has chosen, or the usual one. */
function withMain(machine: Machine): Room {
  return { ...machine, main: machine.main ?? USUAL_MAIN };
}

/** Whether a model runs on the user's machine, with the command that starts it. */
export class GgufWillItRun extends LitElement {
  @property({ attribute: false }) gguf!: Gguf;
  @property({ attribute: false }) fileName = "";
  /** Undefined until a person has chosen one. */
  @state() private machine: Machine | undefined = readMachine();
  /** The context in tokens. Undefined: that of a long conversation, or the longest of the model. */
  @state() private context: number | undefined;
  /** The title of the way that a person has chosen. Undefined: the best one. */
  @state() private chosen: string | undefined;

  #facts: ModelFacts | undefined;
  readonly #answer = new Answer<Result>(this);

  static override styles = [baseStyles, fieldStyles, plainTableStyles, waysStyles, willItRunStyles];

  override willUpdate(changed: PropertyValues): void {
    if (changed.has("gguf")) {
      this.#facts = modelFacts(this.gguf);
      this.#answer.clear();
      this.context = undefined;
    }
    if (this.#facts && this.#ask(this.#facts)) this.chosen = undefined;
  }

  /** Asks for the answer. The answer before stays until then. Returns whether the question is a new one. */
  #ask(facts: ModelFacts): boolean {
    const { gguf, machine } = this;
    const context = this.#context(facts);
    // A bandwidth changes nothing in what fits.
    const question = [gguf, context, machine?.gpu, machine?.main, machine?.shared];
    return this.#answer.ask(question, async (signal) => {
      const source = memorySource(gguf, signal);
      if (machine === undefined) return { kind: "cards", context, cards: await findCards(source, facts, context) };
      const base: MemoryState = { context, ...(machine.shared ? { shared: true } : {}) };
      return { kind: "machine", context, machine, fit: await findFit(source, facts, withMain(machine), base) };
    });
  }

  #context({ ownContext }: ModelFacts): number | undefined {
    return this.context ?? (ownContext === undefined ? undefined : Math.min(ownContext, FIRST_CONTEXT));
  }

  override render() {
    const facts = this.#facts;
    if (facts === undefined) return nothing;
    const result = this.#answer.found?.value;
    return html`<section aria-labelledby="title" aria-busy=${this.#answer.isBusy}>
      <h3 id="title">Will it run?</h3>
      ${this.#renderAnswer(facts, result)} ${this.#renderMachine(facts)} ${this.#renderWays(facts, result)}
    </section>`;
  }

  /** The answer in one sentence. A model is not refused before a person has named a machine. */
  #renderAnswer(facts: ModelFacts, result: Result | undefined) {
    if (result === undefined) return html`<p class="answer" role="status">The memory is computed…</p>`;
    const { context } = result;
    const within = context === undefined ? "" : ` with a context of ${formatCount(context, "token")}`;
    return result.kind === "cards"
      ? renderCards(result.cards, within)
      : renderVerdict(result.fit, this.gguf, facts, within);
  }

  #renderMachine(facts: ModelFacts) {
    const { machine } = this;
    const { gpu, main = USUAL_MAIN, shared = false } = machine ?? {};
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

  /** The command, its speed, and the other ways with what they cost. */
  #renderWays(facts: ModelFacts, result: Result | undefined) {
    const [best] = (result?.kind === "machine" && result.fit?.ways) || [];
    if (result?.kind !== "machine" || result.fit === undefined || best === undefined) return nothing;
    const { ways } = result.fit;
    const shown = ways.find(({ title }) => title === this.chosen) ?? best;
    const command = serverCommand(this.fileName, shown.state, facts);
    return html`${
        facts.isLoadable
          ? html`<div class="command">
              <code
                >${command.split(/ (?=-)/).map((option, at) => [at > 0 ? " " : "", html`<span>${renderText(option)}</span>`])}</code
              >
              <gguf-copy-button label="Copy the command" .text=${() => command}></gguf-copy-button>
            </div>`
          : nothing
      }
      <details ?open=${!best.isFree}>
        <summary>Make it fit</summary>
        ${renderWays(ways, shown, ({ title }) => (this.chosen = title))}
        ${result.machine.gpu > 0 ? html`<p class="hint">${RESERVE} GiB is left free, as llama.cpp does it.</p>` : nothing}
      </details>
      ${
        shown.bytesPerToken === undefined
          ? nothing
          : html`<gguf-speed
              .machine=${this.machine ?? result.machine}
              .bytes=${shown.bytesPerToken}
              @gguf-bandwidth=${({ detail }: CustomEvent<Partial<Machine>>) => this.#setBandwidth(detail)}
            ></gguf-speed>`
      }
      <button type="button" class="quiet to-memory" @click=${() => this.#showMemory(shown, result.machine)}>
        All settings in Memory
      </button>`;
  }

  /** Shows the panel of the memory with the settings of a way. */
  #showMemory({ state }: FitWay, { gpu }: Machine): void {
    const detail = withoutDefaults({ ...state, card: gpu > 0 ? gpu : DEFAULTS.card });
    this.dispatchEvent(new CustomEvent("gguf-show-memory", { detail, bubbles: true, composed: true }));
  }

  #setBandwidth(change: Partial<Machine>): void {
    const { machine } = this;
    if (machine === undefined) return;
    this.#setMachine({ ...machine, ...change });
  }

  #setMachine(machine: Machine): void {
    this.machine = machine;
    storeMachine(machine);
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
      const main = field("main");
      const isMainChosen = changed === "main" || (main > 0 && main !== (this.machine?.main ?? USUAL_MAIN));
      const isChosen = (form.elements.namedItem("gpu") as HTMLSelectElement).value !== "" || changed === "shared";
      const machine = {
        gpu: sizes.includes(asked) && (asked > 0 || !shared) ? asked : shared ? 16 : 8,
        main: isMainChosen ? main : this.machine?.main,
        shared,
        // Another memory has another bandwidth.
        gpuRate: changed === "main" ? this.machine?.gpuRate : undefined,
        mainRate: this.machine?.mainRate,
      };
      if (isChosen) this.#setMachine(machine);
    }
  };
}

define("gguf-will-it-run", GgufWillItRun);
