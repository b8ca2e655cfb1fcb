import type { LitElement } from "lit";
import { refusalText } from "../gguf/error-texts.ts";
import { failureOf } from "../gguf/failure.ts";
import { formatCount } from "../ui/numbers.ts";
import { type ChosenType, withChoice, withoutRow } from "./chosen-types.ts";
import type { Planner } from "./planner.ts";
import type { PatternTypeChoice, TensorTypeChoice } from "./type-table.ts";

/** The types that a person sets, one by one and by patterns: the choices, what the last one has changed, and why one was refused. */
export class TypeChoices {
  /** The choices that the plan has accepted, the last one at the end. */
  choices: readonly ChosenType[] = [];
  /** Whether all choices are those of a mix. */
  isMix = false;
  /** What the last pattern has changed; "" if there is none. */
  result = "";
  /** Why the last type was refused; "" if it was not. */
  problem = "";

  readonly #host: LitElement;
  readonly #planner: Planner;
  readonly #onChange: () => void;

  /** `onChange` is called when the plan has got other types. */
  constructor(host: LitElement, planner: Planner, onChange: () => void) {
    this.#host = host;
    this.#planner = planner;
    this.#onChange = onChange;
  }

  /** Another model is open. */
  forget(): void {
    this.choices = [];
    this.isMix = false;
    this.tell("", "");
  }

  /** Sets the type of one tensor. Without a type, the tensor gets the type that the file type gives. */
  setType({ row, type }: TensorTypeChoice): void {
    this.tell("", "");
    this.#attempt((plan) => {
      // A choice that the plan refuses is not kept.
      plan.setType(row, type);
      this.#choose(type === undefined ? withoutRow(this.choices, row) : withChoice(this.choices, { row, type }));
    });
  }

  /** Sets the type of all tensors whose names match a pattern. */
  setTypes({ pattern, type }: PatternTypeChoice): void {
    this.#attempt((plan) => {
      const count = plan.setTypes(pattern, type);
      if (count === 0)
        return this.tell("", "No tensor that can be quantized matches the pattern. Nothing was changed.");
      this.#choose(withChoice(this.choices, { pattern, type }));
      this.tell(`${formatCount(count, "tensor")} ${count === 1 ? "gets" : "get"} the type ${type}.`, "");
    });
  }

  /** Replaces all choices by those of a mix, which the next plan gets. */
  useMix(choices: readonly ChosenType[]): void {
    this.forget();
    this.choices = choices;
    this.isMix = choices.length > 0;
  }

  discardAll(): void {
    this.#choose([]);
    this.result = "";
  }

  tell(result: string, problem: string): void {
    this.result = result;
    this.problem = problem;
    this.#host.requestUpdate();
  }

  #attempt(change: (plan: NonNullable<Planner["plan"]>) => void): void {
    const { plan } = this.#planner;
    if (!plan) return;
    try {
      change(plan);
    } catch (error) {
      this.tell("", refusalText(failureOf(error)));
    }
  }

  /** Gives the plan other types. */
  #choose(choices: readonly ChosenType[]): void {
    this.choices = choices;
    this.isMix = false;
    this.#planner.choose(choices);
    this.#onChange();
  }
}
