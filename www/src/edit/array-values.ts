import type { MetadataArray, NewValue } from "gguf-wasm";
import { elementsOf } from "./new-values.ts";

/** The elements of an array so that they can be written again as exactly what they are: bytes where text is not UTF-8. */
export function exactElements(array: MetadataArray): NewValue[] {
  return array.toArray().map((value, index) => {
    if (typeof value === "object") return exactArray(value);
    return typeof value === "string" && value.includes("\ufffd") ? array.bytes(index) : value;
  });
}

/** An array as a value of its own type. */
export function exactArray(array: MetadataArray): NewValue {
  const { elementType } = array;
  const elements = exactElements(array);
  return elementType === "ARRAY" ? elements : elementsOf(elementType, elements);
}
