import { css, html, nothing, type ReactiveController, type ReactiveControllerHost, unsafeCSS } from "lit";
import { icons } from "../ui/icons.ts";
import { renderText } from "../ui/render-text.ts";
import { droppedFiles } from "./chosen-files.ts";
import type { ChosenFile } from "./local-file.ts";
import { windowSize } from "../ui/styles/breakpoints.ts";

/** What becomes of a dropped file: it is opened, or compared with the open one. */
export type DropPlace = "open" | "compare";

/** What a page does with what is dropped. */
export interface DropOwner {
  /** The name of the file that another one can be compared with. Undefined if there is none. */
  readonly comparedName: () => string | undefined;
  readonly takeFiles: (files: Promise<ChosenFile[]>, place: DropPlace) => void;
  readonly takeLink: (link: string, place: DropPlace) => void;
}

/** A window in which the two places are one above the other. */
const NARROW = `(max-width: ${windowSize(640).cssText})`;

/** Takes files, folders and links that are dropped anywhere in the window. */
export class FileDrop implements ReactiveController {
  /** Where a file or a link is dragged. Undefined while none is. */
  #over: DropPlace | undefined;

  /** Whether what is dragged comes from this page: its links are for the bookmarks bar or for other windows. */
  #isOwn = false;
  readonly #host: ReactiveControllerHost;
  readonly #owner: DropOwner;

  constructor(host: ReactiveControllerHost, owner: DropOwner) {
    this.#host = host;
    this.#owner = owner;
    host.addController(this);
  }

  hostConnected(): void {
    addEventListener("dragstart", this.#onDragStart);
    addEventListener("dragend", this.#onDragEnd);
    addEventListener("dragover", this.#onDragOver);
    addEventListener("dragleave", this.#onDragLeave);
    addEventListener("drop", this.#onDrop);
  }

  hostDisconnected(): void {
    removeEventListener("dragstart", this.#onDragStart);
    removeEventListener("dragend", this.#onDragEnd);
    removeEventListener("dragover", this.#onDragOver);
    removeEventListener("dragleave", this.#onDragLeave);
    removeEventListener("drop", this.#onDrop);
  }

  /** What is shown over the page while a file or a link is dragged. */
  render() {
    const over = this.#over;
    if (over === undefined) return nothing;
    const name = this.#owner.comparedName();
    return html`<div class="veil" aria-hidden="true">
      <p class=${over === "open" ? "over" : ""}>${icons.file}Drop to open</p>
      ${
        name === undefined
          ? nothing
          : html`<p class=${over === "compare" ? "over" : ""}>
              ${icons.file}Drop to compare<span>with ${renderText(name, { limit: 80 })}</span>
            </p>`
      }
    </div>`;
  }

  #setOver(over: DropPlace | undefined): void {
    if (over === this.#over) return;
    this.#over = over;
    this.#host.requestUpdate();
  }

  /** The place below the pointer: the second half of the window compares. */
  #placeOf({ clientX, clientY }: DragEvent): DropPlace {
    if (this.#owner.comparedName() === undefined) return "open";
    const share = matchMedia(NARROW).matches ? clientY / innerHeight : clientX / innerWidth;
    return share > 0.5 ? "compare" : "open";
  }

  readonly #onDragStart = () => {
    this.#isOwn = true;
  };

  readonly #onDragEnd = () => {
    this.#isOwn = false;
  };

  readonly #onDragOver = (event: DragEvent) => {
    if (this.#isOwn) {
      // Without this, a browser would go to a link that is dropped here. A panel may take it.
      if (!event.defaultPrevented && event.dataTransfer) event.dataTransfer.dropEffect = "none";
      event.preventDefault();
      return;
    }
    // A panel takes what is dropped here.
    if (event.defaultPrevented) {
      this.#setOver(undefined);
      return;
    }
    const types = event.dataTransfer?.types ?? [];
    if (!types.includes("Files") && !types.includes("text/uri-list")) return;
    event.preventDefault();
    if (event.dataTransfer) event.dataTransfer.dropEffect = "copy";
    this.#setOver(this.#placeOf(event));
  };

  readonly #onDragLeave = (event: DragEvent) => {
    // The event also fires when the pointer passes from one element to another. Only then is there a related target.
    if (event.relatedTarget === null) this.#setOver(undefined);
  };

  readonly #onDrop = (event: DragEvent) => {
    this.#setOver(undefined);
    // A panel has taken the file.
    if (event.defaultPrevented) return;
    const data = event.dataTransfer;
    if (!data) return;
    const files = [...data.items].filter((item) => item.kind === "file");
    const link = data
      .getData("text/uri-list")
      .split(/\r?\n/)
      .find((line) => line !== "" && !line.startsWith("#"));
    if (files.length === 0 && !link) return;
    event.preventDefault();
    const place = this.#placeOf(event);
    if (files.length > 0) this.#owner.takeFiles(droppedFiles(files), place);
    else if (link) this.#owner.takeLink(link, place);
  };
}

/** The veil, and the places on it. */
export const dropStyles = css`
  .veil {
    position: fixed;
    inset: 0;
    z-index: 10;
    display: grid;
    grid-auto-flow: column;
    grid-auto-columns: minmax(0, 1fr);
    gap: 16px;
    padding: 24px;
    background: color-mix(in oklab, var(--gguf-page) 82%, transparent);
    pointer-events: none;
  }
  .veil p {
    display: grid;
    place-content: center;
    justify-items: center;
    gap: 10px;
    min-width: 0;
    padding: 24px;
    border: 2px dashed var(--gguf-line-strong);
    border-radius: 14px;
    background: var(--gguf-surface);
    color: var(--gguf-ink-2);
    font-size: var(--gguf-text-title);
    font-weight: 600;
    text-align: center;
  }
  .veil p.over {
    border-color: var(--gguf-accent);
    color: var(--gguf-accent);
  }
  .veil span {
    max-width: 100%;
    font-size: var(--gguf-text-control);
    font-weight: 400;
    overflow-wrap: anywhere;
  }
  .veil svg {
    width: calc(28 * var(--gguf-unit));
    height: calc(28 * var(--gguf-unit));
  }
  @media ${unsafeCSS(NARROW)} {
    .veil {
      grid-auto-flow: row;
      grid-auto-columns: auto;
      grid-auto-rows: minmax(0, 1fr);
    }
  }
`;
