import type { Gguf } from "gguf-wasm/explain";
import { html, LitElement, nothing, type PropertyValues } from "lit";
import { property, state } from "lit/decorators.js";
import { live } from "lit/directives/live.js";
import type { HubFile } from "../../gguf/repository-place.ts";
import { serverCommand } from "../../memory/command.ts";
import "../../memory/card-fields.ts";
import { type Fit, findFit, type FitWay } from "../../memory/fit.ts";
import {
  chooseMachine,
  type Machine,
  MAIN_SIZES,
  USUAL_MAIN,
  withContext,
  withoutGiven,
  withShared,
} from "../../memory/machine.ts";
import { withoutDefaults } from "../../memory/memory-state.ts";
import { RESERVE_RULE } from "../../memory/room.ts";
import { contextOf, contextSteps, isBeyond, modelFacts, type ModelFacts } from "../../memory/settings.ts";
import "../../repository/fitting-sibling.ts";
import { renderWays, waysStyles } from "../../memory/ways-table.ts";
import { Answer } from "../../ui/answer.ts";
import "../../ui/copy-button.ts";
import { define } from "../../ui/define.ts";
import { icons } from "../../ui/icons.ts";
import { formatCount, formatInteger } from "../../ui/numbers.ts";
import { renderText } from "../../ui/render-text.ts";
import { baseStyles } from "../../ui/styles.ts";
import { fieldStyles } from "../../ui/styles/fields.ts";
import { linkButtonStyles } from "../../ui/styles/link-button.ts";
import { plainTableStyles } from "../../ui/styles/tables.ts";
import { memorySource } from "../../worker/file-memory.ts";
import "./speed.ts";
import { type Cards, findCards, renderCards, renderVerdict, withinWords } from "./verdict.ts";
import { willItRunStyles } from "./will-it-run-styles.ts";

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

/** Whether a model runs on the user's machine, with the command that starts it. */
export class GgufWillItRun extends LitElement {
  @property({ attribute: false }) gguf!: Gguf;
  @property({ attribute: false }) fileName = "";
  /** The machine for which the answer is. */
  @property({ attribute: false }) machine: Machine = {};
  /** Whether llama.cpp refuses the file, on any machine. */
  @property({ type: Boolean }) refused = false;
  /** The file as one of a repository on Hugging Face. */
  @property({ attribute: false }) hubFile: HubFile | undefined;
  /** The title of the way that a person has chosen. Undefined: the best one. */
  @state() private chosen: string | undefined;

  #facts: ModelFacts | undefined;
  readonly #answer = new Answer<Result>(this);

  static override styles = [baseStyles, fieldStyles, linkButtonStyles, plainTableStyles, waysStyles, willItRunStyles];

