import type { ReactiveControllerHost } from "lit";
import { givenOf, type Machine, MachineWatcher, withGiven, withoutGiven } from "./machine.ts";
import type { MemoryState } from "./memory-state.ts";

/**
 * The machine that an element shows: that of the person, or what a link or the page around the element says instead. The host is updated
 * when it changes.
 */
export class ShownMachine {
  readonly #watcher: MachineWatcher;
  #last: { stored: Machine; given: string; machine: Machine } | undefined;

  /** `state` is what is said instead. `forget` is called with the rest of it when the person has chosen another machine, which then counts. */
  constructor(
    host: ReactiveControllerHost,
    state: () => MemoryState | undefined,
    forget: (rest: MemoryState, machine: Machine) => void,
  ) {
    this.#watcher = new MachineWatcher(host, () => {
      const given = state();
      if (given && Object.keys(givenOf(given)).length > 0) forget(withoutGiven(given), this.#watcher.machine);
    });
  }

  /** The machine. The same object is returned while nothing has changed. */
  of(state: MemoryState | undefined): Machine {
    const stored = this.#watcher.machine;
    const given = JSON.stringify(givenOf(state));
    if (this.#last?.stored !== stored || this.#last.given !== given)
      this.#last = { stored, given, machine: withGiven(stored, state) };
    return this.#last.machine;
  }
}
