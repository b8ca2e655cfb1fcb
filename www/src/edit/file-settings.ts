import type { Editor } from "gguf-wasm/full";
import { css, html, nothing } from "lit";
import { property, state } from "lit/decorators.js";
import { live } from "lit/directives/live.js";
import { announce } from "../ui/announce.ts";
import { baseStyles } from "../ui/styles.ts";
import { refusalText } from "../gguf/error-texts.ts";
import { formatCount } from "../ui/numbers.ts";
import { Dialog } from "../ui/dialog.ts";
import type { EditSession } from "./edit-session.ts";
import { dialogStyles } from "../ui/styles/dialog.ts";
import { editStyles } from "./edit-styles.ts";
import { define } from "../ui/define.ts";

const ALIGNMENTS = [8, 16, 32, 64, 128, 256, 512, 1024, 4096];

/** The dialog for the settings of the whole file: version, byte order, and alignment of the tensor data. */
export class GgufFileSettings extends Dialog {
  @property({ attribute: false }) session: EditSession | undefined;
  @state() private problem = "";

  static override styles = [
    baseStyles,
    editStyles,
    dialogStyles,
    css`
      .pack {
        grid-template-columns: auto minmax(0, 1fr);
        gap: 4px 8px;
        color: var(--gguf-ink);
        font-size: var(--gguf-text-control);
      }
      .pack input {
        align-self: start;
        margin: 3px 0 0;
        accent-color: var(--gguf-accent);
      }
      .pack .hint {
        grid-column: 2;
      }
    `,
  ];

  async open(): Promise<void> {
    this.problem = "";
    await this.show();
  }

  protected renderBox() {
    const { session } = this;
    if (!session) return html``;
    const alignments = [...new Set([...ALIGNMENTS, session.alignment])].sort((a, b) => a - b);
    return html`<dialog aria-labelledby="title" @close=${() => this.hide()}>
      <form novalidate @submit=${this.#onSubmit}>
        <h2 id="title">File settings</h2>
        <div class="body">
          <label
            >GGUF version<select name="version" ?disabled=${session.version === 3}>
              ${[session.version, 3].filter((version, at, all) => all.indexOf(version) === at).map((version) => html`<option value=${version} .selected=${live(version === session.version)}>${version}</option>`)}
            </select>
            ${session.version === 3 ? html`<span class="hint">3 is the latest.</span>` : html`<span class="hint">llama.cpp no longer reads version 1.</span>`}
          </label>
          <label
            >Byte order<select name="byteOrder">
              ${(["little-endian", "big-endian"] as const).map((order) => html`<option value=${order} .selected=${live(order === session.byteOrder)}>${order}</option>`)}
            </select>
            <span class="hint"
              >Big-endian files are for machines such as IBM Z. The data of all tensors is written in the new byte
              order.</span
            >
          </label>
          <label
            >Alignment of tensor data<select name="alignment">
              ${alignments.map((alignment) => html`<option value=${alignment} .selected=${live(alignment === session.alignment)}>${formatCount(alignment, "byte")}</option>`)}
            </select>
            <span class="hint">32 unless a tool asks for another. Another alignment moves the tensor data.</span>
          </label>
          <label class="pack"
            ><input type="checkbox" name="repack" /><span>Repack the tensor data</span
            ><span class="hint"
              >Each tensor starts right after the previous one, aligned. Gaps, overlaps and bytes after the last tensor
              are removed.</span
            ></label
          >
          <div role="alert">${this.problem === "" ? nothing : html`<p class="problem">${this.problem}</p>`}</div>
        </div>
        <div class="actions">
          <button type="button" @click=${() => this.hide()}>Cancel</button>
          <button type="submit" class="primary">Apply</button>
        </div>
      </form>
    </dialog>`;
  }

  readonly #onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    const { session } = this;
    if (!session) return;
    const form = new FormData(event.target as HTMLFormElement);
    const version = Number(form.get("version") ?? session.version);
    const byteOrder = form.get("byteOrder") as Editor["byteOrder"];
    const alignment = Number(form.get("alignment"));
    const wanted: ((editor: Editor) => void)[] = [];
    if (version !== session.version) wanted.push((editor) => void (editor.version = version));
    if (byteOrder !== session.byteOrder) wanted.push((editor) => void (editor.byteOrder = byteOrder));
    if (alignment !== session.alignment) wanted.push((editor) => void (editor.alignment = alignment));
    if (form.get("repack") !== null) wanted.push((editor) => editor.repack());
    for (const [at, change] of wanted.entries()) {
      const failure = session.edit(change);
      if (!failure) continue;
      // If one change is refused, none is kept.
      for (let i = 0; i < at; i += 1) session.undo();
      this.problem = refusalText(failure);
      return;
    }
    this.hide();
    if (wanted.length > 0) announce(this, formatCount(wanted.length, "change"));
  };
}

define("gguf-file-settings", GgufFileSettings);
