import { LitElement, type TemplateResult } from "lit";
import { state } from "lit/decorators.js";

/** A modal dialog. The focus stays in it until it is closed, and then returns to where it was. */
export abstract class Dialog extends LitElement {
  @state() protected shown = false;

  protected get dialog(): HTMLDialogElement | null {
    return this.renderRoot.querySelector("dialog");
  }

  /** The content of the dialog while it is shown. */
  protected abstract renderBox(): TemplateResult;

  override render(): unknown {
    return this.shown ? this.renderBox() : undefined;
  }

  protected async show(): Promise<void> {
    this.shown = true;
    await this.updateComplete;
    if (this.dialog?.open !== false) return;
    this.dialog.showModal();
    // The browser focuses a control, which may be far down. The dialog begins at its top.
    this.dialog.querySelector(".body")?.scrollTo(0, 0);
  }

  protected hide(): void {
    this.dialog?.close();
    this.shown = false;
  }
}
