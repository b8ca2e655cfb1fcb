import type { Change, Finding, Gguf, GgufSource } from "gguf-wasm";
import { html, type LitElement, nothing, type ReactiveController } from "lit";
import { announce } from "../ui/copy-button.ts";
import { deepActive } from "../ui/deep-active.ts";
import { changeSentence } from "./change-words.ts";
import { counted } from "../ui/numbers.ts";
import { modelName } from "../summary/facts.ts";
import { visible } from "../ui/text.ts";
import { obstacleNotice } from "./unplanned.ts";
import type { GgufAddEntry } from "./add-entry.ts";
import type { GgufAsk } from "./ask.ts";
import { editBar } from "./edit-bar.ts";
import { EditSession } from "./edit-session.ts";
import type { GgufFileSettings } from "./file-settings.ts";
import type { GgufSaveDialog } from "./save-dialog.ts";
import { clearCollected, type Original, type Saved } from "./saving.ts";

/** What edit mode needs of the viewer. */
export interface EditHost extends LitElement {
  readonly gguf: Gguf | undefined;
  /** What the open file is called. */
  readonly fileName: string;
  src: string;
  source: GgufSource | undefined;
  handle: FileSystemFileHandle | undefined;
  select(wanted: Selection): Promise<void>;
}

interface Selection {
  key?: string | undefined;
  tensor?: string | undefined;
}

/** How a file that can be edited stands, for a page around. */
export interface Edited {
  changes: number;
  /** Whether some of them have been saved nowhere. */
  unsaved: boolean;
  /** What the model will be called; undefined where it is not edited. */
  name: string | undefined;
}

/** Edit mode of a viewer: its session, its bar, its dialogs, its keys; and what is wrong with the file, edited or not. */
export class Editing implements ReactiveController {
  session: EditSession | undefined;
  readonly #host: EditHost;
  #findings: readonly Finding[] | undefined;
  #looking: ReturnType<typeof setTimeout> | undefined;
  /** Whether the next file that is opened is the one that is edited, saved. */
  #goesOn = false;
  /** What the current row is. */
  #current: Selection = {};

  constructor(host: EditHost) {
    this.#host = host;
    host.addController(this);
    host.addEventListener("gguf-select", (event) => {
      this.#current = (event as CustomEvent<Selection>).detail;
    });
  }

