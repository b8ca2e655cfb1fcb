/** The form of the tables: one choice for all tables of the page. */

import type { ReactiveController, ReactiveControllerHost } from "lit";
import { readChoice, storeChoice } from "./choices.ts";

/** `dense`: one line for each row, and many rows. `comfortable`: rows that a finger can hit. */
export type Density = "dense" | "comfortable";

const KEY = "table-rows";

/** If nothing was chosen, tables are comfortable on a touch screen, and dense with a mouse. */
const touch = matchMedia("(pointer: coarse)");

const changes = new EventTarget();
/** The choice as it was last read. Null before it is read, which is after the page has said where it keeps choices. */
let chosen: Density | undefined | null = null;

function readStored(): Density | undefined {
  const stored = readChoice(KEY);
  return stored === "dense" || stored === "comfortable" ? stored : undefined;
}

function currentDensity(): Density {
  if (chosen === null) chosen = readStored();
  return chosen ?? (touch.matches ? "comfortable" : "dense");
}

touch.addEventListener("change", () => changes.dispatchEvent(new Event("change")));
// Another tab of the page has stored a choice.
window.addEventListener("storage", ({ key }) => {
  if (key !== KEY && key !== null) return;
  chosen = readStored();
  changes.dispatchEvent(new Event("change"));
});

/** Sets the form of all tables. */
export function setDensity(density: Density): void {
  chosen = density;
  storeChoice(KEY, density);
  changes.dispatchEvent(new Event("change"));
}

/** The pixels that the comfortable form adds above and below the text of each row. */
const COMFORTABLE_SPACE = 5;

/**
 * A controller that sets the row space of all `<table>`s in an element and in the elements that it contains: the custom property
 * `--gguf-row-space`. Tables that show only the visible rows compute the height of a row instead, with a `TableDensity`.
 */
export class RowSpace implements ReactiveController {
  readonly #host: ReactiveControllerHost & HTMLElement;
  readonly #density: TableDensity;

  constructor(host: ReactiveControllerHost & HTMLElement) {
    this.#host = host;
    this.#density = new TableDensity(host, () => this.#apply());
  }

  hostConnected(): void {
    this.#apply();
  }

  #apply(): void {
    this.#host.style.setProperty("--gguf-row-space", this.#density.isDense ? "0px" : `${COMFORTABLE_SPACE}px`);
  }
}

/** Calls `changed` in an element when the form of the tables changes. */
export class TableDensity implements ReactiveController {
  readonly #changed: () => void;

  constructor(host: ReactiveControllerHost, changed: () => void = () => host.requestUpdate()) {
    this.#changed = changed;
    host.addController(this);
  }

  get isDense(): boolean {
    return currentDensity() === "dense";
  }

  hostConnected(): void {
    changes.addEventListener("change", this.#changed);
  }

  hostDisconnected(): void {
    changes.removeEventListener("change", this.#changed);
  }
}
