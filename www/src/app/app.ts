import type { Gguf } from "gguf-wasm";
import { html, LitElement, nothing } from "lit";
import { loadEngine } from "../gguf/engine.ts";
import type { EditStatus } from "../gguf/shown-file.ts";
import { icons } from "../ui/icons.ts";
import { base, tokens } from "../ui/styles.ts";
import type { GgufViewer } from "../viewer/viewer.ts";
import type { PanelStates, View } from "../panels.ts";
import { fetchableAddress, fileName } from "../viewer/address.ts";
import type { Failure } from "../gguf/failure.ts";
import { forget, readRecent, type Recent, remember } from "./recent-addresses.ts";
import { modelName } from "../summary/facts.ts";
import { visible } from "../ui/text.ts";
import type { PageState } from "./location-hash.ts";
import { formatHash } from "./page-hash.ts";
import { isFor, type Token, tokenFor } from "./access-token.ts";
import { appStyles } from "./app-styles.ts";
import { FileDrop } from "./file-drop.ts";
import { type Chosen, chooseFile } from "./file-picker.ts";
import { renderHeader } from "./header.ts";
import { shortAddress } from "./history.ts";
import { forgetFile, keepFile, type KeptFile, keptFiles, reopenFile, reopenProblem } from "./kept-files.ts";
import type { Wanted } from "./open-field.ts";
import { Place } from "./place.ts";
import type { GgufTokenForm } from "./token-form.ts";
import { define } from "../ui/define.ts";
import "../ui/copy-button.ts";
import "./landing.ts";
import "./open-field.ts";
import "./token-form.ts";
import "../viewer/viewer.ts";

const TITLE = "GGUF viewer";
const SAMPLE = formatHash({ url: "sample.gguf" });

/** The page: opens files from addresses, by drop and by picker, and keeps the location in step with what is shown. */
export class GgufApp extends LitElement {
  static override properties = {
    token: { state: true },
    denied: { state: true },
    tokenProblem: { state: true },
    recent: { state: true },
    files: { state: true },
    fileProblem: { state: true },
  };

  /** For one host, and gone with the page. */
  declare private token: Token | undefined;
  /** Whether the server has just asked for a token. */
  declare private denied: boolean;
  declare private tokenProblem: string;
  declare private recent: readonly Recent[];
  /** Files of this device that can be opened again. */
  declare private files: readonly KeptFile[];
  /** Why one of them was not opened. */
  declare private fileProblem: string;

