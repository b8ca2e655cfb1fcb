import type { Gguf } from "gguf-wasm";
import { html, LitElement, nothing, type PropertyValues } from "lit";
import { loadEngine } from "../elements/engine.ts";
import type { Edited } from "../edit/editing.ts";
import { icons } from "../elements/icons.ts";
import { base, tokens } from "../elements/styles.ts";
import type { GgufViewer } from "../elements/viewer.ts";
import { fetchableAddress, fileName, formatHash, type PageState, parseHash, type View } from "../logic/address.ts";
import type { Failure } from "../logic/errors.ts";
import { forget, readRecent, type Recent, remember } from "../logic/recent.ts";
import { modelName } from "../logic/summary.ts";
import { visible } from "../logic/text.ts";
import { isFor, type Token, tokenFor } from "../logic/token.ts";
import { appStyles } from "./app-styles.ts";
import { FileDrop } from "./file-drop.ts";
import { type Chosen, chooseFile } from "./file-picker.ts";
import { renderHeader } from "./header.ts";
import { currentState, type HistoryState, pagePath, shortAddress } from "./history.ts";
import type { Wanted } from "./open-field.ts";
import type { GgufTokenForm } from "./token-form.ts";

const TITLE = "GGUF viewer";
const SAMPLE = formatHash({ url: "sample.gguf" });

/** The page: opens files from addresses, by drop and by picker, and keeps the location in step with what is shown. */
export class GgufApp extends LitElement {
  static override properties = {
    location: { state: true },
    file: { state: true },
    token: { state: true },
    denied: { state: true },
    tokenProblem: { state: true },
    recent: { state: true },
  };

  /** What the hash says. */
  declare private location: PageState;
  /** The file of this device that is shown, and where it can be saved. */
  declare private file: Chosen | undefined;
  /** For one host, and gone with the page. */
  declare private token: Token | undefined;
  /** Whether the server has just asked for a token. */
  declare private denied: boolean;
  declare private tokenProblem: string;
  declare private recent: readonly Recent[];

