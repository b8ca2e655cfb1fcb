import { css, html, LitElement, nothing } from "lit";
import { state } from "lit/decorators.js";
import { live } from "lit/directives/live.js";
import { renderText } from "../ui/render-text.ts";
import { problemStyles } from "../ui/styles/notices.ts";
import { problemText } from "./error-texts.ts";
import { typedSource } from "./repository-place.ts";
import { renderSilence } from "./silence-notice.ts";
import { type Silence, SilenceWatch } from "./silence-watch.ts";
import { startedLibrary } from "./started-library.ts";

/** What a text field for an address says. */
interface FieldWords {
  readonly label: string;
  readonly placeholder: string;
  /** Numbers and words of an address need no keyboard for URLs if the field takes repositories, too. */
  readonly type?: "text" | "url";
  readonly isDisabled?: boolean;
}

/** An element with a field for an address of a file. The problem has the id `problem`, and the hint `about`. */
export abstract class AddressField extends LitElement {
  /** The text of the field. */
  @state() protected typed = "";
  /** Why the typed text cannot be opened; "" if it can. */
  @state() protected refusal = "";

  static readonly fieldStyles = css`
    form {
      display: flex;
      flex-wrap: wrap;
      align-items: center;
      gap: 8px;
    }
    input:not(.sr) {
      flex: 1 1 calc(220 * var(--gguf-unit));
      min-width: 0;
    }
    .file {
      display: flex;
      flex-wrap: wrap;
      align-items: center;
      gap: 4px 12px;
      font-size: var(--gguf-text-control);
      overflow-wrap: anywhere;
    }
    ${problemStyles}
    .problem {
      margin-top: 8px;
    }
  `;

  /** Why there is no file; "" if there is none. */
  protected get shownProblem(): string {
    return this.refusal;
  }

  protected renderProblem() {
    const problem = this.shownProblem;
    return problem === ""
      ? nothing
      : html`<p class="problem" id="problem" role="alert">${renderText(problem, { limit: 600 })}</p>`;
  }

  protected renderField({ label, placeholder, type = "url", isDisabled = false }: FieldWords) {
    const isWrong = this.shownProblem !== "";
    return html`<input
      type=${type}
      inputmode="url"
      aria-label=${label}
      aria-describedby=${isWrong ? "problem about" : "about"}
      aria-invalid=${isWrong}
      placeholder=${placeholder}
      autocomplete="off"
      autocapitalize="off"
      spellcheck="false"
      ?disabled=${isDisabled}
      .value=${live(this.typed)}
      @input=${(event: Event) => {
        this.typed = (event.target as HTMLInputElement).value;
      }}
    />`;
  }

  /** That a file is being opened, and how to stop. */
  protected renderOpening(words: string, name: string, silence: Silence | undefined, cancel: () => void) {
    return html`<p class="file opening" role="status">
        <span>${words} ${renderText(name, { limit: 160 })} …</span>
        <button type="button" class="quiet" @click=${cancel}>Cancel</button>
      </p>
      ${renderSilence(silence)}`;
  }

  /** Tells what the typed text names. If it names nothing, says why. */
  protected async take(use: (source: ReturnType<typeof typedSource>) => void | Promise<void>): Promise<void> {
    this.refusal = "";
    try {
      // A smaller entry does not know repositories.
      await use(typedSource(this.typed.trim(), startedLibrary()?.parseRepository, document.baseURI));
    } catch (error) {
      this.refusal = problemText(error);
    }
  }
}

/** With what a file is opened. */
export interface LoadOptions {
  readonly signal: AbortSignal;
  readonly fetch: SilenceWatch["fetch"];
}

/** An element that opens a file from an address or from disk. */
export abstract class FileField<Opened> extends AddressField {
  /** The name of the file that is being opened. */
  @state() protected opening: string | undefined;
  /** The server of that file, if it sends nothing. */
  @state() protected silence: Silence | undefined;
  #abort: AbortController | undefined;

  /** What has the focus after the controls have changed. */
  protected abstract readonly next: string;

  /** Opens a file. Its error is shown. */
  protected abstract load(source: File | string, options: LoadOptions): Promise<Opened>;

  /** Reports the open file, or that there is none. */
  protected abstract report(opened: Opened | null): void;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.stop();
  }

  /** Stops the opening. */
  protected stop(): void {
    this.#abort?.abort();
    this.#abort = undefined;
    this.opening = undefined;
  }

  protected readonly cancel = () => {
    this.stop();
    this.report(null);
    void this.#focusNext();
  };

  protected readonly removeFile = () => {
    this.typed = "";
    this.report(null);
    void this.#focusNext();
  };

  protected async open(source: File | string, name: string, byHand = true): Promise<void> {
    this.stop();
    const abort = new AbortController();
    const { signal } = abort;
    this.#abort = abort;
    this.opening = name;
    this.refusal = "";
    this.silence = undefined;
    const watch = new SilenceWatch(() => {
      if (!signal.aborted) this.silence = watch.silence;
    });
    try {
      const opened = await this.load(source, { signal, fetch: watch.fetch });
      this.report(opened);
    } catch (error) {
      if (!signal.aborted) this.refusal = problemText(error);
    } finally {
      watch.stop();
      if (this.#abort === abort) {
        this.opening = undefined;
        if (byHand) void this.#focusNext();
      }
    }
  }

  /** Moves the focus to the controls that replace the ones that had it. */
  async #focusNext(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve));
    await this.updateComplete;
    // The person may have moved the focus meanwhile.
    if (document.activeElement === document.body) this.renderRoot.querySelector<HTMLElement>(this.next)?.focus();
  }
}
