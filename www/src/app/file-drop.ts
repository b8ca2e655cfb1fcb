import type { ReactiveController, ReactiveControllerHost } from "lit";
import { droppedFiles } from "./chosen-files.ts";
import type { ChosenFile } from "./local-file.ts";

/** Opens files, folders and links that are dropped anywhere in the window. */
export class FileDrop implements ReactiveController {
  /** Whether a file or a link is dragged over the window. */
  over = false;

  /** Whether what is dragged comes from this page: its links are for the bookmarks bar or for other windows. */
  #isOwn = false;
  readonly #host: ReactiveControllerHost;
  readonly #onFiles: (files: Promise<ChosenFile[]>) => void;
  readonly #onLink: (link: string) => void;

  constructor(
    host: ReactiveControllerHost,
    onFiles: (files: Promise<ChosenFile[]>) => void,
    onLink: (link: string) => void,
  ) {
    this.#host = host;
    this.#onFiles = onFiles;
    this.#onLink = onLink;
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

  #setOver(over: boolean): void {
    if (over === this.over) return;
    this.over = over;
    this.#host.requestUpdate();
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
    const types = event.dataTransfer?.types ?? [];
    if (!types.includes("Files") && !types.includes("text/uri-list")) return;
    event.preventDefault();
    if (event.dataTransfer) event.dataTransfer.dropEffect = "copy";
    this.#setOver(true);
  };

  readonly #onDragLeave = (event: DragEvent) => {
    // The event also fires when the pointer passes from one element to another. Only then is there a related target.
    if (event.relatedTarget === null) this.#setOver(false);
  };

  readonly #onDrop = (event: DragEvent) => {
    this.#setOver(false);
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
    if (files.length > 0) this.#onFiles(droppedFiles(files));
    else if (link) this.#onLink(link);
  };
}
