import type { Gguf, Repository } from "gguf-wasm";
import { html, LitElement, nothing } from "lit";
import { loadLibrary } from "../gguf/library.ts";
import { preloadModules } from "../gguf/reader.ts";
import { addressIn, repositoryPage, typedSource } from "../gguf/repository-place.ts";
import type { EditStatus } from "../gguf/shown-file.ts";
import { COMPACT_WINDOW } from "../ui/compact.ts";
import { icons } from "../ui/icons.ts";
import { loadModule } from "../ui/load-module.ts";
import { MediaQuery } from "../ui/media-query.ts";
import { type Part, PartLoader, partStyles } from "../ui/part-loader.ts";
import { PageSearchKey } from "../ui/search-key.ts";
import { baseStyles, themeStyles } from "../ui/styles.ts";
import type { ShardRequest } from "../viewer/shard-requests.ts";
import type { GgufViewer } from "../viewer/viewer.ts";
import type { PanelStates, View } from "../panels.ts";
import { fileName, originOf } from "../gguf/address.ts";
import { refusalText } from "../gguf/error-texts.ts";
import { type Failure, failureOf } from "../gguf/failure.ts";
import { forgetAddress, readRecentAddresses, type RecentAddress, rememberAddress } from "./recent-addresses.ts";
import { modelName } from "../summary/facts.ts";
import { escapeText } from "../ui/text.ts";
import type { PageState } from "./location-hash.ts";
import { formatHash } from "./page-hash.ts";
import { isTokenFor, type AccessToken, tokenFor } from "./access-token.ts";
import { appStyles } from "./app-styles.ts";
import { FileDrop } from "./file-drop.ts";
import { chooseFiles, chooseFilesOfFolder } from "./chosen-files.ts";
import type { LocalFile } from "./local-file.ts";
import { type ChosenFile, type LocalModel, modelsOf, singleModel } from "./local-model.ts";
import "./model-choice.ts";
import type { GgufModelChoice } from "./model-choice.ts";
import "./page-header.ts";
import type { GgufPageHeader, HeaderSubject } from "./page-header.ts";
import { relativeAddress } from "./history-state.ts";
import { linkTo, rowLink, SAMPLE } from "./page-links.ts";
import {
  forgetFile,
  rememberFile,
  type RecentFile,
  readRecentFiles,
  reopenFile,
  reopenMessage,
} from "./recent-files.ts";
import type { OpenRequest } from "./open-field.ts";
import { PageLocation } from "./page-location.ts";
import type { GgufRepository, RepositoryView } from "../repository/repository.ts";
import type { GgufTokenForm } from "./token-form.ts";
import { define } from "../ui/define.ts";
import "./landing.ts";
import "./token-form.ts";
import "../viewer/viewer.ts";

const TITLE = "GGUF viewer";
const FILE_LIST: Part = {
  name: "repository",
  title: "The list of files",
  load: loadModule(() => import("../repository/repository.ts")),
};
/** The refusals of a hub that an access token may change. */
const TOKEN_HELPS: ReadonlySet<string> = new Set(["repository-not-found", "repository-denied", "rate-limited"]);

/** The page: opens addresses and local files, and keeps the browser's location in step with what is shown. */
export class GgufApp extends LitElement {
  static override properties = {
    token: { state: true },
    denied: { state: true },
    tokenProblem: { state: true },
    recent: { state: true },
    files: { state: true },
    fileProblem: { state: true },
    isEditable: { state: true },
    isEditing: { state: true },
  };

  /** The token in use. It is for one origin and is forgotten when the page is closed. */
  declare private token: AccessToken | undefined;
  /** Whether the server has just refused access. */
  declare private denied: boolean;
  declare private tokenProblem: string;
  declare private recent: readonly RecentAddress[];
  /** Local files that can be opened again. */
  declare private files: readonly RecentFile[];
  /** Why a local file could not be opened again. */
  declare private fileProblem: string;
  /** Whether the open file can be edited, or is being edited. */
  declare private isEditable: boolean;
  declare private isEditing: boolean;

