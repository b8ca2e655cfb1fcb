import { html } from "lit";
import { define } from "./define.ts";
import { Dialog } from "./dialog.ts";
import { baseStyles } from "./styles.ts";
import { dialogStyles } from "./styles/dialog.ts";

/** A question with two answers. */
export interface Question {
  title: string;
  text: string;
  yes: string;
  no: string;
}

/** A dialog that asks before something is lost. */
export class GgufAsk extends Dialog {
  static override styles = [baseStyles, dialogStyles];

  #question: Question | undefined;
  #answer: ((yes: boolean) => void) | undefined;

  /** Asks a question and resolves to true for yes. A question that is still open is answered with no. */
  async ask(question: Question): Promise<boolean> {
    this.#respond(false);
    this.#question = question;
    const answer = new Promise<boolean>((resolve) => {
      this.#answer = resolve;
    });
    this.requestUpdate();
    await this.show();
    return answer;
  }

  #respond(yes: boolean): void {
    const answer = this.#answer;
    this.#answer = undefined;
    if (!answer) return;
    this.hide();
    answer(yes);
  }

  protected renderBox() {
    const { title, text, yes, no } = this.#question ?? { title: "", text: "", yes: "", no: "" };
    return html`<dialog aria-labelledby="title" aria-describedby="text" @close=${() => this.#respond(false)}>
      <h2 id="title">${title}</h2>
      <div class="body"><p id="text">${text}</p></div>
      <div class="actions">
        <button type="button" @click=${() => this.#respond(true)}>${yes}</button>
        <button type="button" class="primary" autofocus @click=${() => this.#respond(false)}>${no}</button>
      </div>
    </dialog>`;
  }
}

define("gguf-ask", GgufAsk);
