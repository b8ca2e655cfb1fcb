import type { EditSession } from "./edit-session.ts";
import { reportStop } from "../gguf/module-stop.ts";
import type { KeptEdits, KeptPlace } from "../gguf/kept-edits.ts";

/** Keeps the unsaved edits of a session at every change and at every typed character, so that they survive a reload of the page. */
export class EditKeeper {
  /** Whether the edits are too large to be kept. */
  isTooLarge = false;
  readonly #session: EditSession;
  readonly #place: KeptPlace;
  /** Edits of an earlier session that a person has neither restored nor discarded. */
  #earlier: KeptEdits | undefined;
  /** The edits as they were last: a module that has stopped does not tell them any more. */
  #last: KeptEdits | undefined | "too large";
  /** Whether the session has had edits. Without any, the header is not read. */
  #isUsed = false;

  constructor(session: EditSession, place: KeptPlace, earlier: KeptEdits | undefined) {
    this.#session = session;
    this.#place = place;
    this.#earlier = earlier;
    session.drafts.onText = this.keep;
  }

  /** Forgets the edits of the earlier session: they are a part of this session now, or were discarded. */
  forgetEarlier(): void {
    this.#earlier = undefined;
    this.#isUsed = true;
    this.keep();
  }

  /** Keeps the edits as they are now. */
  readonly keep = (): void => {
    const kept = this.#current();
    this.#isUsed ||= kept !== undefined;
    if (!this.#isUsed) return;
    const together = kept === "too large" ? undefined : joined(this.#earlier, kept);
    const hasRoom = this.#place.write(together);
    this.isTooLarge = kept === "too large" || !hasRoom;
  };

  #current(): KeptEdits | undefined | "too large" {
    try {
      this.#last = this.#session.kept;
    } catch (error) {
      reportStop(error);
    }
    return this.#last;
  }

  /** Gives the edits to the next session of the same file. They stay where they are kept. "too large": they would be lost. */
  handOver(): KeptEdits | undefined | "too large" {
    const last = this.#current();
    if (last === "too large") return last;
    this.#isUsed = false;
    return joined(this.#earlier, last);
  }

  /** Ends with the session. Edits that were saved or discarded are not kept; those of an earlier session stay. */
  end(): void {
    this.#session.drafts.onText = () => {};
    if (this.#isUsed) this.#place.write(this.#earlier);
  }
}

function joined(earlier: KeptEdits | undefined, kept: KeptEdits | undefined): KeptEdits | undefined {
  if (!earlier || !kept) return earlier ?? kept;
  return {
    steps: [...earlier.steps, ...kept.steps],
    drafts: [...earlier.drafts, ...kept.drafts],
    count: earlier.count + kept.count,
  };
}
