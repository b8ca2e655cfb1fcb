import type { ReactiveController, ReactiveControllerHost } from "lit";

// The height of the scrolled track in px. Browsers limit the height of an element (Firefox to 17.9 million px, Chromium and WebKit to 33.5
// million) and lose precision before that. A taller list scrolls over a shorter track: small steps move by their distance in px, jumps of
// the scroll bar in proportion.
const MAX_TRACK_HEIGHT = 4_000_000;
const OVERSCAN = 8;

/** A row that does not have the height of the others, or has an open detail below it. */
export interface OddRow {
  readonly row: number;
  /** The height of the row itself. Undefined: that of the other rows. */
  readonly own: number | undefined;
  /** The height of its detail; 0 if it is closed. */
  readonly detail: number;
}

/** Selects the rows that must be in the document from a list of any length, and places them. */
export class VirtualRows implements ReactiveController {
  #host: ReactiveControllerHost;
  #findScroller: () => HTMLElement | null;
  #scroller: HTMLElement | null = null;
  #resizes: ResizeObserver;
  #count = 0;
  #rowHeight = 32;
  /** Sorted by row. */
  #odd: readonly OddRow[] = [];
  /** By how much the odd rows before each odd row move it down. The last number is for the rows after all odd ones. */
  #shifts: readonly number[] = [0];
  /** The start of the view, in px of the unshortened list. */
  #top = 0;
  #lastScroll = 0;
  #viewHeight = 600;
  #headHeight = 0;
  #shown = "";
  /** Whether the rows have got another height, so that the scroller must follow the first visible one. */
  #isMoved = false;
  /** Whether the head may have got another height, too. */
  #isResized = false;
  /** The row that keeps its place in the view while rows and details above it change their height, until a person scrolls. */
  #held: { readonly row: number; readonly where: "middle" | "start" } | undefined;
  #settling: ReturnType<typeof setTimeout> | undefined;

  constructor(host: ReactiveControllerHost, findScroller: () => HTMLElement | null) {
    this.#host = host;
    this.#findScroller = findScroller;
    this.#resizes = new ResizeObserver(() => this.#measure());
    host.addController(this);
  }

