/** The key "/", which moves the focus to a search field. A search field has the attribute `aria-keyshortcuts="/"`. */

import type { ReactiveController } from "lit";

const SEARCH = '[aria-keyshortcuts="/"]';

/** The types of input fields that take no text. */
const WITHOUT_TEXT: readonly string[] = [
  "button",
  "checkbox",
  "color",
  "file",
  "image",
  "radio",
  "range",
  "reset",
  "submit",
];

/**
 * When "/" is pressed, moves the focus to a search field in `root`. If the focus is in `root`, the search field nearest to it is taken.
 * Does nothing while a person types into a field. Returns true if "/" was pressed but no search field is visible.
 */
export function focusSearch(event: KeyboardEvent, root: Element | null): boolean {
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return false;
  if (!root || event.defaultPrevented || event.isComposing) return false;
  const path = event.composedPath();
  if (takesText(path[0])) return false;
  const at = path.indexOf(root);
  const around = path.slice(0, Math.max(0, at)).filter((node) => node instanceof Element || node instanceof ShadowRoot);
  for (const node of [...around, root]) {
    const search = visibleSearch(node);
    if (!search) continue;
    event.preventDefault();
    search.focus();
    return false;
  }
  return true;
}

/** Whether a person types text into an element. */
export function takesText(target: EventTarget | undefined): boolean {
  if (target instanceof HTMLInputElement) return !WITHOUT_TEXT.includes(target.type);
  // A list chooses the option that begins with what is typed.
  if (target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement) return true;
  return target instanceof HTMLElement && target.isContentEditable;
}

/** Moves the focus to the search field in `root`, if one is visible. */
export function showSearch(root: Element): void {
  visibleSearch(root)?.focus();
}

/** The first visible search field in a tree and its shadow trees. */
function visibleSearch(root: Element | ShadowRoot): HTMLElement | undefined {
  for (const element of [root, ...root.querySelectorAll("*")]) {
    if (!(element instanceof HTMLElement) || !element.checkVisibility()) continue;
    if (element.matches(SEARCH)) return element;
    const found = element.shadowRoot && visibleSearch(element.shadowRoot);
    if (found) return found;
  }
  return undefined;
}

/** Gives the key "/" to an element that is the whole page, wherever the focus is. */
export class PageSearchKey implements ReactiveController {
  readonly #host: Element;

  constructor(host: Element) {
    this.#host = host;
  }

  hostConnected(): void {
    document.addEventListener("keydown", this.#onKey);
  }

  hostDisconnected(): void {
    document.removeEventListener("keydown", this.#onKey);
  }

  readonly #onKey = (event: KeyboardEvent) => void focusSearch(event, this.#host);
}