  hostConnected(): void {
    addEventListener("keydown", this.#onKey);
    this.#guard();
  }

  hostDisconnected(): void {
    removeEventListener("keydown", this.#onKey);
    removeEventListener("beforeunload", this.#onUnload);
  }

  /** What is wrong with the file, as it is or as it will be; undefined until that is known. */
  get findings(): readonly Finding[] | undefined {
    return this.session?.findings ?? this.#findings;
  }

  get unsaved(): boolean {
    return this.session?.unsaved ?? false;
  }

  /** Takes note of another file; says whether it is the one that was edited, which goes on. */
  opened(gguf: Gguf): boolean {
    this.#findings = undefined;
    clearTimeout(this.#looking);
    // First the file is shown.
    this.#looking = setTimeout(() => {
      if (this.#host.gguf !== gguf) return;
      this.#findings = gguf.validate();
      this.#host.requestUpdate();
    }, 0);
    const goesOn = this.#goesOn;
    this.#goesOn = false;
    if (goesOn) this.start();
    return goesOn;
  }

  /** Gives up the session with its file. */
  closed(): void {
    clearTimeout(this.#looking);
    const { session } = this;
    this.session = undefined;
    if (!session) return;
    session.end();
    void this.#host.updateComplete.then(() => setTimeout(() => session.free(), 0));
    this.#dirt();
  }

  /** Begins to edit. */
  readonly start = (): void => {
    const { gguf } = this.#host;
    if (!gguf || this.session) return;
    this.session = new EditSession(gguf, this.#findings);
    this.session.watch(this.#changed);
    this.#host.requestUpdate();
    void clearCollected().catch(() => undefined);
    const { obstacle } = this.session;
    announce(this.#host, obstacle ? `Editing. ${obstacleNotice(obstacle).title}` : "Editing. Open a row to change it.");
  };

  /** Ends editing, once nothing would be lost; says whether it has. */
  readonly stop = async (): Promise<boolean> => {
    if (!this.session || !(await this.mayLeave())) return false;
    this.closed();
    this.#host.requestUpdate();
    announce(this.#host, "No longer editing");
    return true;
  };

  /** Whether what has been changed is saved or may be lost; asks where it is not. */
  async mayLeave(): Promise<boolean> {
    if (!this.unsaved) return true;
    const count = this.session?.changes.length ?? 0;
    const ask = this.#find<GgufAsk>("gguf-ask");
    return (
      (await ask?.ask({
        title: "Leave without saving?",
        text: `${counted(count, "change")} ${count === 1 ? "has" : "have"} not been saved, and would be lost.`,
        yes: "Leave without saving",
        no: "Go on editing",
      })) ?? true
    );
  }

  /** Sums up what would be saved, and asks how. */
  readonly save = (): void => {
    if (this.session && this.session.changes.length > 0) void this.#find<GgufSaveDialog>("gguf-save-dialog")?.open();
  };

  readonly #changed = () => {
    this.#host.requestUpdate();
    this.#dirt();
  };

  /** Tells a page around whether there is anything to lose. */
  #dirt(): void {
    this.#guard();
    this.#host.dispatchEvent(
      new CustomEvent("gguf-edit", {
        detail: {
          changes: this.session?.changes.length ?? 0,
          unsaved: this.unsaved,
          name: this.session && modelName(this.session.described, this.#host.fileName),
        } satisfies Edited,
        bubbles: true,
        composed: true,
      }),
    );
  }

  /** Has the browser ask before the page is left, only while there is anything to lose: a listener has its price. */
  #guard(): void {
    if (this.unsaved && this.#host.isConnected) addEventListener("beforeunload", this.#onUnload);
    else removeEventListener("beforeunload", this.#onUnload);
  }

  #find<T extends Element>(name: string): T | null {
    return this.#host.renderRoot.querySelector<T>(name);
  }

  readonly #undo = () => this.#tell("Undone", this.session?.undo());
  readonly #redo = () => this.#tell("Done again", this.session?.redo());

  #tell(word: string, change: Change | undefined): void {
    if (change) announce(this.#host, `${word}: ${visible(changeSentence(change), 160)}`);
  }

  readonly #discard = () => {
    if (!this.session?.discard()) return;
    announce(this.#host, "All changes are undone; Redo does them again");
  };

  /** The file as saving knows it. */
  get #original(): Original {
    const { source, handle, fileName } = this.#host;
    return {
      name: fileName || "model.gguf",
      blob: source instanceof Blob ? source : undefined,
      handle: handle ?? (isHandle(source) ? source : undefined),
    };
  }

  /** Goes on with a file that has been saved, where it was. */
  readonly #reopen = async ({ handle }: Saved): Promise<boolean> => {
    const file = await handle?.getFile().catch(() => undefined);
    if (!handle || !file) return false;
    const host = this.#host;
    this.#goesOn = true;
    Object.assign(host, { src: "", source: file, handle });
    host.dispatchEvent(new CustomEvent("gguf-saved", { detail: { file, handle }, bubbles: true, composed: true }));
    // The viewer takes note of its file when it renders.
    const current = this.#current;
    await host.updateComplete;
    await host.select(current);
    return true;
  };

  readonly #onUnload = (event: BeforeUnloadEvent) => {
    if (this.unsaved) event.preventDefault();
  };

  readonly #onKey = (event: KeyboardEvent) => {
    const { session } = this;
    if (!session || event.altKey || !(event.ctrlKey || event.metaKey) || event.defaultPrevented) return;
    const path = event.composedPath();
    // Keys are for the viewer that has the focus, or for the only one where nothing has.
    if (!path.includes(this.#host) && path[0] !== document.body) return;
    const key = event.key.toLowerCase();
    if (path.some((node) => node instanceof HTMLDialogElement)) return;
    if (key === "s") {
      event.preventDefault();
      // What is being typed is applied when its field is left; afterwards the focus goes back to it.
      const focused = deepActive();
      if (isText(focused)) {
        focused?.blur();
        focused?.focus();
      }
      this.save();
      return;
    }
    if (isText(path[0])) return;
    if (key === "z" && !event.shiftKey) this.#undo();
    else if ((key === "z" && event.shiftKey) || (key === "y" && !event.shiftKey)) this.#redo();
    else return;
    event.preventDefault();
  };

  /** The bar above the tables while they are edited. */
  renderBar(stop: () => Promise<void>) {
    const { session } = this;
    if (!session) return nothing;
    return editBar({
      session,
      undo: this.#undo,
      redo: this.#redo,
      discard: this.#discard,
      add: this.#add,
      settings: this.#settings,
      stop,
      save: this.save,
    });
  }

  readonly #add = () => {
    void this.#find<GgufAddEntry>("gguf-add-entry")?.open(this.#currentEntry());
  };

  #currentEntry(): { key: string; position: number } | undefined {
    const { key } = this.#current;
    const position = this.session?.entries.findIndex((entry) => entry.key === key) ?? -1;
    return key === undefined || position < 0 ? undefined : { key, position };
  }

  readonly #settings = () => {
    void this.#find<GgufFileSettings>("gguf-file-settings")?.open();
  };

  /** The boxes that open over the page. */
  renderDialogs() {
    const { session } = this;
    return html`<gguf-ask></gguf-ask>${
        session
          ? html`<gguf-add-entry .session=${session}></gguf-add-entry>
              <gguf-file-settings .session=${session}></gguf-file-settings>
              <gguf-save-dialog
                .session=${session}
                .original=${this.#original}
                .saved=${this.#reopen}
              ></gguf-save-dialog>`
          : nothing
      }`;
  }
}

/** Whether keys there are for a text that is being written, which has an undo of its own. */
function isText(target: EventTarget | undefined): boolean {
  if (target instanceof HTMLTextAreaElement) return true;
  return target instanceof HTMLInputElement && !["checkbox", "radio", "button"].includes(target.type);
}

function isHandle(source: unknown): source is FileSystemFileHandle {
  return typeof FileSystemFileHandle === "function" && source instanceof FileSystemFileHandle;
}
