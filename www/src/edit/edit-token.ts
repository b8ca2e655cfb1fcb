import type { MetadataArray, MetadataValue } from "gguf-wasm/explain";
import type { NewValue } from "gguf-wasm/full";
import { html, nothing } from "lit";
import { keyInfo } from "../gguf/library.ts";
import { formatId } from "../ui/numbers.ts";
import type { Apply } from "./edit-control.ts";
import { editChoice } from "./edit-choice.ts";
import type { EditSession } from "./edit-session.ts";
import { editValue } from "./edit-value.ts";
import type { ScalarType } from "./new-values.ts";

const TEXTS = "tokenizer.ggml.tokens";
const TYPES = "tokenizer.ggml.token_type";

/** The controls that edit a token: its text and its type, which are elements of two entries. */
export function editToken(session: EditSession, id: number) {
  const name = `token ${formatId(id)}`;
  const [text, type] = [elementOf(session, TEXTS, id), elementOf(session, TYPES, id)];
  const info = keyInfo(TYPES);
  return html`${
    text === undefined
      ? nothing
      : editValue({
          type: text.type,
          value: text.value,
          label: `Text of ${name}`,
          apply: text.apply,
          drafts: session.drafts,
          draftId: `token ${id}`,
          stored: () => text.array.bytes(id),
        })
  }${
    type === undefined || !info?.values
      ? nothing
      : editChoice(
          { ...info, values: info.values },
          { type: type.type, value: type.value, label: `the type of ${name}`, apply: type.apply },
        )
  }`;
}

interface Element {
  readonly array: MetadataArray;
  readonly type: ScalarType;
  readonly value: MetadataValue;
  readonly apply: Apply;
}

/** An element of an array, and how it is changed. Undefined if the file does not have it. */
function elementOf(session: EditSession, key: string, index: number): Element | undefined {
  const array = session.metadata.get(key);
  if (typeof array !== "object" || array.elementType === "ARRAY") return undefined;
  const value = array.at(index);
  if (value === undefined) return undefined;
  const apply = (changed: NewValue) => session.edit((editor) => editor.setElement(key, index, changed));
  return { array, type: array.elementType as ScalarType, value, apply };
}
