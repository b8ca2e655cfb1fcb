import { findingsOf } from "../checks/findings-of-file.ts";
import { findingsOfSet } from "../checks/findings-of-set.ts";
import type { ShownFinding } from "../checks/findings.ts";
import { templateFinding } from "../checks/template-finding.ts";
import type { OpenedModel } from "../gguf/opened-model.ts";
import { flagWords, type ReviewedFile, type ReviewResult, TemplateReview } from "../template/template-review.ts";

/** The checks of the open file, and the review of its chat templates. Both run after the file has been shown. */
export class FileChecks {
  readonly #changed: () => void;
  readonly #review: TemplateReview;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #stored: readonly ShownFinding[] | undefined;
  /** The last result of `withReview`, and what it was made of. */
  #joined: { findings: readonly ShownFinding[]; review: ReviewResult; all: readonly ShownFinding[] } | undefined;

  /** `changed` is called when there are new results. */
  constructor(changed: () => void) {
    this.#changed = changed;
    this.#review = new TemplateReview(changed);
  }

  /** The findings about the stored file. Undefined until the checks have run. */
  get stored(): readonly ShownFinding[] | undefined {
    return this.#stored;
  }

  /** The result of the review of chat templates. Undefined until it is known. */
  get review(): ReviewResult | undefined {
    return this.#review.result;
  }

  /** Checks a model. The name is "" if it is not known. */
  start(model: OpenedModel, fileName: string): void {
    this.stop();
    this.#timer = setTimeout(() => {
      this.#stored = model.set ? findingsOfSet(model.set) : findingsOf(model.gguf, fileName);
      this.#changed();
    }, 0);
  }

  /** Forgets the model and its results. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#stored = undefined;
    this.#review.stop();
  }

  /** Reviews the chat templates of the shown file once the checks have run, and again when they are edited. */
  reviewTemplates(file: ReviewedFile): void {
    if (this.#stored) this.#review.update(file);
  }

  /** Findings, and the one that mentions the chat templates. The same list is returned while nothing has changed. */
  withReview(findings: readonly ShownFinding[] | undefined, templates: number): readonly ShownFinding[] | undefined {
    const { review } = this;
    if (!findings || !review || review.flags.length === 0) return findings;
    if (this.#joined?.findings !== findings || this.#joined.review !== review) {
      const titles = review.flags.map(({ title }) => title);
      const all = [...findings, templateFinding(flagWords(review.flags), titles, templates)];
      this.#joined = { findings, review, all };
    }
    return this.#joined.all;
  }
}
