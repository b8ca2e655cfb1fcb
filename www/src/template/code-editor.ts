/** An editor for templates with line numbers and highlighting. This module is loaded when a template is shown. */

import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { HighlightStyle, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { jinja2 } from "@codemirror/legacy-modes/mode/jinja2";
import { Compartment, EditorState, Transaction } from "@codemirror/state";
import { EditorView, highlightSpecialChars, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";

export interface EditorOptions {
  readonly text: string;
  /** The name of the editor for screen readers. */
  readonly label: string;
  readonly isEditable: boolean;
  /** The shadow tree that the editor stands in. */
  readonly root: ShadowRoot;
  /** Called with each change that a person makes. */
  readonly onInput: (text: string) => void;
  /** Called when the person leaves the editor or presses Ctrl+Enter. */
  readonly onCommit: () => void;
}

/** Characters that CodeMirror does not mark by itself: invisible ones, and tag characters. */
const INVISIBLE = /[\u180e\u2060-\u2065\u206a-\u206f\u{e0000}-\u{e007f}]/gu;

/** The colours follow the theme of the page, because they are its custom properties. */
const COLOURS = HighlightStyle.define([
  { tag: tags.comment, color: "var(--gguf-ink-3)", fontStyle: "italic" },
  { tag: tags.string, color: "var(--gguf-string)" },
  { tag: [tags.number, tags.bool, tags.atom], color: "var(--gguf-number)" },
  { tag: [tags.keyword, tags.operatorKeyword], color: "var(--gguf-boolean)", fontWeight: "600" },
  { tag: [tags.operator, tags.punctuation], color: "var(--gguf-ink-2)" },
  { tag: tags.tagName, color: "var(--gguf-accent)" },
  { tag: [tags.variableName, tags.propertyName], color: "var(--gguf-ink)" },
]);

const THEME = EditorView.theme({
  "&": {
    color: "var(--gguf-ink)",
    backgroundColor: "var(--gguf-surface)",
    font: "var(--gguf-text-dense)/1.6 var(--gguf-mono)",
  },
  "&.cm-focused": { outline: "2px solid var(--gguf-accent)", outlineOffset: "1px" },
  ".cm-scroller": { font: "inherit", lineHeight: "1.6", overflow: "auto" },
  ".cm-content": { padding: "8px 0", caretColor: "var(--gguf-ink)" },
  ".cm-line": { padding: "0 10px 0 6px", overflowWrap: "anywhere" },
  ".cm-gutters": { backgroundColor: "var(--gguf-sunken)", color: "var(--gguf-ink-3)", border: "0" },
  ".cm-specialChar": { color: "var(--gguf-danger)" },
});

export class CodeEditor {
  readonly #view: EditorView;
  readonly #access = new Compartment();

  constructor(options: EditorOptions) {
    const { root, text, label, isEditable, onInput, onCommit } = options;
    const commit = () => {
      onCommit();
      return true;
    };
    this.#view = new EditorView({
      root,
      state: EditorState.create({
        doc: text,
        extensions: [
          // Carriage returns stay in the text, and are shown. Otherwise the editor would change them.
          EditorState.lineSeparator.of("\n"),
          EditorState.tabSize.of(4),
          this.#access.of(access(isEditable)),
          lineNumbers(),
          history(),
          highlightSpecialChars({ addSpecialChars: INVISIBLE }),
          StreamLanguage.define(jinja2),
          syntaxHighlighting(COLOURS),
          EditorView.lineWrapping,
          EditorView.contentAttributes.of({ "aria-label": label }),
          THEME,
          keymap.of([{ key: "Mod-Enter", run: commit }, ...historyKeymap, ...defaultKeymap]),
          EditorView.domEventHandlers({ blur: () => void onCommit() }),
          EditorView.updateListener.of((update) => {
            const isTyped = update.transactions.some(
              (transaction) => transaction.annotation(Transaction.remote) !== true,
            );
            if (update.docChanged && isTyped) onInput(update.state.doc.toString());
          }),
        ],
      }),
    });
  }

  get dom(): HTMLElement {
    return this.#view.dom;
  }

  /** Replaces the text. This is no step of undo in the editor, because the page has its own. */
  setText(text: string): void {
    const { state } = this.#view;
    if (state.doc.toString() === text) return;
    this.#view.dispatch({
      changes: { from: 0, to: state.doc.length, insert: state.toText(text) },
      annotations: [Transaction.remote.of(true), Transaction.addToHistory.of(false)],
    });
  }

  setEditable(isEditable: boolean): void {
    this.#view.dispatch({ effects: this.#access.reconfigure(access(isEditable)) });
  }

  /** Moves the cursor to an offset, and scrolls there. */
  show(offset: number): void {
    const anchor = Math.min(offset, this.#view.state.doc.length);
    this.#view.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: "center" }) });
    this.#view.focus();
  }

  destroy(): void {
    this.#view.destroy();
  }
}

function access(isEditable: boolean) {
  return isEditable
    ? []
    : [
        EditorState.readOnly.of(true),
        EditorView.editable.of(false),
        EditorView.contentAttributes.of({ tabindex: "0" }),
      ];
}
