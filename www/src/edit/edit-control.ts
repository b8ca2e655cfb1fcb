import type { NewValue } from "gguf-wasm";
import { LitElement, type PropertyValues } from "lit";
import type { Failure } from "../gguf/failure.ts";
import { refusalText } from "../gguf/error-texts.ts";
import type { Parsed } from "./new-values.ts";

/** Takes a value; says why not where it is refused. */
export type Apply = (value: NewValue) => Failure | undefined;

/**
 * A field in which one value is typed. What is typed is looked at with every key, and applied when the field is left or Enter is pressed;
 * what is no value stays where it was typed, with the reason beside it, also when the row is scrolled away and back.
 */
export abstract class EditControl extends LitElement {
  static override properties = {
    label: {},
    apply: { attribute: false },
    drafts: { attribute: false },
    draftId: { attribute: false },
    text: { state: true },
    problem: { state: true },
    remark: { state: true },
  };

  /** What the value is of. */
  declare label: string;
  declare apply: Apply;
  /** Where what is typed is kept, and under which name. */
  declare drafts: Map<string, string> | undefined;
  declare draftId: string;
  declare protected text: string;
  declare protected problem: string;
  declare protected remark: string;

  /** What the field held before anybody typed. */
  #initial = "";

  constructor() {
    super();
    this.label = "";
    this.apply = () => undefined;
    this.drafts = undefined;
    this.draftId = "";
    this.text = "";
    this.problem = "";
    this.remark = "";
  }

  /** Properties that decide what the field begins with. */
  protected abstract readonly about: readonly string[];
  protected abstract initialText(): string;
  protected abstract parse(text: string): Parsed;

  /** Whether something has been typed that is not applied. */
  protected get dirty(): boolean {
    return this.text !== this.#initial;
  }

  override willUpdate(changed: PropertyValues): void {
    if (this.about.some((name) => changed.has(name))) this.begin(this.hasUpdated ? undefined : this.#draft);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    // Left with the row that was scrolled away.
    if (this.dirty && this.problem === "") this.commit();
  }

  get #draft(): string | undefined {
    return this.drafts?.get(this.draftId);
  }

  /** Begins anew, with what was typed before if that is to be kept. */
  protected begin(draft?: string): void {
    this.#initial = this.initialText();
    this.text = this.#initial;
    this.problem = "";
    this.remark = "";
    if (draft === undefined) this.drafts?.delete(this.draftId);
    else this.typed(draft);
  }

  /** Takes what is typed. */
  protected typed(text: string): void {
    this.text = text;
    const parsed = this.parse(text);
    this.problem = parsed.problem ?? "";
    this.remark = parsed.remark ?? "";
    if (this.dirty) this.drafts?.set(this.draftId, text);
    else this.drafts?.delete(this.draftId);
  }

  /** Applies what is typed; false if it is no value or is refused. */
  protected commit(): boolean {
    if (!this.dirty) return true;
    const parsed = this.parse(this.text);
    if (parsed.problem !== undefined) return false;
    const failure = this.apply(parsed.value);
    if (failure) {
      this.problem = refusalText(failure);
      return false;
    }
    this.#initial = this.text;
    this.drafts?.delete(this.draftId);
    return true;
  }

  /** Puts back what was there. */
  protected reset(): void {
    this.begin();
  }

  protected readonly onInput = (event: Event) => {
    this.typed((event.target as HTMLInputElement | HTMLTextAreaElement).value);
  };

  protected readonly onChange = () => {
    this.commit();
  };

  protected readonly onKey = (event: KeyboardEvent) => {
    if (event.key === "Escape" && this.dirty) {
      this.reset();
      // Only a second Escape leaves the row.
      event.preventDefault();
      event.stopPropagation();
    } else if (event.key === "Enter" && !event.isComposing && this.applies(event)) {
      event.preventDefault();
      this.commit();
    }
  };

  /** Whether this Enter applies, as opposed to breaking the line. */
  protected applies(event: KeyboardEvent): boolean {
    return !event.shiftKey;
  }
}
