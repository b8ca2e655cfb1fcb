/** Texts that were typed and not applied yet, by field. The watcher is told when the first one is there, and when none is left. */
export class Drafts extends Map<string, string> {
  /** Called after every change of a text. */
  onText = () => {};
  readonly #onChange: () => void;

  constructor(onChange: () => void) {
    super();
    this.#onChange = onChange;
  }

  override set(field: string, text: string): this {
    return this.#watch(() => super.set(field, text));
  }

  override delete(field: string): boolean {
    return this.#watch(() => super.delete(field));
  }

  override clear(): void {
    this.#watch(() => super.clear());
  }

  #watch<Result>(change: () => Result): Result {
    const before = this.size > 0;
    const result = change();
    if (this.size > 0 !== before) this.#onChange();
    this.onText();
    return result;
  }
}
