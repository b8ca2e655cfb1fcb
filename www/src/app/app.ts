import type { Gguf } from "gguf-wasm";
import { css, html, LitElement, nothing, type PropertyValues } from "lit";
import { loadEngine } from "../elements/engine.ts";
import { icons } from "../elements/icons.ts";
import { base, tokens } from "../elements/styles.ts";
import type { GgufViewer } from "../elements/viewer.ts";
import { fileName, formatHash, type PageState, parseHash, type View } from "../logic/address.ts";
import { modelName } from "../logic/summary.ts";
import { visible } from "../logic/text.ts";

const TITLE = "GGUF viewer";
const SAMPLE = formatHash({ url: "sample.gguf" });

/** What this page keeps in the browser's history beside the address: which of the files of this session an entry shows. */
interface HistoryState {
  file?: string;
}

/** The page: opens files from addresses, by drop and by picker, and keeps the location in step with what is shown. */
export class GgufApp extends LitElement {
  static override properties = { location: { state: true }, file: { state: true }, dropping: { state: true } };

  /** What the hash says. */
  declare private location: PageState;
  /** The file of this device that is shown. */
  declare private file: File | undefined;
  declare private dropping: boolean;

  /** Files opened since the page was loaded, so that going back to one works, by what the history calls them: that outlives the page. */
  readonly #files = new Map<string, File>();
  /** Writes down what is looked at, a moment later. */
  #writing: ReturnType<typeof setTimeout> | undefined;
  /** Whether the location was just gone to, as opposed to kept in step. */
  #arrived = false;
  /** What the title was last made from. */
  #entitled: string | undefined;

  constructor() {
    super();
    this.location = {};
    this.file = undefined;
    this.dropping = false;
  }

