import type { LitElement, ReactiveController } from "lit";
import { focusedElement } from "../ui/focused-element.ts";

/**
 * Keeps the focus in the page when another file is opened. The element that had it, such as the field for the address, may be gone then: the
 * focus moves to the heading, so that the keyboard and screen readers continue at the new content.
 */
export class ArrivalFocus implements ReactiveController {
  readonly #host: LitElement;
  /** Whether an element of the page had the focus when the location changed. */
  #hadFocus = false;

  constructor(host: LitElement) {
    this.#host = host;
    host.addController(this);
  }

  /** Called when the location has changed, before the page shows the new content. */
  arrived(): void {
    this.#hadFocus = focusedElement() !== document.body;
  }

  hostUpdated(): void {
    if (!this.#hadFocus) return;
    this.#hadFocus = false;
    // The parts of the page update after the page itself, and may move the focus.
    setTimeout(() => {
      if (focusedElement() !== document.body) return;
      const heading = this.#host.renderRoot.querySelector<HTMLElement>("main > h1");
      if (!heading) return;
      heading.tabIndex = -1;
      heading.focus({ preventScroll: true });
    });
  }
}
