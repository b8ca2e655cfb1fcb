import type { Change, Editor } from "gguf-wasm/full";
import { packedText, unpackedValue } from "./step-text.ts";

/** The methods that change a file, and those whose first argument selects an entry. */
const ENTRY_METHODS = [
  "insertElements",
  "move",
  "remove",
  "removeElements",
  "rename",
  "retype",
  "set",
  "setElement",
] as const;
const METHODS: ReadonlySet<unknown> = new Set([
  ...ENTRY_METHODS,
  "add",
  "apply",
  "removeTensor",
  "renameTensor",
  "repack",
]);
const OF_ENTRIES: ReadonlySet<unknown> = new Set(ENTRY_METHODS);
/** The members that can be set. */
const MEMBERS: ReadonlySet<unknown> = new Set(["alignment", "byteOrder", "version"] satisfies (keyof Editor)[]);

/** A step as it is written down: a method that was called, a member that was set, or the position of the change that was reverted. */
type Step =
  | { readonly call: string; readonly args: readonly unknown[] }
  | { readonly member: string; readonly value: unknown }
  | { readonly revert: number };

/** The longest text of the steps of a file, in characters. The browser keeps five million for all files of a page. */
export const MOST_STEP_TEXT = 1_000_000;

/** An editor that writes down its steps, so that another editor of the same file can make them again. */
export class RecordedEditor {
  /** The editor. All changes through it are recorded. */
  readonly editor: Editor;
  readonly #plain: Editor;
  /** The number of entries of the original file. Their ids are their positions, in every editor. */
  readonly #originals: number;
  /** The texts of the steps. Undefined for one that is too long. */
  readonly #done: (string | undefined)[] = [];
  #undone: (string | undefined)[] = [];

  constructor(editor: Editor) {
    this.#plain = editor;
    this.#originals = editor.entries.length;
    this.editor = new Proxy(editor, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name, target);
        if (typeof member !== "function") return member;
        const method = member as (...args: unknown[]) => unknown;
        if (!METHODS.has(name)) return method.bind(target);
        return (...args: unknown[]) => this.#record(this.#text(String(name), args), () => method.apply(target, args));
      },
      set: (target, name, value: unknown) => {
        const step = { member: String(name), value } satisfies Step;
        this.#record(packedText(step, MOST_STEP_TEXT), () => Reflect.set(target, name, value, target));
        return true;
      },
    });
  }

  /** The texts of the steps that make the file what it is. Undefined if they are too long together. */
  get steps(): readonly string[] | undefined {
    const texts = this.#done.filter((text) => text !== undefined);
    const length = texts.reduce((sum, text) => sum + text.length, 0);
    return texts.length < this.#done.length || length > MOST_STEP_TEXT ? undefined : texts;
  }

  undo(): Change | undefined {
    const undone = this.#plain.undo();
    if (undone) this.#undone.push(this.#done.pop());
    return undone;
  }

  redo(): Change | undefined {
    const redone = this.#plain.redo();
    if (redone) this.#done.push(this.#undone.pop());
    return redone;
  }

  revert(change: Change): void {
    const step = { revert: this.#plain.changes.findIndex(({ id }) => id === change.id) } satisfies Step;
    this.#record(packedText(step, MOST_STEP_TEXT), () => this.#plain.revert(change));
  }

  /**
   * Makes a step of another editor of the same file.
   * @throws the reason if the step is refused
   */
  repeat(text: string): void {
    const step = unpackedValue(text) as Step;
    if ("revert" in step) {
      const change = this.#plain.changes[step.revert];
      if (change) this.revert(change);
    } else if ("member" in step) {
      if (!MEMBERS.has(step.member)) throw new TypeError(`no step sets ${step.member}`);
      Object.assign(this.editor, { [step.member]: step.value });
    } else if (METHODS.has(step.call)) {
      const methods = this.editor as unknown as Record<string, (...args: readonly unknown[]) => void>;
      methods[step.call]?.(...step.args);
    }
  }

  /** Makes a change. The editor has no step for one that changes nothing. */
  #record<Result>(text: string | undefined, change: () => Result): Result {
    const before = this.#plain.changes.length;
    const result = change();
    if (this.#plain.changes.length === before) return result;
    this.#done.push(text);
    this.#undone = [];
    return result;
  }

  #text(call: string, args: readonly unknown[]): string | undefined {
    const [first, ...rest] = args;
    const sent = OF_ENTRIES.has(call) ? [this.#selector(first), ...rest] : args;
    return packedText({ call, args: sent } satisfies Step, MOST_STEP_TEXT);
  }

  /** An entry as another editor finds it. Ids of added entries differ from editor to editor; no other entry may have the key of one. */
  #selector(entry: unknown): unknown {
    if (typeof entry !== "object" || entry === null) return entry;
    const { id } = entry as { readonly id: number };
    return id < this.#originals ? { id } : this.#plain.entries.find((one) => one.id === id)?.key;
  }
}