  static override styles = [
    tokens,
    base,
    css`
      :host {
        display: flex;
        flex-direction: column;
        min-height: 100dvh;
        background: var(--gguf-page);
      }
      :host([shows-file]) {
        height: 100dvh;
        overflow: hidden;
      }
      header {
        position: relative;
        z-index: 3;
        display: flex;
        align-items: center;
        gap: 8px;
        padding: 8px 12px 8px 16px;
        border-bottom: 1px solid transparent;
      }
      :host([shows-file]) header {
        border-color: var(--gguf-line);
        background: var(--gguf-surface);
      }
      .home {
        display: inline-flex;
        align-items: center;
        gap: 9px;
        margin-inline-end: 12px;
        color: var(--gguf-ink);
        font-size: 14px;
        font-weight: 650;
        letter-spacing: -0.01em;
        text-decoration: none;
        white-space: nowrap;
      }
      .home svg {
        color: var(--gguf-accent);
      }
      gguf-open-field {
        flex: 1;
        max-width: 860px;
      }
      gguf-theme-button {
        margin-inline-start: auto;
      }
      gguf-viewer {
        flex: 1;
        min-height: 0;
        height: auto;
      }
      .veil {
        position: fixed;
        inset: 0;
        z-index: 10;
        display: grid;
        place-items: center;
        background: color-mix(in oklab, var(--gguf-page) 82%, transparent);
        pointer-events: none;
      }
      .veil p {
        display: grid;
        justify-items: center;
        gap: 10px;
        padding: 40px 56px;
        border: 2px dashed var(--gguf-accent);
        border-radius: 14px;
        background: var(--gguf-surface);
        color: var(--gguf-accent);
        font-size: 17px;
        font-weight: 600;
      }
      .veil svg {
        width: 28px;
        height: 28px;
      }
      @media (max-width: 640px) {
        :host([shows-file]) header {
          flex-wrap: wrap;
        }
        :host([shows-file]) gguf-open-field {
          order: 1;
          flex-basis: 100%;
        }
      }
    `,
  ];

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("popstate", this.#onLocation);
    addEventListener("pagehide", this.#write);
    addEventListener("dragover", this.#onDragOver);
    addEventListener("dragleave", this.#onDragLeave);
    addEventListener("drop", this.#onDrop);
    this.#onLocation();
    // Ready before it is needed; a failure is told when a file is opened.
    void loadEngine().catch(() => undefined);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener("popstate", this.#onLocation);
    removeEventListener("pagehide", this.#write);
    removeEventListener("dragover", this.#onDragOver);
    removeEventListener("dragleave", this.#onDragLeave);
    removeEventListener("drop", this.#onDrop);
  }

  get #viewer(): GgufViewer | null {
    return this.renderRoot.querySelector("gguf-viewer");
  }

  get #showsFile(): boolean {
    return this.file !== undefined || this.location.url !== undefined;
  }

  override willUpdate(): void {
    this.toggleAttribute("shows-file", this.#showsFile);
  }

  override updated(changed: PropertyValues): void {
    if (!changed.has("location") && !changed.has("file")) return;
    if (this.#arrived) void this.#select();
    this.#arrived = false;
  }

  /** The tab's title: what is open, by its name once that is known. */
  #entitle(name: string | undefined): void {
    document.title = name === undefined ? TITLE : `${visible(name, 80)} – ${TITLE}`;
  }

  /** Shows the row that a link names. */
  async #select(): Promise<void> {
    const { key, tensor } = this.location;
    if (key === undefined && tensor === undefined) return;
    // Until the viewer has taken note of another file, it would look in the one before.
    await this.#viewer?.updateComplete;
    await this.#viewer?.select({ key, tensor });
  }

  override render() {
    const shown = this.#showsFile;
    return html`
      <header>
        <a class="home" href="#" @click=${this.#onHome}>
          <svg viewBox="0 0 18 18" width="18" height="18" fill="currentColor" aria-hidden="true">
            <rect x="1" y="2" width="4" height="14" rx="1"></rect>
            <rect x="7" y="2" width="10" height="4" rx="1" opacity="0.85"></rect>
            <rect x="7" y="7" width="8" height="4" rx="1" opacity="0.6"></rect>
            <rect x="7" y="12" width="10" height="4" rx="1" opacity="0.35"></rect></svg
          >${TITLE}
        </a>
        ${
          shown
            ? html`<gguf-open-field
                  .value=${this.file === undefined ? (this.location.url ?? "") : ""}
                ></gguf-open-field>
                <button type="button" @click=${this.#choose}>Choose a file</button>`
            : nothing
        }
        <gguf-theme-button></gguf-theme-button>
      </header>
      ${
        shown
          ? html`<gguf-viewer
              .src=${this.file === undefined ? (this.location.url ?? "") : ""}
              .source=${this.file}
              .view=${this.location.view}
              @gguf-open=${this.#onOpen}
              @gguf-view=${this.#onView}
              @gguf-select=${this.#onSelect}
            >
              <button type="button" @click=${this.#choose}>Choose a file</button>
            </gguf-viewer>`
          : html`<gguf-landing
              .missing=${this.location.file ?? ""}
              .sample=${SAMPLE}
              @gguf-choose=${this.#choose}
            ></gguf-landing>`
      }
      <input class="sr" type="file" tabindex="-1" aria-hidden="true" @change=${this.#onChosen} />
      ${this.dropping ? html`<div class="veil" aria-hidden="true"><p>${icons.file}Drop to open</p></div>` : nothing}
    `;
  }

  protected override createRenderRoot(): HTMLElement | DocumentFragment {
    const root = super.createRenderRoot();
    root.addEventListener("gguf-address", (event) => this.#openAddress((event as CustomEvent<string>).detail));
    return root;
  }

  #openAddress(url: string): void {
    if (this.file === undefined && this.location.url === url) {
      void this.#viewer?.reload();
      return;
    }
    // What is below the page itself is written as it is: the link then works wherever the page is served.
    const here = new URL("./", document.baseURI).href;
    const short = url.startsWith(here) && !/[?#]/.test(url) ? url.slice(here.length) : url;
    this.#go({ url: short });
  }

  #openFile(file: File): void {
    const id = crypto.randomUUID();
    this.#files.set(id, file);
    this.#go({ file: file.name }, { file: id });
  }

  #go(location: PageState, state: HistoryState = {}): void {
    this.#write();
    history.pushState(state, "", formatHash(location) || pagePath());
    this.#onLocation();
  }

  /** The location is the truth; what is shown follows it, whether by link, by history or by this page. */
  readonly #onLocation = () => {
    // What was still to be written is about another place by now.
    clearTimeout(this.#writing);
    this.#writing = undefined;
    const location = parseHash(window.location.hash);
    const id = (history.state as HistoryState | null)?.file;
    this.file = location.url === undefined && id !== undefined ? this.#files.get(id) : undefined;
    this.location = location;
    this.#arrived = true;
    const subject = this.#subjectName();
    if (subject !== this.#entitled) this.#entitle(subject);
    this.#entitled = subject;
  };

  readonly #onHome = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    this.#go({});
  };

  readonly #onOpen = (event: CustomEvent<Gguf>) => {
    this.#entitle(modelName(event.detail, this.#subjectName() ?? ""));
  };

  readonly #onView = (event: CustomEvent<View>) => {
    this.#replace({ ...this.#subject(), view: event.detail });
  };

  readonly #onSelect = (event: CustomEvent<{ key?: string; tensor?: string }>) => {
    const view = this.#viewer?.view;
    this.#replace({ ...this.#subject(), ...(view === undefined ? {} : { view }), ...event.detail });
  };

  #subjectName(): string | undefined {
    return this.file?.name ?? (this.location.url === undefined ? undefined : fileName(this.location.url));
  }

  #subject(): PageState {
    return this.file === undefined
      ? { ...(this.location.url === undefined ? {} : { url: this.location.url }) }
      : { file: this.file.name };
  }

  /** Keeps the address in step without a step in the history for every row. */
  #replace(location: PageState): void {
    // Names may be megabytes long; addresses may not.
    if (formatHash(location).length > 4000) return;
    this.location = location;
    // A key that is held down passes many rows; Safari throws at the hundredth change within 30 seconds.
    clearTimeout(this.#writing);
    this.#writing = setTimeout(this.#write, 400);
  }

  readonly #write = () => {
    if (this.#writing === undefined) return;
    clearTimeout(this.#writing);
    this.#writing = undefined;
    history.replaceState(history.state, "", formatHash(this.location));
  };

  readonly #choose = () => {
    this.renderRoot.querySelector<HTMLInputElement>("input[type=file]")?.click();
  };

  readonly #onChosen = (event: Event) => {
    const input = event.target as HTMLInputElement;
    const file = input.files?.[0];
    if (file) this.#openFile(file);
    // Choosing the same file again is a change, too.
    input.value = "";
  };

  readonly #onDragOver = (event: DragEvent) => {
    const types = event.dataTransfer?.types ?? [];
    if (!types.includes("Files") && !types.includes("text/uri-list")) return;
    event.preventDefault();
    if (event.dataTransfer) event.dataTransfer.dropEffect = "copy";
    this.dropping = true;
  };

  readonly #onDragLeave = (event: DragEvent) => {
    // Only when the pointer leaves the window, not when it passes from one element to the next.
    if (event.relatedTarget === null) this.dropping = false;
  };

  readonly #onDrop = (event: DragEvent) => {
    this.dropping = false;
    const data = event.dataTransfer;
    if (!data) return;
    const file = data.files[0];
    const link = data
      .getData("text/uri-list")
      .split(/\r?\n/)
      .find((line) => line !== "" && !line.startsWith("#"));
    if (!file && !link) return;
    event.preventDefault();
    if (file) this.#openFile(file);
    else if (link) this.#go({ url: link });
  };
}

/** The page's own address without a hash. */
function pagePath(): string {
  return window.location.pathname + window.location.search;
}
