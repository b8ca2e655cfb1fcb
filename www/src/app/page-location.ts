import type { ReactiveController, ReactiveControllerHost } from "lit";
import { placeOfLink } from "../gguf/repository-place.ts";
import type { PanelStates } from "../panels.ts";
import type { PageState } from "./location-hash.ts";
import { formatHash, parseHash, returnedState } from "./page-hash.ts";
import { type LocalModel, singleModel, withSavedFile } from "./local-model.ts";
import type { LocalFile } from "./local-file.ts";
import { currentState, type HistoryState, pagePath } from "./history-state.ts";

/** The callbacks of the page that owns a `PageLocation`. */
export interface LocationOwner {
  /** Whether `mayLeave` asks: there are unsaved changes, or a conversion runs. */
  asksBeforeLeaving: () => boolean;
  /** Whether the open file may be closed. Asks the person if something would be lost. */
  mayLeave: () => Promise<boolean>;
  /** Called when the location names another file or row. */
  arrived: () => void;
}

/**
 * Milliseconds until a changed state is written into the location, and until another panel is an entry of its own. A held key passes many
 * rows or panels, and Safari throws at the hundredth change within 30 seconds.
 */
const REST = 400;

/** The fields that `update` sets. */
type Viewed = Omit<PageState, "url" | "alone" | "file" | "repo" | "repo.as" | "search">;

/** The location of the page. The location decides what is shown, whether it was changed by a link, by the history or by the page itself. */
export class PageLocation implements ReactiveController {
  /** The content of the hash. */
  state: PageState = {};
  /** The local model that is shown. */
  model: LocalModel | undefined;

  readonly #host: ReactiveControllerHost;
  readonly #owner: LocationOwner;
  /** The local models that were opened since the page was loaded, by their id in the history. The history outlives the page. */
  readonly #models = new Map<string, LocalModel>();
  /** The location that is shown. The browser's location may differ while the person is asked. */
  #here: { hash: string; state: HistoryState } = { hash: "", state: {} };
  /** The timer of the next write to the location. */
  #writing: ReturnType<typeof setTimeout> | undefined;
  /** The timer that runs for a moment after another panel was chosen. */
  #passing: ReturnType<typeof setTimeout> | undefined;

  constructor(host: ReactiveControllerHost, traveller: LocationOwner) {
    this.#host = host;
    this.#owner = traveller;
    host.addController(this);
  }

