import { css, type LitElement, type ReactiveController } from "lit";

/** What a box does with files. */
export interface DropBoxOwner {
  /** Gets the files that are dropped, at least one. */
  readonly take: (files: readonly File[]) => void;
  /** Whether files can be dropped now. By default they always can. */
  readonly isOpen?: () => boolean;
}

/** A part of a page that takes dropped files. Folders and links are for the page around, and so are files while the box is closed. */
export class DropBox implements ReactiveController {
  /** Whether a file is dragged over the element. */
  isOver = false;

  readonly #host: LitElement;
  readonly #owner: DropBoxOwner;

  constructor(host: LitElement, owner: DropBoxOwner) {
    this.#host = host;
    this.#owner = owner;
    host.addController(this);
  }

  hostConnected(): void {
    this.#host.addEventListener("dragover", this.#onDragOver);
    this.#host.addEventListener("dragleave", this.#onDragLeave);
    this.#host.addEventListener("drop", this.#onDrop);
  }

  hostDisconnected(): void {
    this.#host.removeEventListener("dragover", this.#onDragOver);
    this.#host.removeEventListener("dragleave", this.#onDragLeave);
    this.#host.removeEventListener("drop", this.#onDrop);
  }

  get #isOpen(): boolean {
    return this.#owner.isOpen?.() ?? true;
  }

  #setOver(isOver: boolean): void {
    if (isOver === this.isOver) return;
    this.isOver = isOver;
    this.#host.requestUpdate();
  }

  readonly #onDragOver = (event: DragEvent) => {
    if (!this.#isOpen || !event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    this.#setOver(true);
  };

  readonly #onDragLeave = () => this.#setOver(false);

  readonly #onDrop = (event: DragEvent) => {
    this.#setOver(false);
    const files = [...(event.dataTransfer?.files ?? [])];
    const isFolder = [...(event.dataTransfer?.items ?? [])].some((item) => item.webkitGetAsEntry()?.isDirectory);
    if (files.length === 0 || isFolder || !this.#isOpen) return;
    // The page around does not open them as a model.
    event.preventDefault();
    this.#owner.take(files);
  };
}

/** The box: an element with the class `drop-box`, and `over` while a file is dragged over it. */
export const dropBoxStyles = css`
  .drop-box {
    padding: 12px;
    border: 1px dashed var(--gguf-line-strong);
    border-radius: var(--gguf-radius);
  }
  .drop-box.over {
    border-color: var(--gguf-accent);
    background: var(--gguf-accent-soft);
  }
`;
