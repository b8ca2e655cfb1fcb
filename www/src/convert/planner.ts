import type { ConversionPlan, FileTypeEstimate, GgmlTypeInfo } from "gguf-wasm/convert";
import type { LitElement } from "lit";
import { type Failure, failureOf } from "../gguf/failure.ts";
import type { OpenedModel } from "../gguf/opened-model.ts";
import { applyChoices, type ChosenType, targetTypes } from "./chosen-types.ts";
import { loadConvert } from "./convert-module.ts";
import { type ConvertSettings, requantizeOptions } from "./settings.ts";

/** What is planned. */
export interface ConversionRequest {
  readonly model: OpenedModel;
  readonly settings: ConvertSettings;
  readonly choices: readonly ChosenType[];
}

/** The plan of a panel. Each change of the settings makes a new plan. The previous plan is freed when nothing shows it any more. */
export class Planner {
  /** The last plan that could be made. */
  plan: ConversionPlan | undefined;
  /** Why there is no plan for the last request. `plan` then belongs to an earlier request. */
  failure: Failure | undefined;
  /** The types that tensors can be converted to. */
  tensorTypes: readonly GgmlTypeInfo[] = [];
  /** Counts the changes of the plan and of its types. */
  revision = 0;

  readonly #host: LitElement;
  /** Counts the plans that were asked for. Only the last one is shown. */
  #asked = 0;
  /** The settings of the plan. */
  #settings: ConvertSettings | undefined;
  #fileTypes: readonly FileTypeEstimate[] | undefined;

  constructor(host: LitElement) {
    this.#host = host;
  }

  /** Plans a conversion. Resolves to whether the new plan is shown now. */
  async make({ model, settings, choices }: ConversionRequest): Promise<boolean> {
    this.#asked += 1;
    const asked = this.#asked;
    try {
      const { ggmlTypes, requantize } = await loadConvert();
      const plan = await requantize(model.set ?? model.gguf, requantizeOptions(settings));
      if (asked !== this.#asked) {
        plan.free();
        return false;
      }
      if (this.tensorTypes.length === 0) this.tensorTypes = targetTypes(plan, ggmlTypes());
      applyChoices(plan, choices);
      if (!this.#settings || !haveSameEstimates(this.#settings, settings)) this.#fileTypes = undefined;
      this.#settings = settings;
      this.#show(plan);
      return true;
    } catch (error) {
      if (asked === this.#asked) {
        this.failure = failureOf(error);
        this.#host.requestUpdate();
      }
      return false;
    }
  }

  /** Gives the plan other types. */
  choose(choices: readonly ChosenType[]): void {
    if (!this.plan) return;
    applyChoices(this.plan, choices);
    this.#changed();
  }

  /** What the model would be as a file of each type, with the settings of the plan. */
  get fileTypes(): readonly FileTypeEstimate[] {
    return (this.#fileTypes ??= this.plan?.fileTypes() ?? []);
  }

  /** Another model is open. */
  forget(): void {
    this.#asked += 1;
    this.#settings = undefined;
    this.#fileTypes = undefined;
    this.#show(undefined);
  }

  #show(plan: ConversionPlan | undefined): void {
    const before = this.plan;
    this.plan = plan;
    this.failure = undefined;
    this.#changed();
    if (before) setTimeout(() => void this.#host.updateComplete.then(() => before.free()));
  }

  #changed(): void {
    this.revision += 1;
    this.#host.requestUpdate();
  }
}

/** Whether all file types have the same sizes with both settings. */
function haveSameEstimates(a: ConvertSettings, b: ConvertSettings): boolean {
  const names = Object.keys(a) as (keyof ConvertSettings)[];
  return names.every((name) => name === "target" || name === "nmse" || a[name] === b[name]);
}
