import type { NewValue } from "gguf-wasm/full";
import { LitElement, type PropertyValues } from "lit";
import { property, state } from "lit/decorators.js";
import type { Failure } from "../gguf/failure.ts";
import { refusalText } from "../gguf/error-texts.ts";
import type { Parsed } from "./new-values.ts";

/** Applies a value. Returns the reason if the value is refused. */
export type Apply = (value: NewValue) => Failure | undefined;

/**
 * A field for one value. The text is checked at every key, and is applied when the field loses the focus or Enter is pressed. A text that
 * is not valid stays in the field, with the reason beside it, even if the row is scrolled out of view and back.
 */
export abstract class EditControl extends LitElement {
  /** The name of the field for screen readers. */
  @property() label = "";
  @property({ attribute: false }) apply: Apply = () => undefined;
  /** Stores texts that are not applied yet, by `draftId`. */
  @property({ attribute: false }) drafts: Map<string, string> | undefined;
  @property({ attribute: false }) draftId = "";
  @state() protected text = "";
  @state() protected problem = "";
  @state() protected remark = "";

  /** The text of the field before the person typed. */
  #initial = "";

  /** The properties that determine the initial text. */
  protected abstract readonly sourceProperties: readonly string[];
  protected abstract initialText(): string;
  protected abstract parse(text: string): Parsed;

  /** Whether the text has changes that are not applied. */
  protected get dirty(): boolean {
    return this.text !== this.#initial;
  }

  override willUpdate(changed: PropertyValues): void {
    if (this.sourceProperties.some((name) => changed.has(name))) {
      // A draft that the person has not typed here was restored.
      const draft = this.#draft;
      this.begin(this.hasUpdated && draft === this.text ? undefined : draft);
    }
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    // Scrolling the row out of view counts as leaving the field.
    if (this.dirty && this.problem === "") this.commit();
  }

  get #draft(): string | undefined {
    return this.drafts?.get(this.draftId);
  }

  /** Shows the initial text, or a stored draft. */
  protected begin(draft?: string): void {
    this.#initial = this.initialText();
    this.text = this.#initial;
    this.problem = "";
    this.remark = "";
    if (draft === undefined) this.drafts?.delete(this.draftId);
    else this.setText(draft);
  }

  /** Sets the text, checks it, and stores it as a draft. */
  protected setText(text: string): void {
    this.text = text;
    const parsed = this.parse(text);
    this.problem = parsed.problem ?? "";
    this.remark = parsed.remark ?? "";
    if (this.dirty) this.drafts?.set(this.draftId, text);
    else this.drafts?.delete(this.draftId);
  }

  /** Applies the text. Returns false if it is not valid or the value is refused. */
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

  /** Restores the initial text. */
  protected reset(): void {
    this.begin();
  }

  protected readonly onInput = (event: Event) => {
    this.setText((event.target as HTMLInputElement | HTMLTextAreaElement).value);
  };

  protected readonly onChange = () => {
    this.commit();
  };

  protected readonly onKey = (event: KeyboardEvent) => {
    if (event.key === "Escape" && this.dirty) {
      this.reset();
      // The first Escape restores the text. Only the second one moves the focus out of the row.
      event.preventDefault();
      event.stopPropagation();
    } else if (event.key === "Enter" && !event.isComposing && this.applies(event)) {
      event.preventDefault();
      this.commit();
    }
  };

  /** Whether this Enter applies the text. Otherwise it inserts a line break. */
  protected applies(event: KeyboardEvent): boolean {
    return !event.shiftKey;
  }
}
