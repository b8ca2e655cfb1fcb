import type { LitElement, ReactiveController } from "lit";
import { checkHere, modelInWorker, takesLong } from "../checks/check-file.ts";
import type { ChecksTask } from "../checks/checks-progress.ts";
import type { ChecksResult } from "../checks/findings.ts";
import { refusedTemplate, templateFindings } from "../checks/template-finding.ts";
import type { OpenedModel } from "../gguf/opened-model.ts";
import {
  type AfterData,
  afterData,
  loadsOfParts,
  withAfterData,
  withMissingParts,
} from "gguf-wasm/common/after-data.js";
import { fullGguf } from "../gguf/full.ts";
import { ElementTask } from "../ui/long-task.ts";
import type { ReviewedFile, ReviewResult, TemplateReview } from "../template/template-review.ts";
import { whenIdle } from "../ui/idle.ts";
import { loadModule } from "../ui/load-module.ts";

const loadReview = loadModule(() => import("../template/template-review.ts"));

/** The result of checks, with what stands behind the data. */
function withFindings(checks: ChecksResult, found: AfterData | undefined): ChecksResult {
  return found ? { ...checks, findings: withAfterData(checks.findings, found) } : checks;
}

/** The result of checks of a model, with the advice for raw parts if it is made of some. */
function ofModel(checks: ChecksResult, { container }: OpenedModel): ChecksResult {
  if (container?.kind !== "raw parts") return checks;
  const { loads, findings } = checks;
  return { ...checks, loads: loadsOfParts(loads), findings: withMissingParts(findings) };
}

/** A model, and its name. */
interface CheckedFile {
  readonly model: OpenedModel;
  readonly fileName: string;
}

/** The checks of the open file, and the review of its chat templates. Both run after the file has been shown. */
export class FileChecks implements ReactiveController {
  readonly #host: LitElement;
  /** Undefined until a file has a chat template, and its code is loaded. */
  #review: TemplateReview | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The model, and its name. */
  #checked: CheckedFile | undefined;
  /** The same if its checks take long. */
  #large: CheckedFile | undefined;
  /** Ends when the findings have fixes, or when it turned out that they cannot be made. */
  #fixing: Promise<void> | undefined;
  /** Aborted when the model is forgotten. */
  #ending = new AbortController();
  #hasFixes = false;
  #wantsFixes = false;
  /** What stands behind the data, once it is known. */
  #afterData: AfterData | undefined;
  readonly #checking: ElementTask<ChecksResult>;
  #task: ChecksTask | undefined;
  /** Whether a person has stopped the checks. */
  #isCancelled = false;
  #stored: ChecksResult | undefined;
  /** The last result of `withReview`, and what it was made of. */
  #joined: { parts: readonly unknown[]; all: ChecksResult } | undefined;
  /** Whether the code of the review could not be loaded, so that there will be none. */
  #hasNoReview = false;

  /** The host is updated when there are new results. */
  constructor(host: LitElement) {
    this.#host = host;
    this.#checking = new ElementTask(host);
    host.addController(this);
  }

