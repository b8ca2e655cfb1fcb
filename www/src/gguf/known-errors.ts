/** The errors of the tensors of open files, as a comparison has measured them. Other panels show them. */

import type { Gguf } from "gguf-wasm/explain";

/** The normalized mean squared error of tensors, by name. */
export type KnownErrors = ReadonlyMap<string, number>;

const ERRORS = new WeakMap<Pick<Gguf, "tensors">, KnownErrors>();

export function storeErrors(gguf: Pick<Gguf, "tensors">, errors: KnownErrors): void {
  if (errors.size > 0) ERRORS.set(gguf, errors);
}

/** Undefined if the values of the file were not compared. */
export function knownErrors(gguf: Pick<Gguf, "tensors">): KnownErrors | undefined {
  return ERRORS.get(gguf);
}
