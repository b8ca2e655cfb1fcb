import { html } from "lit";
import { define } from "../ui/define.ts";
import { Dialog } from "../ui/dialog.ts";
import { keyText } from "../ui/keyboard.ts";
import { baseStyles } from "../ui/styles.ts";
import { dialogStyles } from "../ui/styles/dialog.ts";
import { KEY_GROUPS } from "./keys.ts";
import { keysStyles } from "./palette-styles.ts";

/** Shows the keys of the viewer. */
export class GgufKeys extends Dialog {
  static override styles = [baseStyles, dialogStyles, keysStyles];

  open(): Promise<void> {
    return this.show();
  }

  readonly #onClose = (event: Event) => {
    // The browser tells late that a box was closed. The dialog may have been opened again.
    if (event.target === this.dialog) this.hide();
  };

  protected renderBox() {
    return html`<dialog aria-labelledby="title" @close=${this.#onClose}>
      <h2 id="title">Keys</h2>
      <div class="body" tabindex="0" role="region" aria-labelledby="title">
        <div class="groups">
          ${KEY_GROUPS.map(
            ({ title, keys }) =>
              html`<section>
                <h3>${title}</h3>
                <dl>
                  ${keys.map(
                    ([names, what]) =>
                      html`<div>
                        <dt>${names.map((name) => html`<kbd>${keyText(name)}</kbd>`)}</dt>
                        <dd>${what}</dd>
                      </div>`,
                  )}
                </dl>
              </section>`,
          )}
        </div>
      </div>
      <div class="actions">
        <button type="button" class="primary" autofocus @click=${() => this.hide()}>Close</button>
      </div>
    </dialog>`;
  }
}

define("gguf-keys", GgufKeys);

declare global {
  interface HTMLElementTagNameMap {
    "gguf-keys": GgufKeys;
  }
}
