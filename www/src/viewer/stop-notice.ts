import { html, type LitElement, nothing, type ReactiveController } from "lit";
import { watchStops } from "../gguf/module-stop.ts";
import { icons } from "../ui/icons.ts";
import { renderText } from "../ui/render-text.ts";

interface Owner {
  /** Opens the file again, and makes the unsaved changes again. */
  readonly restart: () => Promise<void>;
  readonly isOpen: () => boolean;
}

/** Says above the panels that a module of the page has stopped, and offers to start again. */
export class StopNotice implements ReactiveController {
  readonly #host: LitElement;
  readonly #owner: Owner;
  /** The message of the last stop. Undefined: nothing has stopped since the file was opened. */
  #message: string | undefined;
  /** Whether a person has started again before. */
  #isRepeated = false;
  #end = () => {};

  constructor(host: LitElement, owner: Owner) {
    this.#host = host;
    this.#owner = owner;
    host.addController(this);
  }

  hostConnected(): void {
    this.#end = watchStops((message) => {
      // A panel that is updated may stop again and again.
      if (this.#message !== undefined || !this.#owner.isOpen()) return;
      this.#message = message;
      this.#host.requestUpdate();
    });
  }

  hostDisconnected(): void {
    this.#end();
  }

  readonly #restart = async () => {
    this.#isRepeated = true;
    this.#message = undefined;
    await this.#owner.restart();
  };

  render() {
    if (this.#message === undefined) return nothing;
    return html`<div class="problem stopped" role="alert">
      ${icons.warning}
      <p>
        <strong>A part of the page has stopped.</strong> ${renderText(this.#message, { limit: 300 })}. Your unsaved
        changes and typed text are kept.
        ${this.#isRepeated ? "It has stopped before: if “Reload” does not help, reload the page, open the file again, and report this message with the name of the model." : nothing}
        <button type="button" class="link" @click=${() => void this.#restart()}>Reload</button>
      </p>
    </div>`;
  }
}
