import type { ErrorEstimate, ErrorEstimateProgress } from "gguf-wasm/convert";
import type { LitElement } from "lit";
import type { OpenedModel } from "../../gguf/opened-model.ts";
import { ElementTask, type LongTaskState } from "../../ui/long-task.ts";
import { Throttled } from "../../ui/throttled.ts";
import { loadConvert } from "../convert-module.ts";
import { type ConvertSettings, requantizeOptions } from "../settings.ts";

/** Milliseconds between two pictures of an estimate that runs. */
const BETWEEN_PICTURES = 400;

/** The estimate of the errors of all file types: for one model and its settings, except for the chosen file type. */
export class QualityTask {
  /** What is known so far. */
  known: ErrorEstimate | undefined;
  readonly #task: ElementTask<ErrorEstimate>;
  /** What was estimated, or is being estimated. */
  #asked: { readonly model: OpenedModel; readonly settings: ConvertSettings } | undefined;

  constructor(host: LitElement) {
    this.#task = new ElementTask(host);
  }

  get state(): LongTaskState<ErrorEstimate> {
    return this.#task.state;
  }

  get isComplete(): boolean {
    return this.#task.state.name === "done";
  }

  /** Whether the estimate, or what is known of it, belongs to these settings. */
  isOf(model: OpenedModel, settings: ConvertSettings): boolean {
    return this.#asked?.model === model && haveSameErrors(this.#asked.settings, settings);
  }

  start(model: OpenedModel, settings: ConvertSettings): void {
    this.#asked = { model, settings };
    this.known = undefined;
    void this.#task.run(async (signal, report) => {
      const { requantize } = await loadConvert();
      // The panel frees its own plan when the person chooses another file type.
      const plan = await requantize(model.set ?? model.gguf, { ...requantizeOptions(settings), nmse: false });
      let last: ErrorEstimateProgress | undefined;
      const show = new Throttled(BETWEEN_PICTURES, () => {
        if (!last || signal.aborted) return;
        this.known = last.estimate();
        report({ done: last.tensorsDone, total: last.tensorCount });
      });
      try {
        const estimate = await plan.estimateError({
          signal,
          withoutImportance: settings.imatrix !== undefined,
          onProgress: (progress) => {
            last = progress;
            show.request();
          },
        });
        this.known = estimate;
        return estimate;
      } finally {
        show.stop();
        plan.free();
      }
    });
  }

  readonly cancel = () => this.#task.cancel();

  /** Stops the estimate and forgets what is known. */
  forget(): void {
    this.#asked = undefined;
    this.known = undefined;
    this.#task.reset();
  }
}

/** Whether all file types have the same errors with both settings. */
function haveSameErrors(a: ConvertSettings, b: ConvertSettings): boolean {
  const names = Object.keys(a) as (keyof ConvertSettings)[];
  return names.every((name) => name === "target" || name === "nmse" || a[name] === b[name]);
}