  readonly #compact = new MediaQuery(this, COMPACT_WINDOW);
  readonly #pageLocation: PageLocation = new PageLocation(this, {
    unsaved: () => this.#viewer?.unsaved ?? false,
    mayLeave: () => this.#mayLeave(),
    arrived: () => this.#onLocationChanged(),
  });
  readonly #drop = new FileDrop(
    this,
    (files) => void this.#openChosen(files),
    (link) => void this.#openLink(link),
  );
  readonly #loader = new PartLoader(this);
  /** Whether the last change of the location was to another file or row, not only to another state of a table. */
  #arrived = false;
  /** The name of the open model, or of its file until the model is open. */
  #name: string | undefined;
  /** The name of the file that the location names. */
  #subjectKnown: string | undefined;

  constructor() {
    super();
    this.token = undefined;
    this.denied = false;
    this.tokenProblem = "";
    this.recent = readRecentAddresses();
    this.files = [];
    this.fileProblem = "";
    this.isEditable = false;
    this.isEditing = false;
    this.addController(new PageSearchKey(this));
  }

  static override styles = [themeStyles, baseStyles, partStyles, appStyles];

  override connectedCallback(): void {
    super.connectedCallback();
    // The modules are loaded before they are needed. A file that is opened loads them in the order that it needs.
    if (!this.#showsFile) void preloadModules();
  }

  get #viewer(): GgufViewer | null {
    return this.renderRoot.querySelector("gguf-viewer");
  }

  get #location(): PageState {
    return this.#pageLocation.state;
  }

  get #model(): LocalModel | undefined {
    return this.#pageLocation.model;
  }

  get #showsFile(): boolean {
    return this.#model !== undefined || this.#location.url !== undefined;
  }

  /** The repository whose files are listed. */
  get #repository(): string | undefined {
    return this.#showsFile ? undefined : this.#location.repo;
  }

  override willUpdate(): void {
    this.toggleAttribute("shows-file", this.#showsFile || this.#repository !== undefined);
    if (this.#repository !== undefined) void this.#loader.show(FILE_LIST);
  }

  override updated(): void {
    if (this.#arrived) void this.#select();
    this.#arrived = false;
  }

  /** Sets the title of the browser tab: the name of the model, and a mark for unsaved changes. */
  #setTitle(name = this.#name, unsaved = false): void {
    document.title = `${unsaved ? "• " : ""}${name === undefined ? "" : `${escapeText(name, 80)} – `}${TITLE}`;
  }

  /** Shows the row that the location names. */
  async #select(): Promise<void> {
    const { key, tensor } = this.#location;
    if (key === undefined && tensor === undefined) return;
    // The viewer still shows the previous file until it has updated. Meanwhile the person may have gone on.
    await this.#viewer?.updateComplete;
    if (this.#location.key !== key || this.#location.tensor !== tensor) return;
    // A person who filters after opening a tensor gets a link with both. The link must restore the filter.
    await this.#viewer?.select({ key, tensor }, { keepFilter: true });
  }

  /** The files of a repository. */
  #renderRepository(place: string) {
    return html`<main>
      <h1 class="sr">Files of ${escapeText(place, 200)}</h1>
      ${this.#loader.codeOf(FILE_LIST) === "ready" ? this.#renderFileList(place) : this.#loader.renderPlace(FILE_LIST)}
    </main>`;
  }

  #renderFileList(place: string) {
    const { "repo.filter": filter = "", "repo.sort": sort = "" } = this.#location;
    return html`<gguf-repository
      .place=${place}
      .headers=${this.token?.headers}
      .filter=${filter}
      .sort=${sort}
      .linkTo=${linkTo}
      @gguf-listed=${this.#onListed}
      @gguf-error=${this.#onRepositoryError}
      @gguf-repository-view=${this.#onRepositoryView}
    >
      ${this.denied ? this.#renderTokenForm() : nothing}
    </gguf-repository>`;
  }

  /** The field for a token, below the explanation of a refusal. */
  #renderTokenForm() {
    return html`<gguf-token-form
      slot="help"
      .host=${this.#host ?? ""}
      .used=${this.token?.host ?? ""}
      .problem=${this.tokenProblem}
      refused
      @gguf-token=${this.#onToken}
    ></gguf-token-form>`;
  }

  /** The open file. */
  #renderFile() {
    return html`<main>
      <h1 class="sr">${escapeText(this.#subjectName() ?? TITLE, 200)}</h1>
      ${this.fileProblem === "" ? nothing : html`<p class="problem" role="alert">${icons.warning}${this.fileProblem}</p>`}
      <gguf-viewer
        .src=${this.#model === undefined ? (this.#location.url ?? "") : ""}
        .alone=${this.#location.alone === "shard"}
        .source=${this.#model?.source}
        .handle=${this.#model?.handle}
        .headers=${this.token?.headers}
        .view=${this.#location.view}
        .panelStates=${this.#location}
        .rowLink=${rowLink}
        editable
        ?menu-outside=${this.#compact.matches}
        @gguf-saved=${this.#onSaved}
        @gguf-open=${this.#onOpen}
        @gguf-edit=${this.#onEdit}
        @gguf-view=${this.#onView}
        @gguf-table=${this.#onTable}
        @gguf-select=${this.#onSelect}
        @gguf-shard=${this.#onShard}
        @gguf-open-files=${this.#onOpenFiles}
        @gguf-error=${this.#onError}
      >
        ${this.denied ? this.#renderTokenForm() : nothing}
        <button type="button" @click=${this.#choose}>Choose a file</button>
      </gguf-viewer>
    </main>`;
  }

  #renderLanding() {
    return html`<gguf-landing
      .missing=${this.#location.file ?? ""}
      .sample=${SAMPLE}
      .tokenHost=${this.token?.host ?? ""}
      .recent=${this.recent}
      .files=${this.files}
      .problem=${this.fileProblem}
      @gguf-reopen=${this.#onReopen}
      @gguf-forget-file=${this.#onForgetFile}
      @gguf-choose=${this.#choose}
      @gguf-choose-folder=${this.#chooseFolder}
    ></gguf-landing>`;
  }

  override render() {
    const repository = this.#repository;
    const shown = this.#showsFile;
    return html`
      <gguf-page-header
        pageTitle=${TITLE}
        .subject=${this.#headerSubject}
        .tokenHost=${this.token?.host ?? ""}
        ?compact=${this.#compact.matches}
        ?hidden=${this.#compact.matches && this.isEditing}
        .viewerMenu=${() => this.#viewer?.menu() ?? []}
        @gguf-home=${() => void this.#pageLocation.go({})}
        @gguf-choose=${this.#choose}
        @gguf-begin-edit=${this.#beginEdit}
        @gguf-announce=${this.#announce}
      ></gguf-page-header>
      ${
        shown
          ? this.#renderFile()
          : repository !== undefined
            ? this.#renderRepository(repository)
            : this.#renderLanding()
      }
      <input class="sr" type="file" multiple tabindex="-1" aria-hidden="true" @change=${this.#onChosen} />
      <gguf-model-choice></gguf-model-choice>
      ${this.#drop.over ? html`<div class="veil" aria-hidden="true"><p>${icons.file}Drop to open</p></div>` : nothing}
    `;
  }

  protected override createRenderRoot(): HTMLElement | DocumentFragment {
    const root = super.createRenderRoot();
    root.addEventListener(
      "gguf-address",
      (event) => void this.#openAddress((event as CustomEvent<OpenRequest>).detail),
    );
    root.addEventListener("gguf-token-remove", () => {
      this.token = undefined;
    });
    root.addEventListener("gguf-forget", (event) => {
      forgetAddress((event as CustomEvent<string>).detail);
      this.recent = readRecentAddresses();
    });
    return root;
  }

  async #openAddress({ address: url, repository, token }: OpenRequest): Promise<void> {
    if (!(await this.#mayLeave())) return;
    if (token) this.token = token;
    if (repository !== undefined) {
      if (this.#repository !== repository) this.#pageLocation.leave({ repo: repository });
      else if (!token) void this.renderRoot.querySelector<GgufRepository>("gguf-repository")?.reload();
      return;
    }
    const short = relativeAddress(url);
    if (this.#model === undefined && this.#location.url === short && this.#location.alone === undefined) {
      // A new token opens the file again anyway.
      if (!token) void this.#viewer?.reload();
      return;
    }
    this.#pageLocation.leave({ url: short });
  }

  /** Opens a link that was dropped: a file, or a repository. */
  async #openLink(link: string): Promise<void> {
    const library = await loadLibrary().catch(() => undefined);
    try {
      const source = typedSource(link, library?.parseRepository, document.baseURI);
      await this.#pageLocation.go("repository" in source ? { repo: source.repository } : { url: source.text });
    } catch (error) {
      this.fileProblem = error instanceof Error ? error.message : String(error);
    }
  }

  /** Called when the location has changed. */
  #onLocationChanged(): void {
    this.denied = false;
    this.tokenProblem = "";
    this.recent = readRecentAddresses();
    this.fileProblem = "";
    void this.#listFiles();
    // A token is not kept for another origin.
    if (this.token && this.#address !== "" && !isTokenFor(this.token, this.#address, document.baseURI))
      this.token = undefined;
    this.#arrived = true;
    const subject = this.#subjectName();
    if (subject === this.#subjectKnown) return;
    this.isEditable = false;
    this.#subjectKnown = subject;
    this.#name = subject;
    this.#setTitle();
  }

  /** Whether the open file may be closed. Asks the person if there are unsaved changes. */
  #mayLeave(): Promise<boolean> {
    return this.#viewer?.mayLeave() ?? Promise.resolve(true);
  }

  /** Opens the model that the files are. If they are several models, the person chooses one. */
  async #openFiles(chosen: readonly ChosenFile[]): Promise<void> {
    const models = await modelsOf(chosen).catch((error: unknown) => {
      this.fileProblem = refusalText(failureOf(error));
    });
    if (!models) return;
    const [first] = models;
    if (models.length > 1) {
      const model = await this.renderRoot.querySelector<GgufModelChoice>("gguf-model-choice")?.choose(models);
      if (model) await this.#openModel(model);
    } else if (first) {
      await this.#openModel(first);
    } else {
      this.fileProblem = "There is no .gguf file in what you chose.";
    }
  }

  /** Opens files that are still being looked for. */
  async #openChosen(choosing: Promise<readonly ChosenFile[] | null>): Promise<void> {
    this.fileProblem = "";
    try {
      const chosen = await choosing;
      if (chosen) await this.#openFiles(chosen);
    } catch {
      this.fileProblem = "The folder could not be read. It may have been moved, or the browser did not allow it.";
    }
  }

  async #openModel(model: LocalModel): Promise<void> {
    this.fileProblem = "";
    await this.#pageLocation.open(model);
    const [file] = model.files;
    // Only single files are remembered: the browser would ask for permission for each shard.
    if (file && model.files.length === 1) await rememberFile(file);
    await this.#listFiles();
  }

  readonly #onSaved = async ({ detail }: CustomEvent<LocalFile & { source: File | readonly File[] }>) => {
    const { source, ...saved } = detail;
    this.#pageLocation.continueWith(saved, source);
    if (source === saved.file) await rememberFile(saved);
  };

  /** Opens one shard of the open set alone, or the whole set of a shard. */
  readonly #onShard = (event: CustomEvent<ShardRequest>) => {
    event.preventDefault();
    const { source, isAlone } = event.detail;
    if (typeof source === "string")
      void this.#pageLocation.go({ url: relativeAddress(source), ...(isAlone ? { alone: "shard" as const } : {}) });
    else {
      const file = this.#model?.files.find((one) => one.file === source);
      if (file) void this.#pageLocation.open(singleModel(file));
    }
  };

  /** Opens files that the page has written. */
  readonly #onOpenFiles = (event: CustomEvent<readonly LocalFile[]>) => {
    event.preventDefault();
    void this.#openFiles(event.detail.map((one) => ({ ...one, folder: "" })));
  };

  async #listFiles(): Promise<void> {
    this.files = await readRecentFiles();
  }

  readonly #onReopen = async ({ detail }: CustomEvent<RecentFile>) => {
    this.fileProblem = "";
    const reopened = await reopenFile(detail);
    if (typeof reopened === "string") this.fileProblem = reopenMessage(detail.name, reopened);
    else await this.#openModel(singleModel(reopened));
  };

  readonly #onForgetFile = async ({ detail }: CustomEvent<RecentFile>) => {
    this.fileProblem = "";
    await forgetFile(detail.id);
    await this.#listFiles();
  };

  readonly #onOpen = (event: CustomEvent<Gguf>) => {
    this.isEditable = this.#viewer?.canEdit ?? false;
    const name = modelName(event.detail, this.#subjectName() ?? "");
    this.#name = name;
    this.#setTitle();
    const { url } = this.#location;
    if (this.#model === undefined && url !== undefined && formatHash({ url }) !== SAMPLE)
      rememberAddress({ url, name });
  };

  readonly #onListed = ({ detail: { id } }: CustomEvent<Repository>) => {
    this.denied = false;
    const repo = this.#repository;
    if (repo !== undefined) rememberAddress({ url: repositoryPage(repo), name: id, repo });
  };

  readonly #onRepositoryError = (event: CustomEvent<Failure>) => {
    this.denied = TOKEN_HELPS.has(event.detail.code);
  };

  readonly #onRepositoryView = ({ detail: { filter, sort } }: CustomEvent<RepositoryView>) => {
    this.#pageLocation.update({ "repo.filter": filter, "repo.sort": sort });
  };

  /** In a compact window, the edit bar of the viewer takes the place of the header. */
  readonly #onEdit = async ({ detail }: CustomEvent<EditStatus>) => {
    this.#setTitle(detail.name, detail.unsaved);
    const isEditing = detail.name !== undefined;
    if (this.isEditing === isEditing) return;
    this.isEditing = isEditing;
    if (isEditing || !this.#compact.matches) return;
    await this.updateComplete;
    this.renderRoot.querySelector<GgufPageHeader>("gguf-page-header")?.focusEdit();
  };

  readonly #beginEdit = async () => {
    await this.#viewer?.edit();
    await this.updateComplete;
    this.#viewer?.focusIfLost();
  };

  readonly #onError = (event: CustomEvent<Failure>) => {
    const { status } = event.detail;
    this.isEditable = false;
    this.denied = this.#model === undefined && (status === 401 || status === 403);
  };

  /** Opens the address again with a token. */
  readonly #onToken = (event: CustomEvent<string>) => {
    try {
      this.token = tokenFor(event.detail, this.#address, document.baseURI);
      this.tokenProblem = "";
      (event.target as GgufTokenForm).clear();
    } catch (error) {
      this.tokenProblem = error instanceof Error ? error.message : String(error);
    }
  };

  /** The address that requests go to. */
  get #address(): string {
    return this.#location.url ?? (this.#repository === undefined ? "" : addressIn(this.#repository));
  }

  /** The host of the address. */
  get #host(): string | undefined {
    const origin = originOf(this.#address, document.baseURI);
    return origin && new URL(origin).host;
  }

  /** A link to the file and row that are shown. */
  readonly #link = () => new URL(formatHash(this.#location), window.location.href).href;

  readonly #announce = (event: CustomEvent<string>) => {
    this.#viewer?.dispatchEvent(new CustomEvent("gguf-announce", { detail: event.detail }));
  };

  readonly #onView = ({ detail: view }: CustomEvent<View>) => this.#pageLocation.visit({ view });

  readonly #onTable = ({ detail }: CustomEvent<PanelStates>) => this.#pageLocation.updatePanels(detail);

  readonly #onSelect = (event: CustomEvent<{ key?: string; tensor?: string }>) => {
    // A table may find its row only after the person has gone to another panel.
    if ((event.composedPath()[0] as HTMLElement).hidden) return;
    const view = this.#viewer?.view;
    this.#pageLocation.update({ ...(view === undefined ? {} : { view }), ...event.detail });
  };

  get #headerSubject(): HeaderSubject | undefined {
    const name = this.#subjectName();
    if (name === undefined) return undefined;
    const isLocal = this.#model !== undefined;
    return {
      name,
      address: isLocal ? "" : (this.#location.url ?? this.#repository ?? ""),
      link: isLocal ? undefined : this.#link,
      isEditable: this.isEditable,
    };
  }

  #subjectName(): string | undefined {
    const { url } = this.#location;
    return this.#model?.name ?? (url === undefined ? this.#repository : fileName(url));
  }

  readonly #choose = async () => {
    const chosen = await chooseFiles();
    if (chosen) void this.#openFiles(chosen);
    // The browser has no file picker that returns handles, or refuses it in this frame.
    else if (chosen === undefined) this.renderRoot.querySelector<HTMLInputElement>("input[type=file]")?.click();
  };

  readonly #onChosen = (event: Event) => {
    const input = event.target as HTMLInputElement;
    const chosen = [...(input.files ?? [])].map((file) => ({ file, folder: "" }));
    // The same file can then be chosen again.
    input.value = "";
    if (chosen.length > 0) void this.#openFiles(chosen);
  };

  readonly #chooseFolder = () => this.#openChosen(chooseFilesOfFolder());
}

define("gguf-app", GgufApp);

declare global {
  interface HTMLElementTagNameMap {
    "gguf-app": GgufApp;
  }
}
