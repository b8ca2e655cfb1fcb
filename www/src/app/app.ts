import type { Gguf } from "gguf-wasm/explain";
import { html, LitElement, nothing } from "lit";
import { state } from "lit/decorators.js";
import { keepEditsIn } from "../gguf/kept-edits.ts";
import { offerDropping } from "../gguf/error-texts.ts";
import type { Failure } from "../gguf/failure.ts";
import { loadLibrary } from "../gguf/library.ts";
import { preloadModules } from "./preload-modules.ts";
import { isGgufModel } from "../gguf/opened-model.ts";
import { typedSource } from "../gguf/repository-place.ts";
import type { EditStatus } from "../gguf/shown-file.ts";
import type { PanelStates, View } from "../panels.ts";
import { modelName } from "../summary/facts.ts";
import { keepChoicesIn } from "../ui/choices.ts";
import { COMPACT_WINDOW } from "../ui/compact.ts";
import { define } from "../ui/define.ts";
import { setDocumentation } from "../ui/documentation.ts";
import { icons } from "../ui/icons.ts";
import { MediaQuery } from "../ui/media-query.ts";
import { partStyles } from "../ui/part-loader.ts";
import { PageSearchKey } from "../ui/search-key.ts";
import { baseStyles, themeStyles } from "../ui/styles.ts";
import { escapeText } from "../ui/text.ts";
import type { ComparedFile } from "../viewer/row-navigation.ts";
import type { ShardRequest } from "../viewer/shard-requests.ts";
import "../viewer/viewer.ts";
import type { GgufViewer } from "../viewer/viewer.ts";
import { appStyles } from "./app-styles.ts";
import { ArrivalFocus } from "./arrival-focus.ts";
import { chooseFiles, chooseFilesOfFolder } from "./chosen-files.ts";
import { ConvertPart } from "./convert-part.ts";
import { renderConvertOffer } from "./convert-offer.ts";
import { dropStyles, FileDrop } from "./file-drop.ts";
import { relativeAddress } from "./history-state.ts";
import "./landing.ts";
import { onLaunchedFiles } from "./launched-files.ts";
import type { LocalFile } from "./local-file.ts";
import { LocalFiles } from "./local-files.ts";
import { type LocalModel, singleModel } from "./local-model.ts";
import type { PageState } from "./location-hash.ts";
import "./model-choice.ts";
import type { GgufModelChoice } from "./model-choice.ts";
import type { OpenRequest } from "./open-field.ts";
import { formatHash } from "./page-hash.ts";
import "./page-header.ts";
import type { GgufPageHeader, HeaderSubject } from "./page-header.ts";
import { rowLink, SAMPLE } from "./page-links.ts";
import { pageActions, recentItems } from "./page-actions.ts";
import { PagePalette } from "./page-palette.ts";
import { PageLocation } from "./page-location.ts";
import { PageSubject } from "./page-subject.ts";
import { forgetAddress, readRecentAddresses, type RecentAddress, rememberAddress } from "./recent-addresses.ts";
import type { RecentFile } from "./recent-files.ts";
import { RepositoryPart } from "./repository-part.ts";
import { SearchPart } from "./search-part.ts";
import { suggestedFiles } from "./suggested-files.ts";
import { TokenUse } from "./token-use.ts";
import { VersionNotice } from "./version-notice.ts";

const TITLE = "GGUF viewer";

/** The page: opens addresses and local files, and keeps the browser's location in step with what is shown. */
export class GgufApp extends LitElement {
  @state() private recent: readonly RecentAddress[] = readRecentAddresses();
  /** Whether the open file can be edited, or is being edited. */
  @state() private isEditable = false;
  @state() private isEditing = false;
  /** Why the file could not be opened. */
  @state() private failure: Failure | undefined;

