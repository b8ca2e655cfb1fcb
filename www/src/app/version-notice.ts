import { html, nothing, type ReactiveController, type ReactiveControllerHost } from "lit";
import type { OnNewVersion } from "./app-updates.ts";

/** Milliseconds from the load of the page until its other files are fetched: what the person looks at is fetched before them. */
const PAUSE = 3000;

/** Makes the page work without a network, and offers new versions of it. */
export class VersionNotice implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  readonly #mayLeave: () => Promise<boolean>;
  #change: (() => void) | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `mayLeave` asks the person if something would be lost. */
  constructor(host: ReactiveControllerHost, mayLeave: () => Promise<boolean>) {
    this.#host = host;
    this.#mayLeave = mayLeave;
    host.addController(this);
  }

  hostConnected(): void {
    // The server of `npx vite www` has no service worker.
    if (!import.meta.env.PROD || !("serviceWorker" in navigator) || savesData()) return;
    if (document.readyState === "complete") this.#begin();
    else addEventListener("load", this.#begin, { once: true });
  }

  hostDisconnected(): void {
    removeEventListener("load", this.#begin);
    clearTimeout(this.#timer);
  }

  readonly #begin = () => {
    this.#timer = setTimeout(() => void this.#keepFiles(), PAUSE);
  };

  async #keepFiles(): Promise<void> {
    const module = await import("./app-updates.ts").catch(() => undefined);
    await module?.keepFiles(this.#onNewVersion);
  }

  readonly #onNewVersion: OnNewVersion = (change) => {
    this.#change = change;
    this.#host.requestUpdate();
  };

  readonly #reload = async () => {
    if (await this.#mayLeave()) this.#change?.();
  };

  readonly #dismiss = () => {
    this.#change = undefined;
    this.#host.requestUpdate();
  };

  render() {
    return html`<div class="version-place" role="status">
      ${
        this.#change
          ? html`<p class="version">
              A new version of this page is available.
              <button type="button" @click=${this.#reload}>Reload</button>
              <button type="button" @click=${this.#dismiss}>Later</button>
            </p>`
          : nothing
      }
    </div>`;
  }
}

/** Whether the person has asked the browser to load little. */
function savesData(): boolean {
  return (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true;
}