  /** The checks ended when the host left the document. */
  hostConnected(): void {
    if (this.#large && !this.#stored && !this.#isCancelled) this.#check();
  }

  /** The checks of the stored file. Undefined until they have run. */
  get stored(): ChecksResult | undefined {
    return this.#stored;
  }

  /** The checks as a task. Undefined if they take a moment only. The same object is returned while nothing has changed. */
  get task(): ChecksTask | undefined {
    if (!this.#large) return undefined;
    const { state } = this.#checking;
    if (this.#task?.state !== state) this.#task = { state, cancel: this.#cancel, start: this.#check };
    return this.#task;
  }

  /** The result of the review of chat templates. Undefined until it is known. */
  get review(): ReviewResult | undefined {
    return this.#review?.result;
  }

  /** Checks a model. The name is "" if it is not known. Without fixes, nothing is loaded for the checks. */
  start(model: OpenedModel, fileName: string, withFixes: boolean): void {
    this.stop();
    const checked = (this.#checked = { model, fileName });
    // Sets are checked by the module that makes fixes.
    this.#hasFixes = model.set !== undefined;
    this.#wantsFixes = withFixes;
    if (takesLong(model.gguf)) {
      this.#large = checked;
      this.#check();
      return;
    }
    this.#timer = setTimeout(() => {
      this.#stored = ofModel(checkHere(model, fileName), model);
      this.#host.requestUpdate();
      void this.#lookBehindData(checked);
    }, 0);
  }

  /** Says what stands behind the data, if the file does not end with it. Only then, the end of the file is read. Never rejects. */
  async #lookBehindData(checked: CheckedFile): Promise<void> {
    const { signal } = this.#ending;
    const checks = this.#stored;
    const [source] = checked.model.sources;
    if (!checks || checked.model.set || !(source instanceof Blob)) return;
    const found = await afterData(checks.findings, source, checked.model.gguf.tensors).catch(() => undefined);
    if (signal.aborted || !found || !this.#stored) return;
    this.#afterData = found;
    this.#stored = withFindings(this.#stored, found);
    this.#host.requestUpdate();
  }

  /**
   * Adds fixes to the findings, which the module of editing makes. Nothing happens before the checks have run, or if the module does not
   * load; the next call tries again. Never rejects.
   */
  async addFixes(): Promise<void> {
    const checked = this.#checked;
    if (!checked || !this.#stored || this.#hasFixes) return;
    await (this.#fixing ??= this.#fix(checked, this.#ending.signal));
  }

  async #fix(checked: CheckedFile, signal: AbortSignal): Promise<void> {
    const { model, fileName } = checked;
    try {
      const fixable = await fixableModel(model);
      signal.throwIfAborted();
      const checks = takesLong(model.gguf) ? await checkLarge(fixable, fileName, signal) : checkHere(fixable, fileName);
      signal.throwIfAborted();
      this.#stored = withFindings(ofModel(checks, model), this.#afterData);
      this.#hasFixes = true;
      this.#host.requestUpdate();
    } catch {
      // The findings stay as they are.
      if (this.#checked === checked) this.#fixing = undefined;
    }
  }

  /** The checks of the stored file with fixes. Undefined if they have not run, or if there are no fixes. */
  async withFixes(): Promise<ChecksResult | undefined> {
    await this.addFixes();
    return this.#hasFixes ? this.#stored : undefined;
  }

  readonly #check = () => {
    const large = this.#large;
    if (!large) return;
    this.#isCancelled = false;
    void this.#checking.run(async (signal) => {
      const { model, fileName } = large;
      // A worker that starts before would take the processor from what the person looks at.
      await whenIdle(signal);
      const fixable = this.#wantsFixes && (await fixableModel(model).catch(() => undefined));
      const checks = await checkLarge(fixable || model, fileName, signal);
      signal.throwIfAborted();
      this.#stored = ofModel(checks, model);
      void this.#lookBehindData(large);
      this.#hasFixes ||= Boolean(fixable);
      return checks;
    });
  };

  readonly #cancel = () => {
    this.#isCancelled = true;
    this.#checking.cancel();
  };

  /** Forgets the model and its results. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#ending.abort();
    this.#ending = new AbortController();
    this.#checked = undefined;
    this.#large = undefined;
    this.#fixing = undefined;
    this.#hasFixes = false;
    this.#checking.reset();
    this.#stored = undefined;
    this.#afterData = undefined;
    this.#review?.stop();
  }

  /** Reviews the chat templates of the shown file once the checks have run or were stopped, and again when they are edited. */
  reviewTemplates(file: ReviewedFile): void {
    if (!this.#review && file.templates.length > 0) void this.#loadReview();
    if (this.#stored || this.#checking.state.name === "failed") this.#review?.update(file);
  }

  /** Without its code, the templates are not reviewed, and Checks says so. */
  async #loadReview(): Promise<void> {
    const module = await loadReview().catch(() => undefined);
    if (this.#review) return;
    this.#hasNoReview = module === undefined;
    if (!module) {
      this.#host.requestUpdate();
      return;
    }
    const update = () => this.#host.requestUpdate();
    this.#review = new module.TemplateReview(update);
    update();
  }

  /**
   * The checks, with findings about the chat templates, and whether something of it still runs. The same object is returned while nothing has
   * changed.
   */
  withReview(checks: ChecksResult | undefined, templates: number): ChecksResult | undefined {
    if (!checks || templates === 0) return checks;
    const { review } = this;
    const isReviewing = !this.#hasNoReview && (review === undefined || (this.#review?.isRunning ?? false));
    const running = checks.running ?? (isReviewing ? "template" : undefined);
    if (running === undefined && (review === undefined || review.flags.length === 0)) return checks;
    const parts = [checks, review, running];
    if (this.#joined === undefined || parts.some((part, at) => part !== this.#joined?.parts[at])) {
      const found = review && {
        findings: [...checks.findings, ...templateFindings(review)],
        refusedTemplate: refusedTemplate(review),
      };
      this.#joined = { parts, all: { ...checks, ...found, running } };
    }
    return this.#joined.all;
  }
}

/** A model whose findings have fixes. */
async function fixableModel({ gguf, set }: OpenedModel): Promise<Pick<OpenedModel, "gguf" | "set">> {
  return { gguf: await fullGguf(gguf), set };
}

/** Checks a large model: in a worker if the page can start one. */
async function checkLarge(
  model: Pick<OpenedModel, "gguf" | "set">,
  fileName: string,
  signal?: AbortSignal,
): Promise<ChecksResult> {
  return (await modelInWorker(model, fileName, signal)) ?? checkHere(model, fileName);
}
