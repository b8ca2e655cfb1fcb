/** The name of a model's type at the end of a file name: "-F16", ".bf16", "-Q4_K_M". */
const TYPE_SUFFIX = /[-._](?:b?f16|f32|f64|(?:i?q|tq)\d\w*|mxfp4\w*|nvfp4\w*)$/i;

/** The name of the converted file: "model-F16" becomes "model-Q4_K_M.gguf". `base` is a name without `.gguf`. */
export function convertedName(base: string, type: string): string {
  const stem = base.replace(TYPE_SUFFIX, "");
  return `${stem === "" ? "model" : stem}-${type}.gguf`;
}
