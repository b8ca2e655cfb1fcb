import type { HashAlgorithm } from "gguf-wasm/full";
import { html, LitElement, nothing, type PropertyValues } from "lit";
import { property, state } from "lit/decorators.js";
import { errorText, refusalText } from "../gguf/error-texts.ts";
import { failureOf } from "../gguf/failure.ts";
import { loadFull } from "../gguf/full.ts";
import type { OpenedModel } from "../gguf/opened-model.ts";
import { shardTitle } from "../gguf/shard-set.ts";
import { announce } from "../ui/announce.ts";
import { chooseFile } from "../ui/choose-file.ts";
import { define } from "../ui/define.ts";
import { icons } from "../ui/icons.ts";
import { ElementTask } from "../ui/long-task.ts";
import { panelBoxStyles, sectionStyles } from "../ui/panel-styles.ts";
import { renderText } from "../ui/render-text.ts";
import { baseStyles } from "../ui/styles.ts";
import { renderTaskProgress, taskStyles } from "../ui/task-progress.ts";
import { ALGORITHM_TITLES, ALGORITHMS } from "./algorithms.ts";
import { compare, type Comparison, nothingToCompare } from "./comparison.ts";
import { renderComparison } from "./comparison-result.ts";
import { covers, type Expected, hashRequest, parseExpected } from "./expected.ts";
import "./hash-results.ts";
import { hashStyles } from "./hash-styles.ts";
import { hubHashes, isOnHub } from "./hub-hashes.ts";
import { computeHashes, manifestName, type ModelHashes } from "./model-hashes.ts";

/** The largest manifest that is read, in bytes. The package has the same limit. */
const MAX_MANIFEST = 16 * 2 ** 20;

/** The hashes of a model: computes them, and compares them with what a person expects. */
export class GgufHash extends LitElement {
  @property({ attribute: false }) model!: OpenedModel;
  @property() fileName = "";
  /** The address that was opened. Undefined for other sources. */
  @property({ attribute: false }) address: string | undefined;
  /** HTTP headers for the origin of the address. */
  @property({ attribute: false }) headers: HeadersInit | undefined;
  /** Whether the file is being edited. */
  @property({ type: Boolean }) edited = false;
  /** The hashes of the tensor data that are computed. */
  @state() private chosen: ReadonlySet<HashAlgorithm> = new Set();
  /** Whether whole files are hashed. Hugging Face states this hash, so it is what people compare. */
  @state() private hashesFile = true;
  /** Whether the module loads that reads a typed text. */
  @state() private isLoading = false;
  /** The text of the field with the expected hash. */
  @state() private text = "";
  @state() private computed: ModelHashes | undefined;
  @state() private comparison: Comparison | undefined;
  /** Why nothing can be computed or compared. */
  @state() private problem = "";

  /** The finished hashes of a set while others are computed. */
  #part: ModelHashes | undefined;
  readonly #hashing = new ElementTask<ModelHashes>(this);