  hostUpdated(): void {
    const scroller = this.#findScroller();
    if (scroller === this.#scroller) {
      if (this.#isResized) this.#measureHead();
      this.#isResized = false;
      if (this.#held) this.#hold(this.#held.row, this.#held.where);
      else if (this.#isMoved) this.#settle();
      this.#isMoved = false;
      return;
    }
    this.#detach();
    this.#scroller = scroller;
    if (!scroller) return;
    scroller.addEventListener("scroll", this.#onScroll, { passive: true });
    this.#resizes.observe(scroller);
    this.#measure();
  }

  hostDisconnected(): void {
    this.#detach();
  }

  #detach(): void {
    clearTimeout(this.#settling);
    this.#resizes.disconnect();
    this.#scroller?.removeEventListener("scroll", this.#onScroll);
    this.#scroller = null;
  }

  #measure(): void {
    const scroller = this.#scroller;
    if (!scroller || scroller.clientHeight === 0) return;
    this.#measureHead();
    if (scroller.clientHeight === this.#viewHeight) return;
    this.#viewHeight = scroller.clientHeight;
    this.#host.requestUpdate();
  }

  #measureHead(): void {
    this.#headHeight = this.#scroller?.querySelector<HTMLElement>("[data-head]")?.offsetHeight ?? 0;
  }

  /** Sets the list. Must be called before `window` whenever the list may have changed. */
  setRows(count: number, rowHeight: number, odd: readonly OddRow[]): void {
    const first = rowHeight !== this.#rowHeight && this.#top > 0 ? this.#rowAt(this.#top) : undefined;
    if (odd !== this.#odd || rowHeight !== this.#rowHeight) {
      let shift = 0;
      this.#shifts = [0, ...odd.map(({ own, detail }) => (shift += (own ?? rowHeight) - rowHeight + detail))];
    }
    this.#isResized ||= rowHeight !== this.#rowHeight;
    this.#count = count;
    this.#rowHeight = rowHeight;
    this.#odd = odd;
    if (first !== undefined) {
      this.#top = this.#offsetOf(first);
      this.#isMoved = true;
    }
    this.#top = Math.max(0, Math.min(this.#top, this.#furthest()));
  }

  /** The height of the scrolled element. */
  get trackHeight(): number {
    return Math.min(this.#height(), MAX_TRACK_HEIGHT);
  }

  /** The number of rows that fit into the view. */
  get pageRows(): number {
    return Math.max(1, Math.floor((this.#viewHeight - this.#headHeight) / this.#rowHeight) - 1);
  }

  /** The rows to render, and the position of the first one in the track. */
  window(): { first: number; last: number; top: number } {
    const first = Math.max(0, this.#rowAt(this.#top) - OVERSCAN);
    const last = Math.min(this.#count, this.#rowAt(this.#top + this.#viewHeight) + 1 + OVERSCAN);
    const top = this.#scaled() ? this.#offsetOf(first) - this.#top + this.#lastScroll : this.#offsetOf(first);
    return { first, last, top };
  }

  /** The distance between the starts of two rows. In a shortened track, it is limited to a few views. */
  distance(from: number, to: number): number {
    const distance = this.#offsetOf(to) - this.#offsetOf(from);
    const most = this.#viewHeight * 3;
    return this.#scaled() ? Math.max(-most, Math.min(distance, most)) : distance;
  }

  /** Scrolls by the least distance that makes a row visible, or puts the row in the middle or at the start of the view. */
  reveal(row: number, where: "nearest" | "middle" | "start" = "nearest"): void {
    if (where !== "nearest") {
      this.#held = { row, where };
      this.#goTo(this.#placeOf(row, where));
      return;
    }
    this.#held = undefined;
    const view = this.#viewHeight - this.#headHeight;
    const start = this.#offsetOf(row);
    const end = start + this.#ownHeight(row);
    if (start < this.#top) this.#goTo(start);
    else if (end > this.#top + view) this.#goTo(end - view);
  }

  /** Takes over the place to which the page itself has scrolled. This is no scroll of a person, so a held row keeps its place. */
  follow(): void {
    const scroller = this.#scroller;
    if (!scroller) return;
    this.#lastScroll = scroller.scrollTop;
    if (!this.#scaled()) this.#top = scroller.scrollTop;
  }

  scrollToTop(): void {
    this.#held = undefined;
    this.#goTo(0);
  }

  #hold(row: number, where: "middle" | "start"): void {
    const top = Math.max(0, Math.min(this.#placeOf(row, where), this.#furthest()));
    // Two pixels are left to the page, which may have scrolled for the border of the head.
    if (Math.abs(top - this.#top) > 2) this.#goTo(top);
  }

  /** The start of the view that has a row in its middle or at its start. */
  #placeOf(row: number, where: "middle" | "start"): number {
    const start = this.#offsetOf(row);
    if (where === "start") return start;
    return start - (this.#viewHeight - this.#headHeight - this.#ownHeight(row)) / 2;
  }

  /** The height of a row without its detail. */
  #ownHeight(row: number): number {
    const odd = this.#odd[this.#oddBefore(row)];
    return (odd?.row === row ? odd.own : undefined) ?? this.#rowHeight;
  }

  #goTo(top: number): void {
    this.#top = Math.max(0, Math.min(top, this.#furthest()));
    this.#settle();
    this.#host.requestUpdate();
  }

  #height(): number {
    return this.#count * this.#rowHeight + (this.#shifts.at(-1) ?? 0);
  }

  #scaled(): boolean {
    return this.#height() > MAX_TRACK_HEIGHT;
  }

  #furthest(): number {
    return Math.max(0, this.#height() + this.#headHeight - this.#viewHeight);
  }

  #furthestScroll(): number {
    return Math.max(0, this.trackHeight + this.#headHeight - this.#viewHeight);
  }

  /** The number of odd rows before the first one for which `isAfter` is true. */
  #countOdd(isAfter: (odd: OddRow, at: number) => boolean): number {
    let [low, high] = [0, this.#odd.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const odd = this.#odd[middle];
      if (odd && isAfter(odd, middle)) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  #oddBefore(row: number): number {
    return this.#countOdd((odd) => odd.row >= row);
  }

  #offsetOf(row: number): number {
    return row * this.#rowHeight + (this.#shifts[this.#oddBefore(row)] ?? 0);
  }

  #rowAt(offset: number): number {
    const started = this.#countOdd(({ row }, at) => row * this.#rowHeight + (this.#shifts[at] ?? 0) > offset);
    const last = this.#odd[started - 1];
    const row = Math.floor((offset - (this.#shifts[started] ?? 0)) / this.#rowHeight);
    return Math.max(0, Math.min(this.#count - 1, last ? Math.max(row, last.row) : row));
  }

  readonly #onScroll = () => {
    const scroller = this.#scroller;
    if (!scroller) return;
    const scroll = scroller.scrollTop;
    const step = scroll - this.#lastScroll;
    this.#lastScroll = scroll;
    if (Math.abs(step) >= 1) this.#held = undefined;
    if (!this.#scaled()) {
      this.#top = scroll;
    } else {
      const furthestScroll = this.#furthestScroll();
      const top =
        Math.abs(step) < this.#viewHeight * 2 ? this.#top + step : (scroll / furthestScroll) * this.#furthest();
      this.#top = Math.max(0, Math.min(top, this.#furthest()));
      clearTimeout(this.#settling);
      // Small steps let the track drift away from the list. At an end of the track, it must be corrected at once, or scrolling would stop
      // early. Otherwise it is corrected when scrolling has stopped.
      if (scroll <= 0 || scroll >= furthestScroll - 1) this.#settle();
      else this.#settling = setTimeout(() => this.#rest(), 160);
    }
    const { first, last } = this.window();
    const shown = `${first} ${last}`;
    if (shown === this.#shown && !this.#scaled()) return;
    this.#shown = shown;
    this.#host.requestUpdate();
  };

  /** Corrects the track, unless a scroll event is still pending: the correction would undo that scroll. */
  #rest(): void {
    if (this.#scroller?.scrollTop === this.#lastScroll) this.#settle();
  }

  /** Moves the track to the position of the list. */
  #settle(): void {
    const scroller = this.#scroller;
    if (!scroller) return;
    const furthest = this.#furthest();
    const wanted = this.#scaled() ? (furthest > 0 ? (this.#top / furthest) * this.#furthestScroll() : 0) : this.#top;
    // The track may still have its height from before the last change.
    const body = scroller.querySelector<HTMLElement>("[data-track]");
    if (body) body.style.height = `${this.trackHeight}px`;
    if (Math.abs(scroller.scrollTop - wanted) >= 1) scroller.scrollTop = wanted;
    if (this.#lastScroll !== scroller.scrollTop) {
      this.#lastScroll = scroller.scrollTop;
      this.#host.requestUpdate();
    }
  }
}
