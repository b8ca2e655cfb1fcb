import { css, html, LitElement, nothing, type PropertyValues } from "lit";
import { property, state } from "lit/decorators.js";
import { live } from "lit/directives/live.js";
import { problemText } from "../gguf/error-texts.ts";
import { loadLibrary } from "../gguf/library.ts";
import { renderSilence } from "../gguf/silence-notice.ts";
import { type Silence, SilenceWatch } from "../gguf/silence-watch.ts";
import { define } from "../ui/define.ts";
import { icons } from "../ui/icons.ts";
import { renderText } from "../ui/render-text.ts";
import { baseStyles } from "../ui/styles.ts";
import { problemStyles } from "../ui/styles/notices.ts";
import { AddressError, fetchableAddress, fileName } from "../gguf/address.ts";
import { typedSource } from "../gguf/repository-place.ts";
import { ROLES, secondFile, type SecondFile } from "./second-file.ts";

/**
 * Adds a file that is loaded beside the model: from an address, or from disk. The event `gguf-second-file` reports it (detail: the open
 * `SecondFile`, or null once it is removed).
 */
export class GgufSecondFile extends LitElement {
  /** The address of the file that should be open. Undefined for none, and for a local file. */
  @property() address: string | undefined;
  /** The open file. */
  @property({ attribute: false }) file: SecondFile | undefined;
  /** What the file adds to the memory. */
  @property() about = "";
  /** The name of the file that is being opened. */
  @state() private opening: string | undefined;
  /** The text of the address field. */
  @state() private typed = "";
  /** Why a file could not be opened. */
  @state() private problem = "";
  /** A server that sends nothing. */
  @state() private silence: Silence | undefined;

  #abort: AbortController | undefined;