  readonly #compact = new MediaQuery(this, COMPACT_WINDOW);
  readonly #pageLocation: PageLocation = new PageLocation(this, {
    asksBeforeLeaving: () => (this.#viewer?.asksBeforeLeaving ?? false) || this.#convertPart.asksBeforeLeaving,
    mayLeave: () => this.#mayLeave(),
    arrived: () => this.#onLocationChanged(),
  });
  readonly #subject = new PageSubject(this.#pageLocation);
  readonly #tokenUse = new TokenUse(this, () => this.#subject.requestAddress);
  readonly #repositoryPart = new RepositoryPart(this, this.#pageLocation, this.#tokenUse);
  readonly #searchPart = new SearchPart(this, this.#tokenUse);
  readonly #files: LocalFiles = new LocalFiles(this, {
    show: (model) => this.#pageLocation.open(model),
    choose: async (models) => this.renderRoot.querySelector<GgufModelChoice>("gguf-model-choice")?.choose(models),
  });
  readonly #convertPart: ConvertPart = new ConvertPart(this, this.#tokenUse, {
    open: (files) => this.#openWritten(files),
    chooseFolder: () => void this.#chooseFolder(),
    show: (source) =>
      void this.#pageLocation.open({ name: source.name, files: [], shardCount: 1, source, handle: undefined }),
  });
  readonly #drop: FileDrop = new FileDrop(this, {
    comparedName: () => {
      const model = this.#viewer?.model;
      return model && isGgufModel(model) ? this.#name : undefined;
    },
    takeFiles: (files, place) => {
      if (place === "open") void this.#files.openChosen(files);
      else void files.then((chosen) => this.#compare({ kind: "files", files: chosen.map(({ file }) => file) }));
    },
    takeLink: (link, place) => {
      if (place === "open") void this.#openLink(link);
      else this.#compare({ kind: "address", address: link });
    },
  });
  readonly #focus = new ArrivalFocus(this);
  readonly #versionNotice = new VersionNotice(this, () => this.#mayLeave());
  readonly #palette = new PagePalette(this, {
    viewer: () => this.#viewer,
    actions: () =>
      pageActions({
        home: () => void this.#pageLocation.go({}),
        choose: () => void this.#choose(),
        chooseFolder: () => void this.#chooseFolder(),
        openAddress: () => this.#focusField(),
      }),
    recent: () => recentItems(this.#files.recent, this.recent, (file) => void this.#files.reopen(file)),
  });
  /** Whether the last change of the location was to another file or row, not only to another state of a table. */
  #arrived = false;
  /** The name of the open model, or of its file until the model is open. */
  #name: string | undefined;
  /** The name of the file that the location names. */
  #subjectKnown: string | undefined;

  constructor() {
    super();
    this.addController(new PageSearchKey(this));
    onLaunchedFiles((files) => void this.#files.openChosen(files));
  }

  static override styles = [themeStyles, baseStyles, partStyles, appStyles, dropStyles];

  override connectedCallback(): void {
    super.connectedCallback();
    setDocumentation(new URL("docs/", document.baseURI).href);
    // The modules are loaded before they are needed. A file that is opened loads them in the order that it needs.
    if (!this.#subject.showsFile) void preloadModules();
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

  override willUpdate(): void {
    const converted = this.#subject.converted;
    const listed = this.#subject.repository ?? this.#subject.search;
    this.toggleAttribute("shows-file", this.#subject.showsFile || listed !== undefined || converted !== undefined);
    if (this.#subject.search !== undefined) this.#searchPart.load();
    if (this.#subject.repository !== undefined) this.#repositoryPart.load();
    if (converted) this.#convertPart.load();
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

  /** The open file. */
  #renderFile() {
    return html`<main>
      <h1 class="sr">${escapeText(this.#subject.name ?? TITLE, 200)}</h1>
      ${this.#files.problem === "" ? nothing : html`<p class="problem" role="alert">${icons.warning}${this.#files.problem}</p>`}
      <gguf-viewer
        .src=${this.#model === undefined ? (this.#location.url ?? "") : ""}
        .alone=${this.#location.alone === "shard"}
        .source=${this.#model?.source}
        .handle=${this.#model?.handle}
        .headers=${this.#tokenUse.token?.headers}
        .view=${this.#location.view}
        .panelStates=${this.#location}
        .rowLink=${rowLink}
        .suggestions=${suggestedFiles({
          model: this.#model,
          url: this.#location.url,
          together: this.#files.togetherWith(this.#model),
          files: this.#files.recent,
          addresses: this.recent,
        })}
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
        ${this.#tokenUse.denied ? this.#tokenUse.renderForm() : nothing}
        ${renderConvertOffer(this.failure, this.#location.url ?? "", () => void this.#chooseFolder())}
        <button type="button" @click=${this.#choose}>Choose a file</button>
      </gguf-viewer>
    </main>`;
  }

  #renderLanding() {
    return html`<gguf-landing
      .missing=${this.#location.file ?? ""}
      .sample=${SAMPLE}
      .tokenHost=${this.#tokenUse.token?.host ?? ""}
      .recent=${this.recent}
      .files=${this.#files.recent}
      .problem=${this.#files.problem}
      @gguf-reopen=${({ detail }: CustomEvent<RecentFile>) => void this.#files.reopen(detail)}
      @gguf-forget-file=${({ detail }: CustomEvent<RecentFile>) => void this.#files.forget(detail)}
      @gguf-choose=${this.#choose}
      @gguf-choose-folder=${this.#chooseFolder}
    ></gguf-landing>`;
  }

  override render() {
    const repository = this.#subject.repository;
    const converted = this.#subject.converted;
    const search = this.#subject.search;
    const shown = this.#subject.showsFile;
    return html`
      <gguf-page-header
        pageTitle=${TITLE}
        .subject=${this.#headerSubject}
        .tokenHost=${this.#tokenUse.token?.host ?? ""}
        ?compact=${this.#compact.matches}
        ?hidden=${this.#compact.matches && this.isEditing}
        .viewerMenu=${() => this.#viewer?.menu() ?? []}
        @gguf-home=${() => void this.#pageLocation.go({})}
        @gguf-choose=${this.#choose}
        @gguf-begin-edit=${this.#beginEdit}
        @gguf-announce=${this.#announce}
        @gguf-show=${({ detail }: CustomEvent<"palette" | "keys">) => this.#palette.show(detail)}
      ></gguf-page-header>
      ${
        shown
          ? this.#renderFile()
          : converted
            ? this.#convertPart.render(converted)
            : repository !== undefined
              ? this.#repositoryPart.render(repository)
              : search !== undefined
                ? this.#searchPart.render(search)
                : this.#renderLanding()
      }
      ${this.#versionNotice.render()} ${this.#palette.render()}
      <input class="sr" type="file" multiple tabindex="-1" aria-hidden="true" @change=${this.#onChosen} />
      <gguf-model-choice></gguf-model-choice>
      ${this.#drop.render()}
    `;
  }

  protected override createRenderRoot(): HTMLElement | DocumentFragment {
    const root = super.createRenderRoot();
    root.addEventListener(
      "gguf-address",
      (event) => void this.#openAddress((event as CustomEvent<OpenRequest>).detail),
    );
    root.addEventListener("gguf-token-remove", () => {
      this.#tokenUse.token = undefined;
    });
    root.addEventListener("gguf-forget", (event) => {
      forgetAddress((event as CustomEvent<string>).detail);
      this.recent = readRecentAddresses();
    });
    return root;
  }

  async #openAddress({ address: url, repository, search, token }: OpenRequest): Promise<void> {
    if (!(await this.#mayLeave())) return;
    if (token) this.#tokenUse.token = token;
    if (search !== undefined) {
      if (this.#subject.search !== search) this.#pageLocation.leave({ search });
      else if (!token) this.#searchPart.reload();
      return;
    }
    if (repository !== undefined) {
      if (this.#subject.repository !== repository) this.#pageLocation.leave({ repo: repository });
      else if (!token) this.#repositoryPart.reload();
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

  /** Compares the open file with another one. */
  #compare(other: ComparedFile): void {
    this.#viewer?.dispatchEvent(new CustomEvent("gguf-compare-with", { detail: other }));
  }

  /** Opens a link that was dropped: a file, or a repository. */
  async #openLink(link: string): Promise<void> {
    const library = await loadLibrary().catch(() => undefined);
    try {
      const source = typedSource(link, library?.parseRepository, document.baseURI);
      await this.#pageLocation.go("repository" in source ? { repo: source.repository } : { url: source.text });
    } catch (error) {
      this.#files.problem = error instanceof Error ? error.message : String(error);
    }
  }

  /** Called when the location has changed. */
  #onLocationChanged(): void {
    this.#tokenUse.addressChanged();
    this.recent = readRecentAddresses();
    this.#files.problem = "";
    void this.#files.list();
    this.#arrived = true;
    this.#focus.arrived();
    const subject = this.#subject.name;
    if (subject === this.#subjectKnown) return;
    this.isEditable = false;
    this.failure = undefined;
    this.#subjectKnown = subject;
    this.#name = subject;
    this.#setTitle();
  }

  /** Whether the open file may be closed. Asks the person if there are unsaved changes, or if a conversion runs. */
  async #mayLeave(): Promise<boolean> {
    return ((await this.#viewer?.mayLeave()) ?? true) && this.#convertPart.mayLeave();
  }

  readonly #onSaved = async ({ detail }: CustomEvent<LocalFile & { source: File | readonly File[] }>) => {
    const { source, ...saved } = detail;
    this.#pageLocation.continueWith(saved, source);
    if (source === saved.file) await this.#files.remember(saved);
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
    this.#openWritten(event.detail);
  };

  #openWritten(files: readonly LocalFile[]): void {
    void this.#files.open(files.map((one) => ({ ...one, folder: "" })));
  }

  readonly #onOpen = (event: CustomEvent<Gguf>) => {
    this.isEditable = this.#viewer?.canEdit ?? false;
    this.failure = undefined;
    this.#palette.fileOpened();
    const name = modelName(event.detail, this.#subject.name ?? "");
    this.#name = name;
    this.#setTitle();
    const { url } = this.#location;
    if (this.#model === undefined && url !== undefined && formatHash({ url }) !== SAMPLE)
      rememberAddress({ url, name });
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
    this.failure = event.detail;
    this.#tokenUse.denied = this.#model === undefined && (status === 401 || status === 403);
  };

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
    const { name, place } = this.#subject;
    if (name === undefined) return undefined;
    return {
      name,
      address: place ?? "",
      link: place === undefined ? undefined : this.#link,
      isEditable: this.isEditable,
    };
  }

  readonly #choose = async () => {
    const chosen = await chooseFiles();
    if (chosen) void this.#files.open(chosen);
    // The browser has no file picker that returns handles, or refuses it in this frame.
    else if (chosen === undefined) this.renderRoot.querySelector<HTMLInputElement>("input[type=file]")?.click();
  };

  readonly #onChosen = (event: Event) => {
    const input = event.target as HTMLInputElement;
    const chosen = [...(input.files ?? [])].map((file) => ({ file, folder: "" }));
    // The same file can then be chosen again.
    input.value = "";
    if (chosen.length > 0) void this.#files.open(chosen);
  };

  /** Moves the focus to the field for an address. */
  #focusField(): void {
    const header = this.renderRoot.querySelector<GgufPageHeader>("gguf-page-header");
    if (this.hasAttribute("shows-file")) header?.focusField();
    else this.renderRoot.querySelector<HTMLElement>("gguf-landing")?.focus();
  }

  readonly #chooseFolder = () => this.#files.openChosen(chooseFilesOfFolder());
}

keepChoicesIn(() => localStorage);
keepEditsIn(() => sessionStorage);
offerDropping();
define("gguf-app", GgufApp);

declare global {
  interface HTMLElementTagNameMap {
    "gguf-app": GgufApp;
  }
}