  override willUpdate(changed: PropertyValues): void {
    if (changed.has("gguf")) {
      this.#facts = modelFacts(this.gguf);
      this.#answer.clear();
    }
    if (this.#facts && this.#ask(this.#facts)) this.chosen = undefined;
  }

  /** Asks for the answer. The answer before stays until then. Returns whether the question is a new one. */
  #ask(facts: ModelFacts): boolean {
    const { gguf, machine } = this;
    const { cards, main, shared } = machine;
    const context = contextOf(machine, facts);
    // A bandwidth changes nothing in what fits.
    return this.#answer.ask([gguf, JSON.stringify([context, cards, main, shared])], async (signal) => {
      const source = memorySource(gguf, signal);
      if (cards === undefined) return { kind: "cards", context, cards: await findCards(source, facts, context) };
      return { kind: "machine", context, machine, fit: await findFit(source, facts, machine) };
    });
  }

  override render() {
    const facts = this.#facts;
    if (facts === undefined) return nothing;
    const result = this.#answer.found?.value;
    return html`<section aria-labelledby="title" aria-busy=${this.#answer.isBusy}>
      <h3 id="title">Will it run?</h3>
      ${this.refused ? this.#renderRefusal() : nothing} ${this.#renderAnswer(facts, result)}
      ${this.#renderMachine(facts)} ${this.#renderWays(facts, result)}
    </section>`;
  }

  /** The answer in one sentence. A model is not refused before a person has named a machine. */
  #renderAnswer(facts: ModelFacts, result: Result | undefined) {
    if (result === undefined) return html`<p class="answer" role="status">The memory is computed…</p>`;
    const { context } = result;
    const within = withinWords(context, facts);
    if (result.kind === "cards") return renderCards(result.cards, within, this.#chooseCard);
    // A file that runs with changes only is too large for the cards, too.
    const isTooLarge = result.fit !== undefined && !(result.fit.ways[0]?.isFree ?? false);
    return html`${renderVerdict(result.fit, this.gguf, facts, within, this.refused)}
    ${
      isTooLarge && this.hubFile
        ? html`<gguf-fitting-sibling .file=${this.hubFile} .machine=${result.machine}></gguf-fitting-sibling>`
        : nothing
    }`;
  }

  #renderRefusal() {
    const show = () =>
      this.dispatchEvent(new CustomEvent("gguf-show-panel", { detail: "checks", bubbles: true, composed: true }));
    return html`<p class="refusal" role="status">
      ${icons.error}<span
        ><strong>No</strong>, llama.cpp does not load this file.
        <button type="button" class="link" @click=${show}>See why</button></span
      >
    </p>`;
  }

  #renderMachine(facts: ModelFacts) {
    const { machine } = this;
    const { main = USUAL_MAIN, shared = false } = machine;
    const context = contextOf(machine, facts);
    const steps = contextSteps(facts).filter((step) => Math.log2(step) % 1 === 0 || step === facts.ownContext);
    if (context !== undefined && !steps.includes(context)) steps.push(context);
    return html`<form class="machine" @change=${this.#onChoice} @submit=${(event: Event) => event.preventDefault()}>
      <gguf-card-fields class="field" .machine=${machine}></gguf-card-fields>
      ${
        shared
          ? nothing
          : html`<div class="field">
              <label for="main">Main memory</label>
              <select id="main" name="main">
                ${MAIN_SIZES.map((size) => html`<option value=${size} .selected=${live(size === main)}>${formatInteger(size)} GB</option>`)}
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
                html`<option value=${step} .selected=${live(step === context)}>
                  ${formatCount(step, "token")}${isBeyond(step, facts) ? ", longer than trained" : nothing}
                </option>`,
            )}
        </select>
      </div>
      <label class="check"
        ><input type="checkbox" name="shared" .checked=${live(shared)} /> GPU and CPU share one memory</label
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
        ${result.machine.cards?.length === 0 ? nothing : html`<p class="hint">${RESERVE_RULE}</p>`}
      </details>
      ${
        shown.bytesPerToken === undefined
          ? nothing
          : html`<gguf-speed
              .machine=${this.machine}
              .bytes=${shown.bytesPerToken}
              @gguf-bandwidth=${({ detail }: CustomEvent<Partial<Machine>>) => this.#setBandwidth(detail)}
            ></gguf-speed>`
      }
      <button type="button" class="quiet to-memory" @click=${() => this.#showMemory(shown, facts)}>
        All settings in Memory
      </button>`;
  }

  /** Shows the panel of the memory with the settings of a way. A way with a shorter context changes the one that the person wants. */
  #showMemory({ state, hasContext }: FitWay, { ownContext }: ModelFacts): void {
    if (!hasContext) chooseMachine(withContext(this.machine, state.context, ownContext));
    const detail = withoutDefaults(withoutGiven(state));
    this.dispatchEvent(new CustomEvent("gguf-show-memory", { detail, bubbles: true, composed: true }));
  }

  #setBandwidth(change: Partial<Machine>): void {
    chooseMachine({ ...this.machine, ...change });
  }

  /** Its button goes away with the list, so the focus goes to the field that now says the same. */
  readonly #chooseCard = (card: number) => {
    chooseMachine({ ...this.machine, cards: [card] });
    this.renderRoot.querySelector<HTMLElement>("gguf-card-fields")?.focus();
  };

  readonly #onChoice = (event: Event) => {
    const { name, value, checked } = event.target as HTMLSelectElement & HTMLInputElement;
    const { machine } = this;
    if (name === "context") chooseMachine(withContext(machine, Number(value), this.#facts?.ownContext));
    else if (name === "main") chooseMachine({ ...machine, main: Number(value) });
    else if (name === "shared") chooseMachine(withShared(machine, checked));
  };
}

define("gguf-will-it-run", GgufWillItRun);
