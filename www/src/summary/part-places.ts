import type { LitElement, ReactiveController } from "lit";
import { whenIdle, whenPainted } from "../ui/idle.ts";
import type { PartLoader } from "../ui/part-loader.ts";
import { loadParts, type SummaryPart } from "./parts.ts";

/** How far below the visible area a place may be when its part is loaded. */
const AHEAD = "300px";

/** Shows the parts whose places come into view, and then the others, one in a frame. A place is an element with `data-part`, the name of its part. */
export class PartPlaces implements ReactiveController {
  readonly #host: LitElement;
  readonly #loader: PartLoader;
  readonly #parts: readonly SummaryPart[];
  /** The names of the parts that are loaded, or being loaded. */
  readonly #seen = new Set<string>();
  #places: IntersectionObserver | undefined;
  /** Whether parts outside of the visible area are being shown. */
  #isGoingOn = false;

  constructor(host: LitElement, loader: PartLoader, parts: readonly SummaryPart[]) {
    this.#host = host;
    this.#loader = loader;
    this.#parts = parts;
    for (const { name, load } of parts) if (!load) this.#seen.add(name);
    host.addController(this);
  }

  hostConnected(): void {
    this.#places = new IntersectionObserver((entries) => this.#onPlaces(entries), { rootMargin: AHEAD });
  }

  hostUpdated(): void {
    for (const place of this.#host.renderRoot.querySelectorAll<HTMLElement>("[data-part]")) {
      if (this.#parts.find(({ name }) => name === place.dataset["part"])?.isEager) this.#load(place);
      else this.#places?.observe(place);
    }
  }

  hostDisconnected(): void {
    this.#places?.disconnect();
  }

  #onPlaces(entries: readonly IntersectionObserverEntry[]): void {
    const visible = entries.filter(({ isIntersecting }) => isIntersecting);
    for (const { target } of visible) this.#load(target as HTMLElement);
    if (visible.length > 0) void this.#showOthers();
    // A person who looks at another panel will probably look at this one.
    else void whenIdle().then(loadParts);
  }

  /** Screen readers and the search of the browser find what is in the document, so all parts are, a moment later. */
  async #showOthers(): Promise<void> {
    if (this.#isGoingOn) return;
    this.#isGoingOn = true;
    for (let next = await this.#nextPlace(); next; next = await this.#nextPlace()) this.#load(next);
    this.#isGoingOn = false;
  }

  /** The first place whose part is not shown, after a frame. Undefined if there is none, or if the panel is not visible any more. */
  async #nextPlace(): Promise<HTMLElement | undefined> {
    await whenPainted();
    if (!this.#host.isConnected || !this.#host.checkVisibility()) return undefined;
    const places = [...this.#host.renderRoot.querySelectorAll<HTMLElement>("[data-part]")];
    return places.find((place) => !this.#seen.has(place.dataset["part"] ?? ""));
  }

  #load({ dataset }: HTMLElement): void {
    const name = dataset["part"] ?? "";
    const part = this.#parts.find((row) => row.name === name);
    if (part === undefined || this.#seen.has(name)) return;
    this.#seen.add(name);
    void this.#loader.show(part);
    this.#host.requestUpdate();
  }
}
