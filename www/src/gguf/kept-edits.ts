/**
 * Unsaved edits that survive a reload of the page, in the storage of its tab. A file is known by its header and its size, so that no address
 * is stored: an address may have a secret. The same edits fit every file with the same header.
 */

import type { Gguf } from "gguf-wasm/explain";

/** The unsaved edits of a file. */
export interface KeptEdits {
  /** The texts of the steps, for `RecordedEditor`. */
  readonly steps: readonly string[];
  /** The texts that were typed and not applied: the entry that the field belongs to, its name, and the text. */
  readonly drafts: readonly KeptDraft[];
  /** The number of changes and of typed texts. */
  readonly count: number;
}

/** `key` is the key of the added entry that the field belongs to. Absent: the field has the same name in every session. */
export interface KeptDraft {
  readonly key?: string;
  readonly field: string;
  readonly text: string;
}

type KeptFile = Pick<Gguf, "fileSize" | "headerSize" | "headerBytes">;

/** The version of the stored form. */
const PREFIX = "gguf-edits-1";

let storage: (() => Storage) | undefined;

/** Keeps unsaved edits in a storage of the page, which the browser may forbid. A page of another author keeps none. */
export function keepEditsIn(kept: () => Storage): void {
  storage = kept;
}

/** Where the edits of one file are kept. */
export class KeptPlace {
  readonly #gguf: KeptFile;
  #name: string | undefined;

  constructor(gguf: KeptFile) {
    this.#gguf = gguf;
  }

  /** The edits. Undefined if there are none. */
  read(): KeptEdits | undefined {
    try {
      const kept = storage?.();
      // The header is read only if a file of this size has edits.
      if (!kept || !Object.keys(kept).some((name) => name.startsWith(this.#sizes))) return undefined;
      const text = kept.getItem(this.#full);
      return text === null ? undefined : checked(JSON.parse(text));
    } catch {
      return undefined;
    }
  }

  /** Keeps the edits in place of those before, or none. Returns whether there is room for them. */
  write(edits: KeptEdits | undefined): boolean {
    let kept: Storage | undefined;
    try {
      kept = storage?.();
    } catch {
      // The settings of the browser may forbid storage.
    }
    if (!kept) return true;
    try {
      if (edits) kept.setItem(this.#full, JSON.stringify(edits));
      else if (this.#name !== undefined) kept.removeItem(this.#name);
      return true;
    } catch {
      kept.removeItem(this.#full);
      return false;
    }
  }

  get #sizes(): string {
    const { fileSize, headerSize } = this.#gguf;
    return `${PREFIX} ${fileSize ?? "-"} ${headerSize} `;
  }

  get #full(): string {
    this.#name ??= `${this.#sizes}${hashOf(this.#gguf.headerBytes())}`;
    return this.#name;
  }
}

/** The edits if they have the right form. Other programs of the same site may write into the storage. */
function checked(value: unknown): KeptEdits | undefined {
  const { steps, drafts, count } = value as Partial<KeptEdits>;
  if (!Array.isArray(steps) || !Array.isArray(drafts) || !Number.isSafeInteger(count)) return undefined;
  if (Number(count) < 1 || !steps.every(isText) || !drafts.every(isDraft)) return undefined;
  return { steps, drafts, count } as KeptEdits;
}

const isText = (value: unknown) => typeof value === "string";

function isDraft(value: unknown): boolean {
  const { key = "", field, text } = (value ?? {}) as Partial<KeptDraft>;
  return [key, field, text].every(isText);
}

/** A hash of 64 bits that tells files of one person apart: two FNV-1a hashes of 32 bits, which begin with different values. */
export function hashOf(bytes: Uint8Array): string {
  let [first, second] = [0x811c9dc5, 0x9e3779b9];
  for (const byte of bytes) {
    first = Math.imul(first ^ byte, 0x01000193);
    second = Math.imul(second ^ byte, 0x85ebca6b);
    second ^= second >>> 15;
  }
  return [first, second].map((half) => (half >>> 0).toString(16).padStart(8, "0")).join("");
}