  constructor() {
    super();
    this.addEventListener("dragover", this.#onDragOver);
    this.addEventListener("drop", this.#onDrop);
  }

  static override styles = [baseStyles, sectionStyles, panelBoxStyles, taskStyles, hashStyles];

  override willUpdate(changed: PropertyValues): void {
    if (!changed.has("model")) return;
    this.#hashing.reset();
    this.text = "";
    this.computed = undefined;
    this.comparison = undefined;
    this.problem = "";
    if (!this.model.stored) return;
    this.chosen = new Set();
    this.hashesFile = true;
  }

  override render() {
    const { set } = this.model;
    return html`${
      this.edited
        ? html`<p class="about">${icons.info}This panel works with the stored file, without the changes.</p>`
        : nothing
    }
    ${
      set && !set.isComplete
        ? html`<p class="about">
            ${icons.warning}Not all shards could be opened. Only the tensors of the open shards are hashed.
          </p>`
        : nothing
    }
    ${this.#renderCompute()} ${this.#renderCompare()}`;
  }

  #renderCompute() {
    const { isRunning } = this.#hashing;
    const { set, stored } = this.model;
    const isNothing = this.chosen.size === 0 && !this.hashesFile;
    const check = (isChecked: boolean, label: string, change: (isChecked: boolean) => void) =>
      html`<label class="check"
        ><input
          type="checkbox"
          .checked=${isChecked}
          ?disabled=${isRunning}
          @change=${(event: Event) => change((event.target as HTMLInputElement).checked)}
        /><span>${label}</span></label
      >`;
    return html`<section aria-labelledby="compute">
      <h3 id="compute">Compute hashes</h3>
      <p class="hint">
        Computing reads the whole ${set ? "model" : "file"}${this.#isRemote ? ", so it is downloaded" : ""}.
        ${
          stored
            ? "Hashes of tensor data exist for GGUF files only."
            : "Hashes of tensor data are those of llama-gguf-hash: they stay the same when only metadata changes."
        }
      </p>
      <fieldset>
        <legend>Hash of ${set ? "each shard" : stored && stored.length > 1 ? "each file" : "the file"}</legend>
        ${check(this.hashesFile, "Whole file, SHA-256 (as on Hugging Face)", (isChecked) => {
          this.hashesFile = isChecked;
        })}
      </fieldset>
      ${
        stored
          ? nothing
          : html`<fieldset>
              <legend>Hashes of the tensor data</legend>
              <div class="algorithms">
                ${ALGORITHMS.map((algorithm) =>
                  check(this.chosen.has(algorithm), ALGORITHM_TITLES[algorithm], (isChecked) =>
                    this.#toggle(algorithm, isChecked),
                  ),
                )}
              </div>
            </fieldset>`
      }
      <div class="buttons">
        <button type="button" class="primary" aria-disabled=${isNothing || isRunning} @click=${this.#compute}>
          Compute
        </button>
      </div>
      ${renderTaskProgress(this.#hashing, "Bytes hashed")} ${this.#renderProblem()}
      ${this.computed ? html`<gguf-hash-results .computed=${this.computed}></gguf-hash-results>` : nothing}
    </section>`;
  }

  #renderProblem() {
    const { state } = this.#hashing;
    if (state.name !== "failed") return nothing;
    if (state.isCancelled)
      return html`<p class="notice">
        ${icons.info}<span>Cancelled.${this.#part ? " The finished hashes are below." : ""}</span>
      </p>`;
    const { title, what } = errorText(failureOf(state.error));
    return html`<div class="notice bad" role="alert">
      ${icons.error}
      <div><strong>${title}.</strong> ${renderText(what, { limit: 600 })}</div>
    </div>`;
  }

  #renderCompare() {
    const { isRunning } = this.#hashing;
    return html`<section aria-labelledby="compare">
      <h3 id="compare">Compare</h3>
      <p class="hint">
        Paste a hash, a line of sha256sum or a manifest, or choose or drop a manifest file. What is needed for the
        comparison is computed.
      </p>
      <label
        >Expected hash or manifest
        <textarea
          spellcheck="false"
          autocomplete="off"
          rows="3"
          .value=${this.text}
          aria-invalid=${this.problem !== ""}
          aria-describedby=${this.problem === "" ? nothing : "problem"}
          @input=${(event: Event) => {
            this.text = (event.target as HTMLTextAreaElement).value;
            this.problem = "";
          }}
        ></textarea>
      </label>
      ${this.problem === "" ? nothing : html`<p class="problem" id="problem" role="alert">${renderText(this.problem, { limit: 600 })}</p>`}
      <div class="buttons">
        <button
          type="button"
          aria-disabled=${isRunning || this.text.trim() === ""}
          @click=${() => this.#compareText(this.text)}
        >
          Compare
        </button>
        <button type="button" aria-disabled=${isRunning} @click=${this.#chooseManifest}>Choose a manifest…</button>
        ${
          !this.#isOnHub
            ? nothing
            : html`<button type="button" aria-disabled=${isRunning} @click=${this.#compareWithHub}>
                Compare with Hugging Face
              </button>`
        }
      </div>
      ${this.comparison ? renderComparison(this.comparison) : nothing}
    </section>`;
  }