  static override styles = [
    baseStyles,
    css`
      :host {
        display: block;
        margin-top: 16px;
      }
      h4 {
        margin-bottom: 4px;
        font-size: 12.5px;
        font-weight: 600;
      }
      form {
        display: flex;
        flex-wrap: wrap;
        gap: 8px;
      }
      input[type="url"] {
        flex: 1 1 200px;
        min-width: 0;
      }
      .file {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 4px 12px;
        font-size: 13px;
        overflow-wrap: anywhere;
      }
      .hint {
        margin-top: 4px;
        color: var(--gguf-ink-2);
        font-size: 12px;
      }
      ${problemStyles}
      .problem {
        margin-top: 6px;
      }
    `,
  ];

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#stop();
  }

  override willUpdate(changed: PropertyValues): void {
    if (!changed.has("address") || this.address === this.file?.address) return;
    // A link names another file.
    this.#stop();
    this.problem = "";
    this.typed = this.address ?? "";
    if (this.address !== undefined) void this.#open(this.address, fileName(this.address), false);
  }

  override render() {
    const { file, opening, problem } = this;
    return html`<h4>Second file</h4>
      ${
        file !== undefined
          ? this.#renderFile(file)
          : opening !== undefined
            ? html`<p class="file" role="status">
                  <span>Reading the header of ${renderText(opening, { limit: 120 })} …</span>
                  <button type="button" class="quiet" @click=${this.#cancel}>Cancel</button>
                </p>
                ${renderSilence(this.silence)}`
            : this.#renderForm()
      }
      ${problem === "" ? nothing : html`<p class="problem" id="problem" role="alert">${problem}</p>`}`;
  }

  #renderFile(file: SecondFile) {
    return html`<p class="file">
        <span>${ROLES[file.role].title}: ${renderText(file.name, { limit: 120 })}</span>
        <button type="button" class="quiet" aria-label="Remove the second file" @click=${this.#remove}>
          ${icons.close}Remove
        </button>
      </p>
      <p class="hint">${this.about}</p>`;
  }

  #renderForm() {
    const isWrong = this.problem !== "";
    return html`<form novalidate @submit=${this.#onSubmit}>
        <input
          type="url"
          inputmode="url"
          aria-label="Address of the second file"
          aria-describedby=${isWrong ? "problem about" : "about"}
          aria-invalid=${isWrong}
          placeholder="Address of a .gguf file"
          autocomplete="off"
          autocapitalize="off"
          spellcheck="false"
          .value=${live(this.typed)}
          @input=${(event: Event) => {
            this.typed = (event.target as HTMLInputElement).value;
          }}
        />
        <button type="submit">Add</button>
        <button type="button" @click=${() => this.renderRoot.querySelector<HTMLInputElement>(".sr")?.click()}>
          Choose file
        </button>
        <input class="sr" type="file" tabindex="-1" aria-hidden="true" @change=${this.#onChosen} />
      </form>
      <p class="hint" id="about">
        A projector, an adapter, or a small model that drafts tokens, loaded beside the model.
      </p>`;
  }

  readonly #onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    void this.#openTyped();
  };

  /** Opens the file that the typed text names. */
  async #openTyped(): Promise<void> {
    const { typed } = this;
    try {
      const library = await loadLibrary().catch(() => undefined);
      const source = typedSource(typed, library?.parseRepository, document.baseURI);
      if ("repository" in source)
        throw new AddressError(
          `${source.repository} is a repository. Type the name of a file in it: hub:${source.repository}/model.gguf`,
        );
      await this.#open(source.text, fileName(source.text));
    } catch (error) {
      this.problem = problemText(error);
    }
  }

  readonly #onChosen = (event: Event) => {
    const input = event.target as HTMLInputElement;
    const [file] = input.files ?? [];
    // The same file can be chosen again after it was removed.
    input.value = "";
    if (file) void this.#open(file, file.name);
  };

  readonly #cancel = () => {
    this.#stop();
    this.#report(null);
    void this.#focusNext();
  };

  readonly #remove = () => {
    this.typed = "";
    this.#report(null);
    void this.#focusNext();
  };

  /** Moves the focus to the controls that replace the ones that had it. */
  async #focusNext(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve));
    await this.updateComplete;
    // The person may have moved the focus meanwhile.
    if (document.activeElement !== document.body) return;
    this.renderRoot
      .querySelector<HTMLElement>('button[aria-label="Remove the second file"], input[type="url"]')
      ?.focus();
  }

  #stop(): void {
    this.#abort?.abort();
    this.#abort = undefined;
    this.opening = undefined;
  }

  async #open(source: string | File, name: string, byHand = true): Promise<void> {
    this.#stop();
    const abort = new AbortController();
    const { signal } = abort;
    this.#abort = abort;
    this.opening = name;
    this.problem = "";
    const watch = new SilenceWatch(() => {
      if (!signal.aborted) this.silence = watch.silence;
    });
    this.silence = undefined;
    const address = typeof source === "string" ? source : undefined;
    try {
      const fetched = typeof source === "string" ? fetchableAddress(source, document.baseURI) : source;
      const { Gguf } = await loadLibrary();
      const gguf = await Gguf.open(fetched, { signal, fetch: watch.fetch, probeCors: true });
      const file = signal.aborted ? undefined : secondFile(gguf, name, address);
      if (file === undefined) {
        const { title } = gguf.classification;
        gguf.free();
        signal.throwIfAborted();
        this.problem = `llama.cpp loads no file of this kind beside a model: ${title.toLowerCase()}.`;
      } else {
        this.#report(file);
      }
    } catch (error) {
      if (!signal.aborted) this.problem = problemText(error);
    } finally {
      watch.stop();
      if (this.#abort === abort) {
        this.opening = undefined;
        if (byHand) void this.#focusNext();
      }
    }
  }

  #report(file: SecondFile | null): void {
    this.dispatchEvent(new CustomEvent("gguf-second-file", { detail: file }));
  }
}

define("gguf-second-file", GgufSecondFile);
