import { LitElement, type TemplateResult } from "lit";

/** A box over the page that keeps the focus until it is answered, and gives it back. */
export abstract class Dialog extends LitElement {
  static override properties = { shown: { state: true } };

  declare protected shown: boolean;

  constructor() {
    super();
    this.shown = false;
  }

  protected get dialog(): HTMLDialogElement | null {
    return this.renderRoot.querySelector("dialog");
  }

  /** What is in the box while it is shown. */
  protected abstract renderBox(): TemplateResult;

  override render(): unknown {
    return this.shown ? this.renderBox() : undefined;
  }

  /** Shows the box. */
  protected async show(): Promise<void> {
    this.shown = true;
    await this.updateComplete;
    if (this.dialog?.open !== false) return;
    this.dialog.showModal();
    // The focus may be far down, and what stands first is to be read first.
    this.dialog.querySelector(".body")?.scrollTo(0, 0);
  }

  /** Takes it away. */
  protected hide(): void {
    this.dialog?.close();
    this.shown = false;
  }
}
