import { html } from "lit";
import { define } from "../ui/define.ts";
import { Dialog } from "../ui/dialog.ts";
import { formatBytes, formatCount, formatInteger } from "../ui/numbers.ts";
import { renderText } from "../ui/render-text.ts";
import { baseStyles } from "../ui/styles.ts";
import { choiceStyles } from "./model-choice-styles.ts";
import type { LocalModel } from "./local-model.ts";

/** A dialog that asks which model to open, if several were chosen or are in a folder. */
export class GgufModelChoice extends Dialog {
  static override styles = [baseStyles, choiceStyles];

  #models: readonly LocalModel[] = [];
  #answer: ((model: LocalModel | undefined) => void) | undefined;

  /** Asks, and resolves to undefined if the person closes the dialog. */
  async choose(models: readonly LocalModel[]): Promise<LocalModel | undefined> {
    this.#respond(undefined);
    this.#models = models;
    const answer = new Promise<LocalModel | undefined>((resolve) => {
      this.#answer = resolve;
    });
    this.requestUpdate();
    await this.show();
    return answer;
  }

  #respond(model: LocalModel | undefined): void {
    const answer = this.#answer;
    this.#answer = undefined;
    if (!answer) return;
    this.hide();
    answer(model);
  }

  protected renderBox() {
    return html`<dialog aria-labelledby="title" @close=${() => this.#respond(undefined)}>
      <h2 id="title">Which model?</h2>
      <div class="body">
        <p>There are ${formatCount(this.#models.length, "model")}. One can be open at a time.</p>
        <ul>
          ${this.#models.map(
            (model) =>
              html`<li>
                <button type="button" @click=${() => this.#respond(model)}>
                  <span class="name">${renderText(model.name, { limit: 200 })}</span>
                  <span class="size">${about(model)}</span>
                </button>
              </li>`,
          )}
        </ul>
      </div>
      <div class="actions"><button type="button" @click=${() => this.#respond(undefined)}>Cancel</button></div>
    </dialog>`;
  }
}

/** The size of a model, and how many of its shards there are. */
function about({ files, shardCount }: LocalModel): string {
  const size = formatBytes(files.reduce((sum, { file }) => sum + file.size, 0));
  return shardCount > 1 ? `${size}, ${formatInteger(files.length)} of ${formatCount(shardCount, "shard")}` : size;
}

define("gguf-model-choice", GgufModelChoice);
