import type { Finding, Loads, ValidateOptions } from "gguf-wasm/explain";
import type { FilePrograms } from "gguf-wasm/common/programs.js";

/** A file, or a file after editing. */
interface Checked {
  validate(options?: ValidateOptions): readonly Finding[];
  loads(): Loads;
}

/** What the checks of a file say. */
export interface FileChecksResult {
  /** Whether llama.cpp loads the file. */
  readonly loads: Loads;
  readonly findings: readonly Finding[];
  /** Which programs load the file. Undefined if that is not known of the file after editing. */
  readonly programs: FilePrograms | undefined;
}

/**
 * Checks a file and its name. The name is "" if it is not known. The summary shows whether the name is a conventional one, so that is no
 * finding here.
 */
export function checksOf(checked: Checked, fileName: string, programs: FileChecksResult["programs"]): FileChecksResult {
  const loads = checked.loads();
  if (fileName === "") return { loads, findings: checked.validate(), programs };
  const findings = checked.validate({ fileName }).filter(({ code }) => code !== "unconventional-file-name");
  return { loads, findings, programs };
}
