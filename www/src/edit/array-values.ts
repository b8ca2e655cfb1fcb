import type { MetadataArray } from "gguf-wasm/explain";
import type { NewValue } from "gguf-wasm/full";
import { elementsOf } from "./new-values.ts";

/** The elements of an array in a form that is saved with exactly the same bytes. Strings that are not UTF-8 become bytes. */
export function exactElements(array: MetadataArray): NewValue[] {
  return array.toArray().map((value, index) => {
    if (typeof value === "object") return exactArray(value);
    return typeof value === "string" && value.includes("\ufffd") ? array.bytes(index) : value;
  });
}

/** An array in a form that is saved with exactly the same bytes and the same type. */
export function exactArray(array: MetadataArray): NewValue {
  const { elementType } = array;
  const elements = exactElements(array);
  return elementType === "ARRAY" ? elements : elementsOf(elementType, elements);
}
