import type { Question } from "./ask.ts";

/** Work that ends when another file is opened. The person is asked before that. */
export interface RunningWork {
  readonly question: Question;
  /** Ends the work, if it still runs. */
  readonly cancel: () => void;
}

/** Tells the page around that an element works, or that it does not any more: with the event `gguf-work`. The element imports `ask.ts`. */
export function reportWork(from: HTMLElement, work: RunningWork | null): void {
  from.dispatchEvent(new CustomEvent("gguf-work", { detail: work, bubbles: true, composed: true }));
}
