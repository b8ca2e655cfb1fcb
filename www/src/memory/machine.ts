/**
 * The machine of the person: its memory, and the context that is wanted. It is chosen once, for all models and all parts of the page. This
 * file is its only place: a part reads it with a `MachineWatcher` and changes it with `chooseMachine`.
 */

import type { ReactiveController, ReactiveControllerHost } from "lit";
import { readChoice, storeChoice } from "../ui/choices.ts";
import { formatInteger } from "../ui/numbers.ts";
import { type MemoryState, MOST } from "./memory-state.ts";

/** Sizes are in GiB, bandwidths in GB/s. A member is absent until a person has chosen it. */
export interface Machine {
  /** The memory of each graphics card, in the order in which llama.cpp uses them; empty without one. If GPU and CPU share one memory, it is the only one. */
  readonly cards?: readonly number[] | undefined;
  /** The main memory. If it is absent, `USUAL_MAIN` is assumed. */
  readonly main?: number | undefined;
  /** Whether GPU and CPU share one memory. */
  readonly shared?: boolean | undefined;
  /** The wanted context in tokens. */
  readonly context?: number | undefined;
  /** Whether a context may be longer than the one that a model was trained for: the person has chosen one, or a link says it. */
  readonly isBeyond?: boolean | "given" | undefined;
  /** The bandwidth of the graphics cards, or of the shared memory. */
  readonly gpuRate?: number | undefined;
  /** The bandwidth of the main memory. */
  readonly mainRate?: number | undefined;
}

/** The memory of common graphics cards. They are sold in GB, and have GiB: 1,024³ bytes. */
export const CARD_SIZES: readonly number[] = [4, 6, 8, 10, 11, 12, 16, 20, 24, 32, 40, 48, 80, 96];
/** The sizes of one memory for GPU and CPU. */
export const SHARED_SIZES: readonly number[] = [8, 16, 18, 24, 32, 36, 48, 64, 96, 128, 192, 256, 512];
export const MAIN_SIZES: readonly number[] = [8, 16, 24, 32, 48, 64, 96, 128, 192, 256, 512];
/** The main memory that is assumed if a person has chosen none. */
export const USUAL_MAIN = 32;
/** The highest bandwidth that the page accepts, in GB/s. */
export const MOST_BANDWIDTH = 100_000;
/** The most graphics cards of a machine. */
export const MOST_CARDS = 8;

const KEY = "machine";

const changes = new EventTarget();
/** The machine as it was last read, and its stored text. */
let last: { readonly text: string; readonly machine: Machine } | undefined;

// Another tab of the page has stored a machine.
if (typeof window !== "undefined")
  window.addEventListener("storage", ({ key }) => {
    if (key === KEY || key === null) changes.dispatchEvent(new Event("change"));
  });

/** The machine of the person. The same object is returned while nothing has changed. */
export function readMachine(): Machine {
  const text = readChoice(KEY) ?? "{}";
  if (last?.text !== text) last = { text, machine: parseMachine(text) };
  return last.machine;
}

/** Keeps the machine that a person has chosen, and tells all parts of the page. */
export function chooseMachine(machine: Machine): void {
  // A link says something about one model.
  const own = machine.isBeyond === "given" ? { ...machine, isBeyond: undefined } : machine;
  storeChoice(KEY, JSON.stringify(own));
  changes.dispatchEvent(new Event("change"));
}

/** A controller that updates its host when a person has chosen another machine. `changed` is called before. */
export class MachineWatcher implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  readonly #changed: () => void;

  constructor(host: ReactiveControllerHost, changed: () => void = () => undefined) {
    this.#host = host;
    this.#changed = changed;
    host.addController(this);
  }

  hostConnected(): void {
    changes.addEventListener("change", this.#update);
  }

  hostDisconnected(): void {
    changes.removeEventListener("change", this.#update);
  }

  get machine(): Machine {
    return readMachine();
  }

  readonly #update = () => {
    this.#changed();
    this.#host.requestUpdate();
  };
}

