import { html, nothing } from "lit";
import { hasStorage, MAX_SIZE_IN_MEMORY } from "./private-storage.ts";

/** A way to write new files. */
interface SaveAction {
  readonly title: string;
  readonly run: () => void;
}

interface SaveButtons {
  /** The size of the new files in bytes. */
  readonly size: number;
  /** Whether they are written into a folder. */
  readonly isSplit?: boolean;
  readonly isDisabled: boolean;
  /** Writes to a place that the person chooses, if the browser can do that. */
  readonly pick: SaveAction;
  readonly download: SaveAction;
}

/** The buttons that write new files in the ways that the browser has. */
export function renderSaveButtons({ size, isSplit = false, isDisabled, pick, download }: SaveButtons) {
  const picks = (isSplit ? window.showDirectoryPicker : window.showSaveFilePicker) !== undefined;
  const downloads = hasStorage() || size <= MAX_SIZE_IN_MEMORY;
  const button = ({ title, run }: SaveAction, isPrimary: boolean) =>
    html`<button type="button" class=${isPrimary ? "primary" : ""} aria-disabled=${isDisabled} @click=${run}>
      ${title}
    </button>`;
  return html`<div class="buttons">
    ${picks ? button(pick, true) : nothing} ${downloads ? button(download, !picks) : nothing}
    ${picks || downloads ? nothing : html`<p class="hint">This browser cannot save a file of this size.</p>`}
  </div>`;
}