  readonly #place: Place = new Place(this, {
    unsaved: () => this.#viewer?.unsaved ?? false,
    mayLeave: () => this.#mayLeave(),
    arrived: () => this.#onArrived(),
  });
  readonly #drop = new FileDrop(
    this,
    (file) => void this.#openFile(file),
    (link) => void this.#place.go({ url: link }),
  );
  /** Whether the location was just gone to, as opposed to kept in step. */
  #arrived = false;
  /** What is open, by its name once that is known. */
  #name: string | undefined;
  /** What is to be open, by the name of its file. */
  #subjectKnown: string | undefined;

  constructor() {
    super();
    this.token = undefined;
    this.denied = false;
    this.tokenProblem = "";
    this.recent = readRecent();
    this.files = [];
    this.fileProblem = "";
  }

  static override styles = [tokens, base, appStyles];

  override connectedCallback(): void {
    super.connectedCallback();
    // Ready before it is needed; a failure is told when a file is opened.
    void loadEngine().catch(() => undefined);
  }

  get #viewer(): GgufViewer | null {
    return this.renderRoot.querySelector("gguf-viewer");
  }

  get #location(): PageState {
    return this.#place.location;
  }

  get #file(): Chosen | undefined {
    return this.#place.file;
  }

  get #showsFile(): boolean {
    return this.#file !== undefined || this.#location.url !== undefined;
  }

  override willUpdate(): void {
    this.toggleAttribute("shows-file", this.#showsFile);
  }

  override updated(): void {
    if (this.#arrived) void this.#select();
    this.#arrived = false;
  }

  /** The tab's title: what is open, and whether there is anything to lose. */
  #entitle(name = this.#name, unsaved = false): void {
    document.title = `${unsaved ? "• " : ""}${name === undefined ? "" : `${visible(name, 80)} – `}${TITLE}`;
  }

  /** Shows the row that a link names. */
  async #select(): Promise<void> {
    const { key, tensor } = this.#location;
    if (key === undefined && tensor === undefined) return;
    // Until the viewer has taken note of another file, it would look in the one before.
    await this.#viewer?.updateComplete;
    // The filter of the address goes before its tensor: whoever filtered after opening a tensor finds both again.
    await this.#viewer?.select({ key, tensor }, { keepFilter: true });
  }

  /** What opens another file, and copies a link to this one. */
  #renderOpen() {
    return html`<gguf-open-field
        .value=${this.#file === undefined ? (this.#location.url ?? "") : ""}
        .tokenHost=${this.token?.host ?? ""}
      ></gguf-open-field>
      ${
        this.#file === undefined
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
          ? html`<main>
              <h1 class="sr">${visible(this.#subjectName() ?? TITLE, 200)}</h1>
              <gguf-viewer
                .src=${this.#file === undefined ? (this.#location.url ?? "") : ""}
                .source=${this.#file?.file}
                .handle=${this.#file?.handle}
                .headers=${this.token?.headers}
                .view=${this.#location.view}
                .metadataState=${this.#location.metadata}
                .tensorsState=${this.#location.tensors}
                editable
                @gguf-saved=${this.#onSaved}
                @gguf-open=${this.#onOpen}
                @gguf-edit=${this.#onEdit}
                @gguf-view=${this.#onView}
                @gguf-table=${this.#onTable}
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
              </gguf-viewer>
            </main>`
          : html`<gguf-landing
              .missing=${this.#location.file ?? ""}
              .sample=${SAMPLE}
              .tokenHost=${this.token?.host ?? ""}
              .recent=${this.recent}
              .files=${this.files}
              .problem=${this.fileProblem}
              @gguf-reopen=${this.#onReopen}
              @gguf-forget-file=${this.#onForgetFile}
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
    if (this.#file === undefined && this.#location.url === short) {
      // With another token it is opened again anyway.
      if (!token) void this.#viewer?.reload();
      return;
    }
    this.#place.leave({ url: short });
  }

  /** Shows what the place says, which may be what was shown before. */
  #onArrived(): void {
    this.denied = false;
    this.tokenProblem = "";
    this.recent = readRecent();
    this.fileProblem = "";
    void this.#listFiles();
    const { url } = this.#location;
    // Another host is none of the token's business.
    if (this.token && url !== undefined && !isFor(this.token, url, document.baseURI)) this.token = undefined;
    this.#arrived = true;
    const subject = this.#subjectName();
    if (subject === this.#subjectKnown) return;
    this.#subjectKnown = subject;
    this.#name = subject;
    this.#entitle();
  }

  /** Whether what is shown may go: where it has been changed, that is asked. */
  #mayLeave(): Promise<boolean> {
    return this.#viewer?.mayLeave() ?? Promise.resolve(true);
  }

  async #openFile(chosen: Chosen): Promise<void> {
    await this.#place.open(chosen);
    await keepFile(chosen);
    await this.#listFiles();
  }

  readonly #onSaved = async ({ detail }: CustomEvent<Chosen>) => {
    this.#place.goOn(detail);
    await keepFile(detail);
  };

  async #listFiles(): Promise<void> {
    this.files = await keptFiles();
  }

  readonly #onReopen = async ({ detail }: CustomEvent<KeptFile>) => {
    this.fileProblem = "";
    const reopened = await reopenFile(detail);
    if (typeof reopened === "string") this.fileProblem = reopenProblem(detail.name, reopened);
    else await this.#openFile(reopened);
  };

  readonly #onForgetFile = async ({ detail }: CustomEvent<KeptFile>) => {
    this.fileProblem = "";
    await forgetFile(detail.id);
    await this.#listFiles();
  };

  readonly #onHome = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    void this.#place.go({});
  };

  readonly #onOpen = (event: CustomEvent<Gguf>) => {
    const name = modelName(event.detail, this.#subjectName() ?? "");
    this.#name = name;
    this.#entitle();
    const { url } = this.#location;
    if (this.#file === undefined && url !== undefined && formatHash({ url }) !== SAMPLE) remember({ url, name });
  };

  readonly #onEdit = ({ detail }: CustomEvent<EditStatus>) => {
    this.#entitle(detail.name, detail.unsaved);
  };

  readonly #onError = (event: CustomEvent<Failure>) => {
    const { status } = event.detail;
    this.denied = this.#file === undefined && (status === 401 || status === 403);
  };

  /** Tries again with a token what was refused without. */
  readonly #onToken = (event: CustomEvent<string>) => {
    try {
      this.token = tokenFor(event.detail, this.#location.url ?? "", document.baseURI);
      this.tokenProblem = "";
      (event.target as GgufTokenForm).clear();
    } catch (error) {
      this.tokenProblem = error instanceof Error ? error.message : String(error);
    }
  };

  /** Whom the address asks. */
  get #host(): string | undefined {
    try {
      return new URL(fetchableAddress(this.#location.url ?? "", document.baseURI)).host;
    } catch {
      return undefined;
    }
  }

  /** Opens what is open, where it is looked at. */
  readonly #link = () => new URL(formatHash(this.#location), window.location.href).href;

  readonly #announce = (event: CustomEvent<string>) => {
    this.#viewer?.dispatchEvent(new CustomEvent("gguf-announce", { detail: event.detail }));
  };

  readonly #onView = (event: CustomEvent<View>) => {
    this.#place.note({ view: event.detail });
  };

  readonly #onTable = (event: CustomEvent<PanelStates>) => {
    const { view, tensor, key } = this.#location;
    const row = { ...(view ? { view } : {}), ...(tensor ? { tensor } : {}), ...(key ? { key } : {}) };
    this.#place.note({ ...row, ...event.detail });
  };

  readonly #onSelect = (event: CustomEvent<{ key?: string; tensor?: string }>) => {
    const view = this.#viewer?.view;
    this.#place.note({ ...(view === undefined ? {} : { view }), ...event.detail });
  };

  #subjectName(): string | undefined {
    return this.#file?.file.name ?? (this.#location.url === undefined ? undefined : fileName(this.#location.url));
  }

  readonly #choose = async () => {
    const chosen = await chooseFile();
    if (chosen) void this.#openFile(chosen);
    // Without a picker that gives files to write to, or where the page may not use it.
    else if (chosen === undefined) this.renderRoot.querySelector<HTMLInputElement>("input[type=file]")?.click();
  };

  readonly #onChosen = (event: Event) => {
    const input = event.target as HTMLInputElement;
    const file = input.files?.[0];
    if (file) void this.#place.open({ file });
    // Choosing the same file again is a change, too.
    input.value = "";
  };
}

define("gguf-app", GgufApp);

declare global {
  interface HTMLElementTagNameMap {
    "gguf-app": GgufApp;
  }
}
