/** The command of llama.cpp that makes a mix. */

import type { TypeMix } from "gguf-wasm/convert";

/** The files of a conversion. */
export interface MixFiles {
  readonly input: string;
  readonly output: string;
  readonly imatrix: string | undefined;
}

export function mixCommand({ fileType, tensorTypes }: TypeMix, { input, output, imatrix }: MixFiles): string {
  const options = [
    ...(imatrix === undefined ? [] : [`--imatrix ${quoted(imatrix)}`]),
    ...tensorTypes.map((rule) => `--tensor-type ${quoted(rule)}`),
  ];
  return ["llama-quantize", ...options, `${quoted(input)} ${quoted(output)} ${fileType}`].join(" \\\n  ");
}

/** An argument for a shell. */
function quoted(text: string): string {
  return /^[\w./:=+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
