import type { ChecksResult } from "../checks/findings.ts";
import type { Machine } from "../memory/machine.ts";
import type { HubFile } from "../gguf/repository-place.ts";
import type { OpenCost, ShownHeader } from "../gguf/shown-file.ts";
import type { ReviewResult } from "../template/template-review.ts";
import type { StoredHeader } from "./facts.ts";

/** What the summary is about. */
export interface SummarySubject {
  /** The stored file. It is a `Gguf` if `panels` is present. */
  readonly gguf: StoredHeader;
  /** The header after editing. Undefined while the file is not being edited. */
  readonly edited: ShownHeader | undefined;
  readonly fileName: string;
  readonly cost: OpenCost | undefined;
  /** The number of shards of the model, such as "2 of 3"; "" if it is one file. */
  readonly shards: string;
  /** Undefined until the checks have run. */
  readonly checks: ChecksResult | undefined;
  /** Undefined until the review of the chat templates has ended. */
  readonly review: ReviewResult | undefined;
  /** The number of chat templates. */
  readonly templates: number;
  /** The names of the panels that the file has. Undefined until the panels can be shown. */
  readonly panels: readonly string[] | undefined;
  /** The machine for which the summary computes what fits. */
  readonly machine: Machine;
  /** The file as one of a repository on Hugging Face. Undefined if it is not one. */
  readonly hubFile?: HubFile | undefined;
}
