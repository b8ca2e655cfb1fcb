/** The quantization of a file in a few words. */

import type { ShownHeader } from "../gguf/shown-file.ts";
import { startedLibrary } from "../gguf/started-library.ts";
import { fileTypeName, typeShares, typesOwner } from "../gguf/tensor-types.ts";

/**
 * The quantization that the metadata declares, and the tensor type that most bytes have if it differs. A mix that `llama-quantize` makes
 * for the declared type counts as equal. So does a small model whose embeddings, or whose blocks, have another type. A shard has only some
 * of the tensors, so its types are not compared.
 */
export function quantization({ metadata, fileType, classification, tensors }: ShownHeader): {
  readonly value: string | undefined;
  readonly exact?: string;
} {
  if (!fileType) return { value: undefined };
  // A program with tensor types of its own has file types of its own.
  const owner = typesOwner(tensors);
  const declared = owner === undefined ? fileTypeName(metadata.get("general.file_type")) : undefined;
  const { tensors: fitting, mainTensorType: main } = fileType;
  const most = typeShares(tensors)[0]?.type;
  if (main === undefined || most === undefined || classification?.kind === "shard") return { value: declared };
  if (owner !== undefined) return { value: `mostly ${main}`, exact: `general.file_type is a number of ${owner}.` };
  if (declared === undefined) return { value: `mostly ${most}`, exact: "general.file_type declares no known type." };
  const { tensorType = main } =
    startedLibrary()
      ?.fileTypes()
      .find(({ name }) => name === declared) ?? {};
  const agrees = [main, most].includes(tensorType) || fitting.includes(declared);
  return { value: agrees ? declared : `declared ${declared}, mostly ${most}` };
}