  readonly #drop = new FileDrop(
    this,
    (file) => void this.#openFile(file),
    (link) => void this.#go({ url: link }),
  );
  /** Files opened since the page was loaded, so that going back to one works, by what the history calls them: that outlives the page. */
  readonly #files = new Map<string, Chosen>();
  /** Where the page is, while the browser's history may be elsewhere and a question is open. */
  #here: { hash: string; state: HistoryState } = { hash: "", state: {} };
  /** Writes down what is looked at, a moment later. */
  #writing: ReturnType<typeof setTimeout> | undefined;
  /** Whether the location was just gone to, as opposed to kept in step. */
  #arrived = false;
  /** What is open, by its name once that is known. */
  #name: string | undefined;
  /** What is to be open, by the name of its file. */
  #subjectKnown: string | undefined;

  constructor() {
    super();
    this.location = {};
    this.file = undefined;
    this.token = undefined;
    this.denied = false;
    this.tokenProblem = "";
    this.recent = readRecent();
  }

  static override styles = [tokens, base, appStyles];

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("popstate", this.#onLocation);
    addEventListener("pagehide", this.#write);
    this.#follow();
    // Ready before it is needed; a failure is told when a file is opened.
    void loadEngine().catch(() => undefined);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener("popstate", this.#onLocation);
    removeEventListener("pagehide", this.#write);
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

  /** The tab's title: what is open, and whether there is anything to lose. */
  #entitle(name = this.#name, unsaved = false): void {
    document.title = `${unsaved ? "• " : ""}${name === undefined ? "" : `${visible(name, 80)} – `}${TITLE}`;
  }

  /** Shows the row that a link names. */
  async #select(): Promise<void> {
    const { key, tensor } = this.location;
    if (key === undefined && tensor === undefined) return;
    // Until the viewer has taken note of another file, it would look in the one before.
    await this.#viewer?.updateComplete;
    await this.#viewer?.select({ key, tensor });
  }

  /** What opens another file, and copies a link to this one. */
  #renderOpen() {
    return html`<gguf-open-field
        .value=${this.file === undefined ? (this.location.url ?? "") : ""}
        .tokenHost=${this.token?.host ?? ""}
      ></gguf-open-field>
      ${
        this.file === undefined
          ? html`<gguf-copy-button
              link
              label="Copy link"
              caption="Copy link"
              .text=${this.#link}
              @gguf-announce=${this.#announce}
            ></gguf-copy-button>`
          : nothing
      }
      <button type="button" @click=${this.#choose}>Choose a file</button>`;
  }

  override render() {
    const shown = this.#showsFile;
    return html`
      ${renderHeader({
        title: TITLE,
        home: this.#onHome,
        file: shown ? this.#renderOpen() : nothing,
      })}
      ${
        shown
          ? html`<gguf-viewer
              .src=${this.file === undefined ? (this.location.url ?? "") : ""}
              .source=${this.file?.file}
              .handle=${this.file?.handle}
              .headers=${this.token?.headers}
              .view=${this.location.view}
              editable
              @gguf-saved=${this.#onSaved}
              @gguf-open=${this.#onOpen}
              @gguf-edit=${this.#onEdit}
              @gguf-view=${this.#onView}
              @gguf-select=${this.#onSelect}
              @gguf-error=${this.#onError}
            >
              ${
                this.denied
                  ? html`<gguf-token-form
                      slot="help"
                      .host=${this.#host ?? ""}
                      .used=${this.token?.host ?? ""}
                      .problem=${this.tokenProblem}
                      refused
                      @gguf-token=${this.#onToken}
                    ></gguf-token-form>`
                  : nothing
              }
              <button type="button" @click=${this.#choose}>Choose a file</button>
            </gguf-viewer>`
          : html`<gguf-landing
              .missing=${this.location.file ?? ""}
              .sample=${SAMPLE}
              .tokenHost=${this.token?.host ?? ""}
              .recent=${this.recent}
              @gguf-choose=${this.#choose}
            ></gguf-landing>`
      }
      <input class="sr" type="file" tabindex="-1" aria-hidden="true" @change=${this.#onChosen} />
      ${this.#drop.over ? html`<div class="veil" aria-hidden="true"><p>${icons.file}Drop to open</p></div>` : nothing}
    `;
  }

  protected override createRenderRoot(): HTMLElement | DocumentFragment {
    const root = super.createRenderRoot();
    root.addEventListener("gguf-address", (event) => void this.#openAddress((event as CustomEvent<Wanted>).detail));
    root.addEventListener("gguf-token-remove", () => {
      this.token = undefined;
    });
    root.addEventListener("gguf-forget", (event) => {
      forget((event as CustomEvent<string>).detail);
      this.recent = readRecent();
    });
    return root;
  }

  async #openAddress({ address: url, token }: Wanted): Promise<void> {
    if (!(await this.#mayLeave())) return;
    if (token) this.token = token;
    const short = shortAddress(url);
    if (this.file === undefined && this.location.url === short) {
      // With another token it is opened again anyway.
      if (!token) void this.#viewer?.reload();
      return;
    }
    this.#leave({ url: short });
  }

  async #openFile(chosen: Chosen): Promise<void> {
    const id = crypto.randomUUID();
    this.#files.set(id, chosen);
    await this.#go({ file: chosen.file.name }, { file: id });
  }

  /** Goes on with the file that has been saved: in its place if it is the one that is shown, otherwise as another. */
  readonly #onSaved = (event: CustomEvent<Chosen>) => {
    const saved = event.detail;
    const { file: id } = currentState();
    if (this.file?.handle === saved.handle && id !== undefined) {
      this.#files.set(id, saved);
      this.file = saved;
      return;
    }
    const own = crypto.randomUUID();
    this.#files.set(own, saved);
    this.#leave({ file: saved.file.name }, { file: own });
  };

  /** Whether what is shown may go: where it has been changed, that is asked. */
  #mayLeave(): Promise<boolean> {
    return this.#viewer?.mayLeave() ?? Promise.resolve(true);
  }

  async #go(location: PageState, state: HistoryState = {}): Promise<void> {
    if (await this.#mayLeave()) this.#leave(location, state);
  }

  #leave(location: PageState, state: HistoryState = {}): void {
    this.#write();
    history.pushState(state, "", formatHash(location) || pagePath());
    this.#follow();
  }

  readonly #onLocation = () => {
    const wanted = { location: parseHash(window.location.hash), state: currentState() };
    const elsewhere =
      wanted.location.url !== this.location.url || (wanted.state.file ?? "") !== (this.#here.state.file ?? "");
    if (!elsewhere || !this.#viewer?.unsaved) {
      this.#follow();
      return;
    }
    // The history has moved on already: it waits here until that is what is wanted.
    history.pushState(this.#here.state, "", this.#here.hash || pagePath());
    void this.#go(wanted.location, wanted.state);
  };

  /** The location is the truth; what is shown follows it, whether by link, by history or by this page. */
  readonly #follow = () => {
    // What was still to be written is about another place by now.
    clearTimeout(this.#writing);
    this.#writing = undefined;
    const location = parseHash(window.location.hash);
    const id = currentState().file;
    this.#here = { hash: window.location.hash, state: currentState() };
    this.file = location.url === undefined && id !== undefined ? this.#files.get(id) : undefined;
    this.location = location;
    this.denied = false;
    this.tokenProblem = "";
    this.recent = readRecent();
    // Another host is none of the token's business.
    if (this.token && location.url !== undefined && !isFor(this.token, location.url, document.baseURI))
      this.token = undefined;
    this.#arrived = true;
    const subject = this.#subjectName();
    if (subject === this.#subjectKnown) return;
    this.#subjectKnown = subject;
    this.#name = subject;
    this.#entitle();
  };

  readonly #onHome = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    void this.#go({});
  };

  readonly #onOpen = (event: CustomEvent<Gguf>) => {
    const name = modelName(event.detail, this.#subjectName() ?? "");
    this.#name = name;
    this.#entitle();
    const { url } = this.location;
    if (this.file === undefined && url !== undefined && formatHash({ url }) !== SAMPLE) remember({ url, name });
  };

  readonly #onEdit = ({ detail }: CustomEvent<Edited>) => {
    this.#entitle(detail.name, detail.unsaved);
  };

  readonly #onError = (event: CustomEvent<Failure>) => {
    const { status } = event.detail;
    this.denied = this.file === undefined && (status === 401 || status === 403);
  };

  /** Tries again with a token what was refused without. */
  readonly #onToken = (event: CustomEvent<string>) => {
    try {
      this.token = tokenFor(event.detail, this.location.url ?? "", document.baseURI);
      this.tokenProblem = "";
      (event.target as GgufTokenForm).clear();
    } catch (error) {
      this.tokenProblem = error instanceof Error ? error.message : String(error);
    }
  };

  /** Whom the address asks. */
  get #host(): string | undefined {
    try {
      return new URL(fetchableAddress(this.location.url ?? "", document.baseURI)).host;
    } catch {
      return undefined;
    }
  }

  /** Opens what is open, where it is looked at. */
  readonly #link = () => new URL(formatHash(this.location), window.location.href).href;

  readonly #announce = (event: CustomEvent<string>) => {
    this.#viewer?.dispatchEvent(new CustomEvent("gguf-announce", { detail: event.detail }));
  };

  readonly #onView = (event: CustomEvent<View>) => {
    this.#replace({ ...this.#subject(), view: event.detail });
  };

  readonly #onSelect = (event: CustomEvent<{ key?: string; tensor?: string }>) => {
    const view = this.#viewer?.view;
    this.#replace({ ...this.#subject(), ...(view === undefined ? {} : { view }), ...event.detail });
  };

  #subjectName(): string | undefined {
    return this.file?.file.name ?? (this.location.url === undefined ? undefined : fileName(this.location.url));
  }

  #subject(): PageState {
    return this.file === undefined
      ? { ...(this.location.url === undefined ? {} : { url: this.location.url }) }
      : { file: this.file.file.name };
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
    this.#here.hash = window.location.hash;
  };

  readonly #choose = async () => {
    const chosen = await chooseFile();
    if (chosen) void this.#openFile(chosen);
    // Without a picker that gives files to write to, or where the page may not use it.
    else if (chosen === undefined) this.renderRoot.querySelector<HTMLInputElement>("input[type=file]")?.click();
  };

  readonly #onChosen = (event: Event) => {
    const input = event.target as HTMLInputElement;
    const file = input.files?.[0];
    if (file) void this.#openFile({ file });
    // Choosing the same file again is a change, too.
    input.value = "";
  };
}
