/** The quantisation of a file in a few words. */

import { fileTypes } from "../gguf/library.ts";
import type { ShownHeader } from "../gguf/shown-file.ts";
import { fileTypeName } from "../gguf/tensor-types.ts";

/**
 * The quantisation that the metadata declares, and the tensor type that most bytes have if it differs. Mixtures that `llama-quantize` makes
 * for the declared quantisation do not differ from it. A shard has only some of the tensors, so they are not compared.
 */
export function quantisation({ metadata, fileType, classification }: ShownHeader): {
  readonly value: string | undefined;
  readonly exact?: string;
} {
  const declared = fileTypeName(metadata.get("general.file_type"));
  const { tensors: fitting, mainTensorType: main } = fileType;
  if (main === undefined || classification?.kind === "shard") return { value: declared };
  if (declared === undefined) return { value: `mostly ${main}`, exact: "general.file_type declares no known type." };
  const { tensorType = main } = fileTypes().find(({ name }) => name === declared) ?? {};
  const agrees = tensorType === main || fitting.includes(declared);
  return { value: agrees ? declared : `declared ${declared}, mostly ${main}` };
}
