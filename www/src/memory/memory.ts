import type { Gguf, MemoryEstimate } from "gguf-wasm/explain";
import { html, LitElement, nothing, type PropertyValues } from "lit";
import { property, state } from "lit/decorators.js";
import { failureOf } from "../gguf/failure.ts";
import { freeFile } from "../gguf/taken-over.ts";
import { announce } from "../ui/announce.ts";
import { Answer } from "../ui/answer.ts";
import "../ui/copy-button.ts";
import { define } from "../ui/define.ts";
import { icons } from "../ui/icons.ts";
import { formatCount, formatInteger } from "../ui/numbers.ts";
import { renderText } from "../ui/render-text.ts";
import { StateReporter } from "../ui/state-reporter.ts";
import { baseStyles } from "../ui/styles.ts";
import { memorySource } from "../worker/file-memory.ts";
import { isPlainName, serverCommand } from "./command.ts";
import { renderDevices } from "./device-bar.ts";
import { deviceMemories, type DeviceMemory, type Part, unknownParts, verdictOf } from "./devices.ts";
import { renderLayers } from "./layer-table.ts";
import { type Fit, findFit } from "./fit.ts";
import { renderFit } from "./fit-section.ts";
import { layerMemories } from "./layers.ts";
import { type Largest, largestContext } from "./largest-context.ts";
import { renderLargest } from "./largest-section.ts";
import "./memory-choices.ts";
import { secondEstimate, type SecondFile, secondText } from "./second-file.ts";
import "./second-file-field.ts";
import { chooseMachine, givenOf, type Machine, withContext, withoutGiven } from "./machine.ts";
import { DEFAULTS, type MemoryState, withoutDefaults } from "./memory-state.ts";
import { memoryStyles } from "./memory-styles.ts";
import { renderParts } from "./parts-table.ts";
import { waysStyles } from "./ways-table.ts";
import { cpuExperts, gpuLayers, loadState, memoryOptions, modelFacts, type ModelFacts } from "./settings.ts";

/** How long the choices must rest before the result is announced, in milliseconds. A slider passes many values. */
const ANNOUNCE_AFTER = 600;

/** An estimate for the choices. */
interface Figures {
  readonly estimate: MemoryEstimate;
  readonly devices: readonly DeviceMemory[];
  readonly unknown: readonly Part[];
  /** The estimate of the second file. */
  readonly beside: MemoryEstimate | undefined;
}

/** An estimate, or why llama.cpp refuses the choices. */
type Result = Figures | { readonly refusal: string };

/** The memory that llama.cpp takes for the model: choices, the parts on each device, and the longest context that fits. */
export class GgufMemoryPanel extends LitElement {
  @property({ attribute: false }) gguf!: Gguf;
  @property({ attribute: false }) fileName = "";
  /** The machine for which everything is computed. */
  @property({ attribute: false }) machine: Machine = {};
  /** The choices. Changes are reported with the event `gguf-table`. */
  @property({ attribute: false }) panelState: MemoryState | undefined;
  /** Whether the file is being edited. */
  @property({ type: Boolean }) edited = false;
  /** Whether the panel is visible. Nothing is computed before. */
  @property({ type: Boolean }) shown = false;
  /** The choices for this model. The context and the memory are those of the machine. */
  @state() private choices: MemoryState = {};
  /** The file that is loaded beside the model. */
  @state() private second: SecondFile | undefined;
  /** Whether the table by layer is open. */
  @state() private showsLayers = false;
  /** Whether the ways to make the model fit are open. */
  @state() private showsWays = false;

  #facts: ModelFacts | undefined;
  #result: Result | undefined;
  readonly #largest = new Answer<Largest>(this);
  /** The ways to make the model fit. */
  readonly #fit = new Answer<Fit | undefined>(this);
  readonly #reporter = new StateReporter<MemoryState>(this, (state) => ({ memory: state }));
  #announcing: ReturnType<typeof setTimeout> | undefined;

