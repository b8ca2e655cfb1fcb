import type { LitElement, ReactiveController } from "lit";
import { whenIdle } from "../ui/idle.ts";
import type { PartLoader } from "../ui/part-loader.ts";
import type { SummaryPart } from "./parts.ts";

/** How far below the visible area a place may be when its part is loaded. */
const AHEAD = "300px";

/** Loads the code of parts when their places come into view, and of the others when the page has nothing to do. A place is an element with `data-part`, the name of its part. */
export class PartPlaces implements ReactiveController {
  readonly #host: LitElement;
  readonly #loader: PartLoader;
  readonly #parts: readonly SummaryPart[];
  /** The names of the parts that are loaded, or being loaded. */
  readonly #seen = new Set<string>();
  #places: IntersectionObserver | undefined;

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
    for (const { isIntersecting, target } of entries) if (isIntersecting) this.#load(target as HTMLElement);
    // Screen readers and the search of the browser find what is in the document, so all parts are, a moment later.
    if (entries.some(({ isIntersecting }) => isIntersecting)) void whenIdle().then(this.#loadNext);
  }

  readonly #loadNext = () => {
    if (!this.#host.isConnected || !this.#host.checkVisibility()) return;
    const places = [...this.#host.renderRoot.querySelectorAll<HTMLElement>("[data-part]")];
    const next = places.find((place) => !this.#seen.has(place.dataset["part"] ?? ""));
    if (next === undefined) return;
    this.#load(next);
    void whenIdle().then(this.#loadNext);
  };

  #load({ dataset }: HTMLElement): void {
    const name = dataset["part"] ?? "";
    const part = this.#parts.find((row) => row.name === name);
    if (part === undefined || this.#seen.has(name)) return;
    this.#seen.add(name);
    void this.#loader.show(part);
    this.#host.requestUpdate();
  }
}