/** A stored machine. Members that are not valid are left out. */
export function parseMachine(text: string): Machine {
  let stored: Partial<Record<string, unknown>>;
  try {
    stored = (JSON.parse(text) ?? {}) as typeof stored;
  } catch {
    return {};
  }
  const shared = stored["shared"] === true;
  const cards = cardsOf(stored["cards"], shared);
  const context = wholeNumber(stored["context"]);
  const main = MAIN_SIZES.find((size) => size === stored["main"]);
  const [gpuRate, mainRate] = [rateOf(stored["gpuRate"]), rateOf(stored["mainRate"])];
  return {
    ...(cards && { cards }),
    ...(main !== undefined && { main }),
    ...(shared && cards && { shared }),
    ...(context !== undefined && { context }),
    ...(stored["isBeyond"] === true && context !== undefined && { isBeyond: true }),
    ...(gpuRate !== undefined && { gpuRate }),
    ...(mainRate !== undefined && { mainRate }),
  };
}

function cardsOf(stored: unknown, shared: boolean): number[] | undefined {
  if (!Array.isArray(stored) || stored.length > MOST_CARDS || (shared && stored.length !== 1)) return undefined;
  const cards = stored.filter((size): size is number => typeof size === "number" && size > 0 && size <= MOST.card);
  return cards.length === stored.length ? cards : undefined;
}

function wholeNumber(stored: unknown): number | undefined {
  return Number.isInteger(stored) && Number(stored) > 0 && Number(stored) <= MOST.context ? Number(stored) : undefined;
}

function rateOf(stored: unknown): number | undefined {
  return typeof stored === "number" && stored > 0 && stored <= MOST_BANDWIDTH ? stored : undefined;
}

/** The machine with what a link, or the page around an element, says instead. */
export function withGiven(machine: Machine, { context, card, shared }: MemoryState = {}): Machine {
  if (context === undefined && card === undefined && shared === undefined) return machine;
  const memory =
    card === undefined && shared === undefined
      ? {}
      : { cards: card === undefined ? sharedCards(machine.cards, shared ?? false) : [card], shared };
  return { ...machine, ...memory, ...(context === undefined ? {} : { context, isBeyond: "given" }) };
}

/** The members of a panel's state that say something of the machine. */
export function givenOf({ context, card, shared }: MemoryState = {}): MemoryState {
  return {
    ...(context === undefined ? {} : { context }),
    ...(card === undefined ? {} : { card }),
    ...(shared === undefined ? {} : { shared }),
  };
}

/** A panel's state without what it says of the machine. */
export function withoutGiven(state: MemoryState): MemoryState {
  const own = { ...state };
  for (const member of ["context", "card", "shared"] as const) delete own[member];
  return own;
}

/** The machine after a person has said whether GPU and CPU share one memory. */
export function withShared(machine: Machine, shared: boolean): Machine {
  return { ...machine, cards: sharedCards(machine.cards, shared), shared, gpuRate: undefined };
}

/** The first card stays if its size exists for the other kind of memory. */
function sharedCards(cards: Machine["cards"], shared: boolean): readonly number[] {
  const sizes = shared ? SHARED_SIZES : CARD_SIZES;
  const first = cards?.find((size) => sizes.includes(size));
  return [first ?? (shared ? 16 : 8)];
}

/** The machine after a person has chosen a context for a model that was trained for `ownContext` tokens. */
export function withContext(machine: Machine, context: number | undefined, ownContext: number | undefined): Machine {
  const isBeyond = context !== undefined && ownContext !== undefined && context > ownContext;
  return { ...machine, context, isBeyond: isBeyond || undefined };
}

/** The memory of all cards together, in GiB. Undefined until a person has chosen it. */
export function cardTotal({ cards }: Machine): number | undefined {
  return cards?.reduce((sum, size) => sum + size, 0);
}

/** "12 GB", "2 × 24 GB", "24 + 12 GB"; "32 GB of main memory" without a card. Undefined until a person has chosen the memory. */
export function machineWords({ cards, main = USUAL_MAIN }: Machine): string | undefined {
  if (cards === undefined) return undefined;
  const [first] = cards;
  if (first === undefined) return `${formatInteger(main)} GB of main memory`;
  if (cards.length === 1) return `${formatSize(first)} GB`;
  if (cards.every((size) => size === first)) return `${cards.length} × ${formatSize(first)} GB`;
  return `${cards.map(formatSize).join(" + ")} GB`;
}

/** A size in GiB, with up to three decimals. */
export function formatSize(size: number): string {
  return size.toLocaleString("en", { maximumFractionDigits: 3 });
}
