import type { ReactiveController, ReactiveControllerHost } from "lit";

// Engines cap an element's height (Firefox at 17.9 million px, Chromium and WebKit at 33.5 million), and lose precision before that. A list
// that is taller is scrolled over a shorter track: small steps move by what the wheel says, jumps of the scroll bar go in proportion.
const TRACK = 4_000_000;
const OVERSCAN = 8;

/** What is in a row besides its own height: the detail that is open below it. */
export interface Extra {
  row: number;
  height: number;
}

/** Which of a great many rows of one height are worth having in the document, and where. */
export class VirtualRows implements ReactiveController {
  #host: ReactiveControllerHost;
  #findScroller: () => HTMLElement | null;
  #scroller: HTMLElement | null = null;
  #resizes: ResizeObserver;
  #count = 0;
  #rowHeight = 32;
  #extras: readonly Extra[] = [];
  /** Where the view begins, in a list that had no limit. */
  #top = 0;
  #lastScroll = 0;
  #viewHeight = 600;
  #headHeight = 0;
  #shown = "";
  /** The row that stays at the start of the view while what is around it grows, until someone scrolls. */
  #held: number | undefined;
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
      if (this.#held !== undefined) this.#hold(this.#held);
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
    const head = scroller.querySelector<HTMLElement>("[data-head]");
    this.#headHeight = head?.offsetHeight ?? 0;
    if (scroller.clientHeight === this.#viewHeight) return;
    this.#viewHeight = scroller.clientHeight;
    this.#host.requestUpdate();
  }

  /** Says what there is to show; call before `window` whenever it may have changed. */
  setRows(count: number, rowHeight: number, extras: readonly Extra[]): void {
    this.#count = count;
    this.#rowHeight = rowHeight;
    this.#extras = extras;
    this.#top = Math.max(0, Math.min(this.#top, this.#furthest()));
  }

  /** Height of the whole list as scrolled over. */
  get trackHeight(): number {
    return Math.min(this.#height(), TRACK);
  }

  /** Rows that fit into the view. */
  get pageRows(): number {
    return Math.max(1, Math.floor((this.#viewHeight - this.#headHeight) / this.#rowHeight) - 1);
  }

  /** The rows to render, and where in the track the first of them stands. */
  window(): { first: number; last: number; top: number } {
    const first = Math.max(0, this.#rowAt(this.#top) - OVERSCAN);
    const last = Math.min(this.#count, this.#rowAt(this.#top + this.#viewHeight) + 1 + OVERSCAN);
    const top = this.#scaled() ? this.#offsetOf(first) - this.#top + this.#lastScroll : this.#offsetOf(first);
    return { first, last, top };
  }

  /** How far below the start of one row another starts. In a list that is not scrolled to scale, at most some views away. */
  distance(from: number, to: number): number {
    const distance = this.#offsetOf(to) - this.#offsetOf(from);
    const most = this.#viewHeight * 3;
    return this.#scaled() ? Math.max(-most, Math.min(distance, most)) : distance;
  }

  /** Scrolls as little as makes the row visible, or to put it in the middle or at the start of the view. */
  reveal(row: number, where: "nearest" | "middle" | "start" = "nearest"): void {
    this.#held = where === "start" ? row : undefined;
    const view = this.#viewHeight - this.#headHeight;
    const start = this.#offsetOf(row);
    const end = start + this.#rowHeight;
    if (where === "middle") this.#goTo(start - (view - this.#rowHeight) / 2);
    else if (where === "start" || start < this.#top) this.#goTo(start);
    else if (end > this.#top + view) this.#goTo(end - view);
  }

  scrollToTop(): void {
    this.#held = undefined;
    this.#goTo(0);
  }

  #hold(row: number): void {
    const top = Math.min(this.#offsetOf(row), this.#furthest());
    if (Math.abs(top - this.#top) >= 1) this.#goTo(top);
  }

  #goTo(top: number): void {
    this.#top = Math.max(0, Math.min(top, this.#furthest()));
    this.#settle();
    this.#host.requestUpdate();
  }

  #height(): number {
    let height = this.#count * this.#rowHeight;
    for (const extra of this.#extras) height += extra.height;
    return height;
  }

  #scaled(): boolean {
    return this.#height() > TRACK;
  }

  #furthest(): number {
    return Math.max(0, this.#height() + this.#headHeight - this.#viewHeight);
  }

  #furthestScroll(): number {
    return Math.max(0, this.trackHeight + this.#headHeight - this.#viewHeight);
  }

  #offsetOf(row: number): number {
    let offset = row * this.#rowHeight;
    for (const extra of this.#extras) {
      if (extra.row >= row) break;
      offset += extra.height;
    }
    return offset;
  }

  #rowAt(offset: number): number {
    let before = 0;
    for (const extra of this.#extras) {
      const ownEnd = (extra.row + 1) * this.#rowHeight + before;
      if (offset < ownEnd) break;
      if (offset < ownEnd + extra.height) return extra.row;
      before += extra.height;
    }
    return Math.max(0, Math.min(this.#count - 1, Math.floor((offset - before) / this.#rowHeight)));
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
      // Small steps let the track drift away from the list. At an end of the track it has to be put right at once, or scrolling would
      // stop short; otherwise when the hand has come to rest.
      if (scroll <= 0 || scroll >= furthestScroll - 1) this.#settle();
      else this.#settling = setTimeout(() => this.#rest(), 160);
    }
    const { first, last } = this.window();
    const shown = `${first} ${last}`;
    if (shown === this.#shown && !this.#scaled()) return;
    this.#shown = shown;
    this.#host.requestUpdate();
  };

  /** Puts the track right, unless it has been scrolled already and that is yet to be told: what was asked for last would be undone. */
  #rest(): void {
    if (this.#scroller?.scrollTop === this.#lastScroll) this.#settle();
  }

  /** Puts the track where the list is. */
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
