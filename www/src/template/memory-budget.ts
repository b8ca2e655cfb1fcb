/** The memory that one rendering may use. A worker that runs out of memory would end the page. */

/** The template makes too much. */
export class LimitError extends Error {}

/** The most bytes of texts, lists and objects that one rendering may make. Long conversations need less than a tenth. */
const MOST_BYTES = 2 ** 27;

/** Sizes in bytes, about as browsers store values. */
export const CHARACTER = 2;
export const ELEMENT = 8;
/** A number or text with its object in the interpreter, as an element of a new list. */
export const NEW_ELEMENT = 32;
/** A list, an object, or a member of an object. */
export const CONTAINER = 64;
/** A step of a loop that has not ended. */
export const STEP = 64;
/** The variables of a block that a function can refer to. */
export const SCOPE = 1024;

/** Counts the bytes of all values that a rendering makes. Each operation spends the bytes of its result before it makes the result. */
export class MemoryBudget {
  #spent = 0;

  /** @throws `LimitError` if the bytes exceed the budget */
  spend(bytes: number): void {
    this.#spent += bytes;
    // A size that is not a number is not bounded.
    if (!(this.#spent <= MOST_BYTES))
      throw new LimitError(`The template makes more than ${MOST_BYTES / 2 ** 20} MiB of texts and lists.`);
  }

  /** Gives back bytes of values that nothing refers to. */
  release(bytes: number): void {
    this.#spent -= bytes;
  }
}