  get #isRemote(): boolean {
    return this.address !== undefined && !this.address.startsWith("blob:");
  }

  get #isOnHub(): boolean {
    return this.address !== undefined && isOnHub(this.address);
  }

  #toggle(algorithm: HashAlgorithm, isChecked: boolean): void {
    this.chosen = new Set(ALGORITHMS.filter((one) => (one === algorithm ? isChecked : this.chosen.has(one))));
  }

  readonly #compute = async () => {
    if ((this.chosen.size === 0 && !this.hashesFile) || this.#hashing.isRunning) return;
    this.comparison = undefined;
    await this.#run(() =>
      Promise.resolve({ algorithms: [...this.chosen], tensors: this.chosen.size > 0, file: this.hashesFile }),
    );
    if (this.#hashing.state.name === "done") announce(this, "Hashes computed");
  };

  /** Computes the hashes that `requested` asks for, unless they are computed already. */
  async #run(
    requested: (signal: AbortSignal) => Promise<ModelHashes["request"] | undefined>,
  ): Promise<ModelHashes | undefined> {
    const { model, fileName, computed } = this;
    this.problem = "";
    this.#part = undefined;
    await this.#hashing.run(async (signal, report) => {
      const request = await requested(signal);
      if (!request) return undefined;
      if (computed && covers(computed.request, request)) return computed;
      const onPart = (finished: ModelHashes) => (this.#part = finished);
      return computeHashes(model, request, { fileName, signal, report, onPart });
    });
    const { state } = this.#hashing;
    if (this.model !== model) return undefined;
    // What was finished before the task was cancelled or failed is kept.
    if (state.name === "failed" && this.#part) this.computed = this.#part;
    if (state.name !== "done") return undefined;
    this.computed = state.value;
    return state.value;
  }

  async #compareText(text: string): Promise<void> {
    if (this.#hashing.isRunning || this.isLoading) return;
    const expected = parseExpected(text);
    if (!expected) return;
    const { model } = this;
    this.isLoading = true;
    try {
      const { manifestAlgorithms } = await loadFull();
      if (this.model !== model) return;
      const inManifest = expected.kind === "manifest" ? manifestAlgorithms(expected.text) : [];
      const request = hashRequest(expected, inManifest);
      if (this.model.stored && !request.file) {
        this.comparison = undefined;
        this.problem = "This is no SHA-256 of a file. Of a model in a format before GGUF, only whole files are hashed.";
        return;
      }
      void this.#compare(() => Promise.resolve({ expected, request }));
    } catch (error) {
      this.comparison = undefined;
      this.problem = refusalText(failureOf(error));
    } finally {
      this.isLoading = false;
    }
  }

  readonly #compareWithHub = () => {
    const { address } = this;
    if (this.#hashing.isRunning || address === undefined) return;
    const { set } = this.model;
    const names = set ? set.shards.map(shardTitle) : [manifestName(this.model, this.fileName)];
    void this.#compare(async (signal) => {
      const files = await hubHashes(address, names, { headers: this.headers, signal });
      const expected: Expected = { kind: "files", files, from: "Hugging Face" };
      // Without a hash to compare with, nothing is read.
      return { expected, request: files.length === 0 ? undefined : hashRequest(expected, []) };
    });
  };

  async #compare(
    find: (signal: AbortSignal) => Promise<{ expected: Expected; request: ModelHashes["request"] | undefined }>,
  ): Promise<void> {
    this.comparison = undefined;
    let expected: Expected | undefined;
    const computed = await this.#run(async (signal) => {
      const found = await find(signal);
      expected = found.expected;
      return found.request;
    });
    if (!expected) return;
    if (!computed) {
      if (this.#hashing.state.name === "idle") this.comparison = nothingToCompare();
      return;
    }
    try {
      this.comparison = compare(expected, computed);
      announce(this, this.comparison.title);
    } catch (error) {
      this.problem = refusalText(failureOf(error));
    }
  }

  readonly #chooseManifest = async () => {
    if (this.#hashing.isRunning) return;
    const file = await chooseFile();
    if (file) await this.#compareFile(file);
  };

  async #compareFile(file: File): Promise<void> {
    if (this.#hashing.isRunning) return;
    this.comparison = undefined;
    if (file.size > MAX_MANIFEST) {
      this.problem = "The file is too large for a manifest. Choose a text file with hashes.";
      return;
    }
    try {
      await this.#compareText(await file.text());
    } catch {
      this.problem = "The file could not be read. Choose it again.";
    }
  }

  readonly #onDragOver = (event: DragEvent) => {
    if (event.dataTransfer?.types.includes("Files")) event.preventDefault();
  };

  /** Takes a dropped manifest. Models and folders are for the page around. */
  readonly #onDrop = (event: DragEvent) => {
    const [file, ...others] = event.dataTransfer?.files ?? [];
    const isFolder = [...(event.dataTransfer?.items ?? [])].some((item) => item.webkitGetAsEntry()?.isDirectory);
    if (!file || others.length > 0 || isFolder || /\.gguf$/i.test(file.name)) return;
    event.preventDefault();
    void this.#compareFile(file);
  };
}

define("gguf-hash", GgufHash);