  static override styles = [baseStyles, memoryStyles, waysStyles];

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#announcing);
    this.#close();
  }

  override willUpdate(changed: PropertyValues): void {
    if (changed.has("gguf")) {
      this.#facts = undefined;
      this.#result = undefined;
      this.#forget();
    }
    if (changed.has("panelState")) {
      const state = withoutDefaults(this.panelState ?? {});
      if (this.#reporter.adopts(state)) this.choices = withoutGiven(state);
    }
    // A local file is not in the address, so it stays only beside the same model.
    const isOtherModel = changed.has("gguf") && changed.has("fileName") && this.second?.address === undefined;
    if (isOtherModel || this.second?.address !== this.choices.second) this.#close();
    if (changed.has("choices") || changed.has("second") || changed.has("machine")) this.#result = undefined;
    if (changed.has("machine") && this.hasUpdated && this.shown) this.#announceSoon();
    if (!this.shown) return;
    this.#facts ??= modelFacts(this.gguf);
    this.#result ??= this.#compute(this.#facts);
    if ("refusal" in this.#result) this.#forget();
    else this.#search(this.#facts, this.#result);
  }

  override updated(): void {
    // What a link says of the machine stays in it until the person chooses another one.
    this.#reporter.report(withoutDefaults({ ...this.choices, ...givenOf(this.panelState) }));
  }

  /** How the model is loaded on the machine. */
  #loadState(facts: ModelFacts): MemoryState {
    return loadState(this.choices, this.machine, facts);
  }

  #compute(facts: ModelFacts): Result {
    const { second, machine } = this;
    try {
      const options = memoryOptions(this.#loadState(facts), facts);
      const beside = second && secondEstimate(second, options);
      const estimate = this.gguf.memory(beside ? { ...options, beside: [beside] } : options);
      const devices = deviceMemories(estimate, machine);
      return { estimate, devices, unknown: unknownParts(estimate), beside };
    } catch (error) {
      const { code, message } = failureOf(error);
      if (code !== "invalid-argument") throw error;
      return { refusal: message };
    }
  }

  /** Searches what takes longer. The search for the ways to make the model fit begins when a person asks for them. */
  #search(facts: ModelFacts, { beside }: Figures): void {
    const { gguf, choices, second, machine } = this;
    const options = memoryOptions(this.#loadState(facts), facts);
    // The largest context does not depend on the chosen one, so moving that slider searches nothing.
    const { contextLength, ...others } = options;
    const { cards, main, shared } = machine;
    const room = [cards, main, shared];
    this.#largest.ask([gguf, second, JSON.stringify([others, room])], (signal) =>
      largestContext(gguf, memorySource(gguf, signal), options, machine, second),
    );
    if (!this.showsWays || cards === undefined) return;
    this.#fit.ask([gguf, second, JSON.stringify([choices, contextLength, room])], (signal) =>
      findFit(memorySource(gguf, signal), facts, machine, choices, beside && [beside]),
    );
  }

  /** Forgets what was searched. */
  #forget(): void {
    this.#largest.clear();
    this.#fit.clear();
  }

  override render() {
    const [facts, result] = [this.#facts, this.#result];
    if (facts === undefined || result === undefined) return nothing;
    return html`<div class="panel">
      <section class="overview" aria-labelledby="overview">
        ${
          this.edited
            ? html`<p class="about">${icons.info}These are the figures of the stored file, without the changes.</p>`
            : nothing
        }
        <h3 id="overview">Memory</h3>
        ${
          "refusal" in result
            ? html`<p class="hint">There are no figures, because llama.cpp refuses the settings.</p>`
            : renderDevices(result.devices, result.unknown)
        }
      </section>
      <section class="settings" aria-labelledby="settings">
        <h3 id="settings">Settings</h3>
        <gguf-memory-choices
          .choices=${this.#loadState(facts)}
          .machine=${this.machine}
          .facts=${facts}
          .refusal=${"refusal" in result ? result.refusal : ""}
          @gguf-memory-choice=${({ detail }: CustomEvent<Partial<MemoryState>>) => this.#choose(detail)}
        ></gguf-memory-choices>
        <gguf-second-file
          .model=${this.gguf}
          .address=${this.choices.second}
          .file=${this.second}
          .about=${this.second && "beside" in result && result.beside ? secondText(this.second, result.beside) : ""}
          @gguf-second-file=${({ detail }: CustomEvent<SecondFile | null>) => this.#setSecond(detail ?? undefined)}
        ></gguf-second-file>
      </section>
      ${
        "refusal" in result
          ? nothing
          : html`<div class="results">
              ${this.#renderParts(result)} ${this.#renderLargest(facts, result)} ${this.#renderFit(facts)}
              ${this.#renderCommand(facts)} ${this.#renderDetails(facts, result.estimate)}
            </div>`
      }
    </div>`;
  }

  #renderParts({ estimate, devices, unknown, beside }: Figures) {
    const { contextLength } = estimate;
    const notes = [...estimate.notes, ...(beside?.notes ?? []).map((note) => `Second file: ${note}`)];
    return html`<section aria-labelledby="parts">
      <h3 id="parts">Parts</h3>
      ${notes.map((note) => html`<p class="note">${icons.info}<span>${renderText(note, { limit: 600 })}</span></p>`)}
      ${renderParts(devices, unknown)}
      <p class="hint">
        ${contextLength === undefined ? nothing : this.#contextText(contextLength)}
        ${
          estimate.weights?.layerBytes.length === 0
            ? "The size of the tensors is exact. On which device llama.cpp would place them is not known."
            : unknown.includes("compute")
              ? "These figures are exact."
              : "Compute buffers are a range, for a CPU. All other figures are exact."
        }
        Other programs, the driver and the screen take memory, too.
      </p>
    </section>`;
  }

  /** The context as llama.cpp rounds it. */
  #contextText(contextLength: number): string {
    const { sequences = DEFAULTS.sequences, unified } = this.choices;
    const total = `Context: ${formatCount(contextLength, "token")}`;
    if (sequences === 1) return `${total}.`;
    return unified
      ? `${total}, shared by ${formatInteger(sequences)} sequences.`
      : `${total}, ${formatInteger(contextLength / sequences)} for each of ${formatInteger(sequences)} sequences.`;
  }

  #renderLargest(facts: ModelFacts, { estimate }: Figures) {
    const { found, isBusy } = this.#largest;
    return html`<section aria-labelledby="largest" aria-busy=${isBusy}>
      <h3 id="largest">Largest context</h3>
      ${
        found
          ? renderLargest({
              largest: found.value,
              isBusy,
              caches: estimate.caches,
              facts,
              machine: this.machine,
              context: this.#loadState(facts).context,
              choose: (context) => this.#setContext(context),
            })
          : html`<p class="hint">It is computed…</p>`
      }
    </section>`;
  }

  /** The ways to load the model on the card with the chosen context. */
  #renderFit(facts: ModelFacts) {
    if (facts.layerCount === 0) return nothing;
    return html`<details ?open=${this.showsWays} aria-busy=${this.#fit.isBusy} @toggle=${this.#onWays}>
      <summary>Make it fit</summary>
      ${this.showsWays ? this.#renderWays(facts) : nothing}
    </details>`;
  }

  #renderWays(facts: ModelFacts) {
    if (this.machine.cards === undefined)
      return html`<p class="hint">Choose your GPU memory, and they are computed.</p>`;
    const { found } = this.#fit;
    if (found === undefined) return html`<p class="hint">They are computed…</p>`;
    return renderFit(found.value, this.#loadState(facts), ({ context, ...change }) => {
      this.#choose(change);
      if (context !== undefined) this.#setContext(context);
    });
  }

  readonly #onWays = (event: Event) => {
    this.showsWays = (event.target as HTMLDetailsElement).open;
  };

  #renderCommand(facts: ModelFacts) {
    if (!facts.isLoadable) return nothing;
    const command = serverCommand(this.fileName, this.#loadState(facts), facts, this.second);
    return html`<section aria-labelledby="command">
      <h3 id="command">Command</h3>
      <div class="command">
        <code>${renderText(command)}</code>
        <gguf-copy-button label="Copy the command" .text=${() => command}></gguf-copy-button>
      </div>
      ${
        [this.fileName, this.second?.name ?? ""].some((name) => name !== "" && !isPlainName(name))
          ? html`<p class="hint">
              A file name with invisible characters is not in the command: put the name in yourself.
            </p>`
          : nothing
      }
      <p class="hint">
        Without these options, llama-server has 4 slots that share one cache (<code>-np 4 --kv-unified</code>), and
        chooses the layers on the GPU and the context by the free memory.
      </p>
    </section>`;
  }

  #renderDetails(facts: ModelFacts, estimate: MemoryEstimate) {
    const state = this.#loadState(facts);
    const layers = () => layerMemories(estimate, gpuLayers(state, facts), cpuExperts(state, facts));
    const alone = this.second === undefined ? nothing : html`<p class="hint">Without the second file.</p>`;
    return html`<div class="more">
      ${
        facts.layerCount === 0
          ? nothing
          : html`<details ?open=${this.showsLayers} @toggle=${this.#onLayers}>
              <summary>Memory by layer</summary>
              ${alone} ${this.showsLayers ? renderLayers(layers()) : nothing}
            </details>`
      }
      ${
        estimate.formulas.length === 0
          ? nothing
          : html`<details>
              <summary>Formulas</summary>
              ${alone}
              <dl class="formulas">
                ${estimate.formulas.map(
                  ({ part, formula, bytes }) =>
                    html`<div>
                      <dt>${part}</dt>
                      <dd>${formula} <span class="equals">= ${formatCount(bytes, "byte")}</span></dd>
                    </div>`,
                )}
              </dl>
            </details>`
      }
    </div>`;
  }

  readonly #onLayers = (event: Event) => {
    this.showsLayers = (event.target as HTMLDetailsElement).open;
  };

  #setSecond(second: SecondFile | undefined): void {
    this.#close();
    this.second = second;
    this.#choose({ second: second?.address });
  }

  #close(): void {
    if (this.second === undefined) return;
    // A search reads the second file.
    this.#forget();
    freeFile(this.second.gguf);
    this.second = undefined;
  }

  #choose(change: Partial<MemoryState>): void {
    this.choices = { ...this.choices, ...change };
    this.#announceSoon();
  }

  #setContext(context: number): void {
    chooseMachine(withContext(this.machine, context, this.#facts?.ownContext));
  }

  #announceSoon(): void {
    clearTimeout(this.#announcing);
    this.#announcing = setTimeout(this.#announce, ANNOUNCE_AFTER);
  }

  readonly #announce = () => {
    const result = this.#result;
    // A refusal is an alert already.
    if (result === undefined || "refusal" in result) return;
    announce(
      this,
      result.devices.map((device) => `${device.name}: ${verdictOf(device, result.unknown).text}`).join(" "),
    );
  };
}

define("gguf-memory-panel", GgufMemoryPanel);