  hostConnected(): void {
    addEventListener("popstate", this.#onLocation);
    addEventListener("pagehide", this.#write);
    // A link that is clicked must find the last state in the entry that it leaves.
    addEventListener("click", this.#write, { capture: true });
    this.#follow();
  }

  hostDisconnected(): void {
    removeEventListener("popstate", this.#onLocation);
    removeEventListener("pagehide", this.#write);
    removeEventListener("click", this.#write, { capture: true });
    this.#forgetTimers();
  }

  /** Drops a pending write: it is about a location that is left. */
  #forgetTimers(): void {
    clearTimeout(this.#writing);
    this.#writing = undefined;
    clearTimeout(this.#passing);
    this.#passing = undefined;
  }

  /** Goes to another location, unless the person wants to stay. */
  async go(location: PageState, state: HistoryState = {}): Promise<void> {
    if (await this.#owner.mayLeave()) this.leave(location, state);
  }

  /** Goes to another location without asking. */
  leave(location: PageState, state: HistoryState = {}): void {
    this.#write();
    history.pushState(state, "", formatHash(location) || pagePath());
    this.#follow();
  }

  /** Shows a local model. */
  async open(chosen: LocalModel): Promise<void> {
    await this.go({ file: chosen.name }, { file: this.#keep(chosen) });
  }

  /**
   * Continues with a saved file: in the same history entry if it is a file of the model that is shown, otherwise in a new one. `source` is
   * what the viewer shows already.
   */
  continueWith(saved: LocalFile, source: File | readonly File[]): void {
    const { file: id } = currentState();
    const { model } = this;
    if (model !== undefined && model.handle === saved.handle && id !== undefined) {
      this.model = withSavedFile(model, saved, source);
      this.#models.set(id, this.model);
      this.#host.requestUpdate();
      return;
    }
    this.leave({ file: saved.file.name }, { file: this.#keep(singleModel(saved)) });
  }

  #keep(chosen: LocalModel): string {
    const id = crypto.randomUUID();
    this.#models.set(id, chosen);
    return id;
  }

  /** Writes the state of the page into the location, without a new history entry. States of panels that `viewed` does not have are kept. */
  update(viewed: Viewed): void {
    const location = this.#locationOf(viewed);
    if (!location) return;
    this.#show(location);
    clearTimeout(this.#writing);
    this.#writing = setTimeout(this.#write, REST);
  }

  /** Writes the states of some panels into the location. The panel that is shown and its row are kept. */
  updatePanels(states: PanelStates): void {
    const { view, tensor, key } = this.state;
    this.update({ ...(view ? { view } : {}), ...(tensor ? { tensor } : {}), ...(key ? { key } : {}), ...states });
  }

  /** Goes to another panel of the shown file, in a new history entry. Panels that are passed within a moment share one entry. */
  visit(viewed: Viewed): void {
    const isPassing = this.#passing !== undefined;
    clearTimeout(this.#passing);
    this.#passing = setTimeout(() => (this.#passing = undefined), REST);
    if (isPassing) {
      this.update(viewed);
      return;
    }
    const location = this.#locationOf(viewed);
    if (!location) return;
    this.#write();
    try {
      history.pushState(currentState(), "", formatHash(location));
    } catch {
      // Safari limits the number of changes per time. The panel then shares the entry of the previous panel.
    }
    this.#here.hash = window.location.hash;
    this.#show(location);
  }

  /** The location with what is viewed. Undefined if it is too long: a name from a file may have megabytes. */
  #locationOf(viewed: Viewed): PageState | undefined {
    const { url, alone, file, repo, "repo.as": as, search, view, tensor, key, ...panels } = this.state;
    const opened = {
      ...(url === undefined ? {} : { url }),
      ...(alone === undefined ? {} : { alone }),
      ...(repo === undefined ? {} : { repo }),
      ...(as === undefined ? {} : { "repo.as": as }),
      ...(search === undefined ? {} : { search }),
    };
    const subject = this.model === undefined ? opened : { file: this.model.name };
    const location = { ...subject, ...panels, ...viewed };
    return formatHash(location).length > 4000 ? undefined : location;
  }

  #show(location: PageState): void {
    this.state = location;
    this.#host.requestUpdate();
  }

  readonly #write = () => {
    if (this.#writing === undefined) return;
    clearTimeout(this.#writing);
    this.#writing = undefined;
    history.replaceState(history.state, "", formatHash(this.state));
    this.#here.hash = window.location.hash;
  };

  readonly #onLocation = () => {
    const wanted = { location: readLocation(), state: currentState() };
    const elsewhere =
      wanted.location.url !== this.state.url ||
      wanted.location.alone !== this.state.alone ||
      wanted.location.repo !== this.state.repo ||
      wanted.location["repo.as"] !== this.state["repo.as"] ||
      wanted.location.search !== this.state.search ||
      (wanted.state.file ?? "") !== (this.#here.state.file ?? "");
    if (!elsewhere) {
      this.#return();
      return;
    }
    if (!this.#owner.asksBeforeLeaving()) {
      this.#follow();
      return;
    }
    // The browser has changed its location already. It goes back until the person has answered.
    history.pushState(this.#here.state, "", this.#here.hash || pagePath());
    void this.go(wanted.location, wanted.state);
  };

  /** Shows another entry of the same file. */
  #return(): void {
    const shown = this.state;
    const isLink = history.state === null;
    this.#follow();
    // A link sets all panels. An entry that was visited before sets its own panel: what was chosen in others since then is kept.
    if (isLink) return;
    this.update(returnedState(this.state, shown));
  }

  #follow(): void {
    this.#forgetTimers();
    moveQuery();
    // Links make entries without a state.
    if (history.state === null) history.replaceState({}, "");
    const location = readLocation();
    const id = currentState().file;
    // A repository of the hub is opened as the list of its files, so the location names the list.
    if (location.repo !== undefined && window.location.hash.startsWith("#url="))
      history.replaceState(history.state, "", formatHash(location));
    this.#here = { hash: window.location.hash, state: currentState() };
    this.model = location.url === undefined && id !== undefined ? this.#models.get(id) : undefined;
    this.state = location;
    this.#owner.arrived();
    this.#host.requestUpdate();
  }
}

/**
 * Moves what a link has in its query into the hash: `?url=` opens an address as `#url=` does. The page writes only hashes, which browsers
 * do not send to the host.
 */
function moveQuery(): void {
  const { pathname, search, hash } = window.location;
  if (search.startsWith("?url=")) history.replaceState(history.state, "", pathname + (hash || `#${search.slice(1)}`));
}

/**
 * The location that the hash names. A repository of the hub stands for the list of its files: a bookmark names the page that it is on, and a
 * person writes `#url=owner/name`.
 */
function readLocation(): PageState {
  const { url, ...rest } = parseHash(window.location.hash);
  const repo = url === undefined ? undefined : placeOfLink(url);
  return url === undefined ? rest : repo === undefined ? { url, ...rest } : { repo };
}
