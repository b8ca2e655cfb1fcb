import type { TensorInfo } from "gguf-wasm/explain";
import type { Change } from "gguf-wasm/full";
import { html } from "lit";
import { refusalText } from "../gguf/error-texts.ts";
import { loadFull } from "../gguf/full.ts";
import type { OpenedModel } from "../gguf/opened-model.ts";
import type { EditedFile, Mark, ShownEntry } from "../gguf/shown-file.ts";
import { companionsOf } from "../metadata/companions.ts";
import "./changes-panel.ts";
import "./edit-entry.ts";
import type { EditSession } from "./edit-session.ts";
import "./edit-tensor.ts";
import { editToken } from "./edit-token.ts";

/** Makes an edit session available to the panels, with the controls that they show below their rows. */
export class SessionFile implements EditedFile {
  readonly #session: EditSession;

  constructor(session: EditSession) {
    this.#session = session;
  }

  get header() {
    return this.#session.described;
  }

  get metadata() {
    return this.#session.metadata;
  }

  get rows(): readonly ShownEntry[] {
    return this.#session.rows;
  }

  get tensors(): readonly TensorInfo[] {
    return this.#session.tensors;
  }

  get tensorMarks(): ReadonlyMap<number, Mark> {
    return this.#session.tensorMarks;
  }

  get entryCount(): number {
    return this.#session.entries.length;
  }

  get tensorCount(): number {
    const { gguf, tensorsRemoved } = this.#session;
    return gguf.tensors.length - tensorsRemoved;
  }

  get changes(): readonly Change[] {
    return this.#session.changes;
  }

  async open(): Promise<OpenedModel> {
    const { Gguf } = await loadFull();
    const plan = this.#session.plan();
    try {
      const gguf = await Gguf.open(plan);
      const free = () => {
        gguf.free();
        plan.free();
      };
      return { gguf, set: undefined, sources: [plan], free };
    } catch (error) {
      plan.free();
      throw error;
    }
  }

  originOf(index: number): number | undefined {
    return this.#session.originOf(index);
  }

  renderEntry(row: ShownEntry, query: string) {
    return html`<gguf-edit-entry
      .session=${this.#session}
      .row=${row}
      .query=${query}
      .companions=${companionsOf(this.#session.metadata, row.entry)}
    ></gguf-edit-entry>`;
  }

  renderTensor(tensor: TensorInfo, mark: Mark | undefined) {
    return html`<gguf-edit-tensor .session=${this.#session} .tensor=${tensor} .mark=${mark}></gguf-edit-tensor>`;
  }

  renderToken(id: number) {
    return editToken(this.#session, id);
  }

  setText(row: ShownEntry, text: string): string | undefined {
    const failure = this.#session.editEntry(row, (editor, entry) => editor.set(entry, text));
    return failure && refusalText(failure);
  }

  setDraft(field: string, text: string | undefined): void {
    const { drafts } = this.#session;
    if (text === undefined) drafts.delete(field);
    else drafts.set(field, text);
  }

  draft(field: string): string | undefined {
    return this.#session.drafts.get(field);
  }

  renderChanges() {
    const { changes, undone, metadata, typeOf, isListed, revert } = this.#session;
    return html`<gguf-changes
      .changes=${changes}
      .undone=${undone}
      .metadata=${metadata}
      .typeOf=${typeOf}
      .isListed=${isListed}
      .revert=${revert}
    ></gguf-changes>`;
  }
}
