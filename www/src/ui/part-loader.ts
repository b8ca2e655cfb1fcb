import { css, html, type ReactiveControllerHost } from "lit";
import { icons } from "./icons.ts";

/** A part of the page with code of its own. */
export interface Part {
  readonly name: string;
  /** What the page calls the part, in a message. */
  readonly title: string;
  /** Loads the code. Absent: it is loaded already. */
  readonly load?: () => Promise<unknown>;
  /** Loads the code that the part needs soon after it is shown. Absent: none. */
  readonly loadMore?: () => Promise<unknown>;
}

/** Whether the code of a part is loaded. */
export type PartCode = "loading" | "ready" | "failed";

/** The functions that have loaded code. */
const LOADED = new WeakSet<() => Promise<unknown>>();

async function loadCode(load: () => Promise<unknown>): Promise<void> {
  await load();
  LOADED.add(load);
}

/** Loads the code of parts of an element when they are first shown. */
export class PartLoader {
  readonly #host: ReactiveControllerHost;
  readonly #codes = new Map<string, PartCode>();

  /** The host is updated when a part is loaded or could not be loaded. */
  constructor(host: ReactiveControllerHost) {
    this.#host = host;
  }

  /** Undefined for a part that has not been shown. */
  codeOf({ name, load }: Part): PartCode | undefined {
    return load ? this.#codes.get(name) : "ready";
  }

  /** Loads a part that is shown, unless that has failed before. Resolves when it is loaded or could not be loaded. */
  show(part: Part): Promise<void> {
    return this.codeOf(part) === "failed" ? Promise.resolve() : this.#load(part);
  }

  async #load(part: Part): Promise<void> {
    const { name, load } = part;
    if (!load || this.codeOf(part) === "ready") return;
    if (LOADED.has(load)) {
      this.#codes.set(name, "ready");
      return;
    }
    this.#codes.set(name, "loading");
    const code = await loadCode(load).then(
      () => "ready" as const,
      () => "failed" as const,
    );
    this.#codes.set(name, code);
    this.#host.requestUpdate();
  }

  /** The place of a part while it is loaded, or if it could not be loaded. */
  renderPlace(part: Part) {
    if (this.codeOf(part) !== "failed")
      return html`<div role="progressbar" aria-label="${part.title} is loading">${renderSkeleton()}</div>`;
    const retry = () => {
      void this.#load(part);
      this.#host.requestUpdate();
    };
    return html`<div class="not-loaded" role="alert">
      ${icons.warning}
      <p>
        ${part.title} could not be loaded. Check the connection, and try again. If that does not help, reload the page.
      </p>
      <button type="button" @click=${retry}>Try again</button>
    </div>`;
  }
}

/** Lines in the place of a part that is not there yet. */
export function renderSkeleton() {
  return html`<div class="skeleton" aria-hidden="true">${Array.from({ length: 6 }, () => html`<span></span>`)}</div>`;
}

/** Loads a part that will probably be shown. A failure is reported when it is shown. */
export function preload({ load }: Pick<Part, "load">): void {
  if (load) void loadCode(load).catch(() => undefined);
}

/** Loads a part that is about to be shown, with what it needs soon. Failures are reported when it is shown. */
export function preloadAll({ load, loadMore }: Part): void {
  for (const each of [load, loadMore]) if (each) preload({ load: each });
}

export const partStyles = css`
  /* Most parts are loaded before a person could see this. */
  .skeleton {
    display: flex;
    flex-direction: column;
    gap: 14px;
    padding: 16px;
    animation: appear 200ms 300ms both;
  }
  .skeleton span {
    height: calc(18 * var(--gguf-unit));
    border-radius: 4px;
    background: var(--gguf-sunken);
  }
  .skeleton :nth-child(3n) {
    width: 60%;
  }
  @keyframes appear {
    from {
      opacity: 0;
    }
  }
  .not-loaded {
    position: relative;
    display: grid;
    place-content: center;
    justify-items: center;
    gap: 12px;
    padding: 16px;
    overflow: auto;
    text-align: center;
  }
  .not-loaded p {
    max-width: 60ch;
  }
  .not-loaded svg {
    color: var(--gguf-warning);
  }
`;
