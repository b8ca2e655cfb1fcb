import type { LitElement, ReactiveController } from "lit";
import { whenIdle, whenPainted } from "../ui/idle.ts";
import type { PartLoader } from "../ui/part-loader.ts";
import { loadParts, type SummaryPart } from "./parts.ts";

/** How far below the visible area a place may be when its part is loaded. */
const AHEAD = "300px";

/**
 * Shows the parts whose places come into view, and then the other parts, even while another panel is shown. A place is an element whose
 * attribute `data-part` names the part.
 */
export class PartPlaces implements ReactiveController {
  readonly #host: LitElement;
  readonly #loader: PartLoader;
  readonly #parts: readonly SummaryPart[];
  /** The names of the parts that are loaded, or being loaded. */
  readonly #seen = new Set<string>();
  #places: IntersectionObserver | undefined;
  /** Whether parts out of view are being shown. */
  #isGoingOn = false;
  /** Whether the host is visible, and not in the panel behind another tab. */
  #isShown = false;

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
    const places = [...this.#host.renderRoot.querySelectorAll<HTMLElement>("[data-part]")];
    const isMissing = (place: HTMLElement) => !this.#seen.has(place.dataset["part"] ?? "");
    const first = places.filter((place) => this.#partOf(place)?.isFirst && isMissing(place));
    // The observer tells a frame later what is in view. Asking takes time, too, so it is asked once.
    const isVisible = first.length > 0 && this.#host.checkVisibility();
    for (const place of places) {
      if (this.#partOf(place)?.isEager || (isVisible && first.includes(place))) this.#load(place);
      else this.#places?.observe(place);
    }
  }

  #partOf({ dataset }: HTMLElement): SummaryPart | undefined {
    return this.#parts.find(({ name }) => name === dataset["part"]);
  }

  hostDisconnected(): void {
    this.#places?.disconnect();
  }

  #onPlaces(entries: readonly IntersectionObserverEntry[]): void {
    const visible = entries.filter(({ isIntersecting }) => isIntersecting);
    // A hidden place has no width. To ask for it here would take the time of a layout.
    this.#isShown = entries.some(({ boundingClientRect }) => boundingClientRect.width > 0);
    for (const { target } of visible) this.#load(target as HTMLElement);
    if (!this.#isShown) void whenIdle().then(loadParts);
    void this.#showOthers();
  }

  /**
   * Adds all other parts to the document a moment later, so that screen readers and the search of the browser find them. Parts are also
   * made while a person looks at another panel: then only the pictures are left to draw. This includes computing the memory of the model,
   * in a worker if it takes long.
   */
  async #showOthers(): Promise<void> {
    if (this.#isGoingOn) return;
    this.#isGoingOn = true;
    for (let next = await this.#nextPlace(); next; next = await this.#nextPlace()) this.#load(next);
    this.#isGoingOn = false;
  }

  /** The next place whose part can be shown when there is time. Undefined if all parts are shown. */
  async #nextPlace(): Promise<HTMLElement | undefined> {
    await (this.#isShown ? whenPainted() : whenIdle());
    if (!this.#host.isConnected) return undefined;
    const places = [...this.#host.renderRoot.querySelectorAll<HTMLElement>("[data-part]")];
    return places.find((place) => !this.#seen.has(place.dataset["part"] ?? ""));
  }

  #load(place: HTMLElement): void {
    const part = this.#partOf(place);
    if (part === undefined || this.#seen.has(part.name)) return;
    this.#seen.add(part.name);
    void this.#loader.show(part);
    this.#host.requestUpdate();
  }
}
