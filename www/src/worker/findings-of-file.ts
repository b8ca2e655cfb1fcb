import type { Finding, ValidateOptions } from "gguf-wasm";

/** A file, or a file after editing. */
interface Checked {
  validate(options?: ValidateOptions): readonly Finding[];
}

/**
 * The findings about a file and its name. The name is "" if it is not known. The summary shows whether the name is a
 * conventional one, so that is no finding here.
 */
export function findingsOf(checked: Checked, fileName: string): readonly Finding[] {
  if (fileName === "") return checked.validate();
  return checked.validate({ fileName }).filter(({ code }) => code !== "unconventional-file-name");
}
