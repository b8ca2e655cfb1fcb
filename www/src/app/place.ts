import type { ReactiveController, ReactiveControllerHost } from "lit";
import type { PageState } from "./location-hash.ts";
import { formatHash, parseHash } from "./page-hash.ts";
import type { Chosen } from "./file-picker.ts";
import { currentState, type HistoryState, pagePath } from "./history.ts";

/** What the page says of itself before it goes elsewhere, and is told when it has. */
export interface Traveller {
  /** Whether there are changes that would be lost. */
  unsaved: () => boolean;
  /** Whether what is shown may go: where it has been changed, that is asked. */
  mayLeave: () => Promise<boolean>;
  /** The page is somewhere else by now, or has been told to show another row. */
  arrived: () => void;
}

/** Where the page is: the location is the truth, and what is shown follows it, whether by link, by history or by this page. */
export class Place implements ReactiveController {
  /** What the hash says. */
  location: PageState = {};
  /** The file of this device that is shown, and where it can be saved. */
  file: Chosen | undefined;

  readonly #host: ReactiveControllerHost;
  readonly #traveller: Traveller;
  /** Files opened since the page was loaded, so that going back to one works, by what the history calls them: that outlives the page. */
  readonly #files = new Map<string, Chosen>();
  /** Where the page is, while the browser's history may be elsewhere and a question is open. */
  #here: { hash: string; state: HistoryState } = { hash: "", state: {} };
  /** Writes down what is looked at, a moment later. */
  #writing: ReturnType<typeof setTimeout> | undefined;

  constructor(host: ReactiveControllerHost, traveller: Traveller) {
    this.#host = host;
    this.#traveller = traveller;
    host.addController(this);
  }

  hostConnected(): void {
    addEventListener("popstate", this.#onLocation);
    addEventListener("pagehide", this.#write);
    this.#follow();
  }

  hostDisconnected(): void {
    removeEventListener("popstate", this.#onLocation);
    removeEventListener("pagehide", this.#write);
  }

  /** Goes elsewhere, unless something would be lost that is to be kept. */
  async go(location: PageState, state: HistoryState = {}): Promise<void> {
    if (await this.#traveller.mayLeave()) this.leave(location, state);
  }

  /** Goes elsewhere without asking. */
  leave(location: PageState, state: HistoryState = {}): void {
    this.#write();
    history.pushState(state, "", formatHash(location) || pagePath());
    this.#follow();
  }

  /** Goes to a file of this device. */
  async open(chosen: Chosen): Promise<void> {
    await this.go({ file: chosen.file.name }, { file: this.#keep(chosen) });
  }

  /** Goes on with the file that has been saved: in its place if it is the one that is shown, otherwise as another. */
  goOn(saved: Chosen): void {
    const { file: id } = currentState();
    if (this.file?.handle === saved.handle && id !== undefined) {
      this.#files.set(id, saved);
      this.file = saved;
      this.#host.requestUpdate();
      return;
    }
    this.leave({ file: saved.file.name }, { file: this.#keep(saved) });
  }

  #keep(chosen: Chosen): string {
    const id = crypto.randomUUID();
    this.#files.set(id, chosen);
    return id;
  }

  /**
   * Keeps the address in step with what is looked at, without a step in the history for every row or letter: the entry of a file holds
   * its last state. The state of the tables stays unless `looked` has another.
   */
  note(looked: Omit<PageState, "url" | "file">): void {
    const { url, metadata, tensors } = this.location;
    const subject = this.file === undefined ? (url === undefined ? {} : { url }) : { file: this.file.file.name };
    const tables = { ...(metadata ? { metadata } : {}), ...(tensors ? { tensors } : {}) };
    const location = { ...subject, ...tables, ...looked };
    // Names may be megabytes long; addresses may not.
    if (formatHash(location).length > 4000) return;
    this.location = location;
    this.#host.requestUpdate();
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

  readonly #onLocation = () => {
    const wanted = { location: parseHash(window.location.hash), state: currentState() };
    const elsewhere =
      wanted.location.url !== this.location.url || (wanted.state.file ?? "") !== (this.#here.state.file ?? "");
    if (!elsewhere || !this.#traveller.unsaved()) {
      this.#follow();
      return;
    }
    // The history has moved on already: it waits here until that is what is wanted.
    history.pushState(this.#here.state, "", this.#here.hash || pagePath());
    void this.go(wanted.location, wanted.state);
  };

  #follow(): void {
    // What was still to be written is about another place by now.
    clearTimeout(this.#writing);
    this.#writing = undefined;
    const location = parseHash(window.location.hash);
    const id = currentState().file;
    this.#here = { hash: window.location.hash, state: currentState() };
    this.file = location.url === undefined && id !== undefined ? this.#files.get(id) : undefined;
    this.location = location;
    this.#traveller.arrived();
    this.#host.requestUpdate();
  }
}
