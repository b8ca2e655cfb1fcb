/** The tensor types that a person has set. They are kept while the plan is made anew for other options. */

import type { ConversionPlan } from "gguf-wasm/convert";

/** The type of one tensor, by its position in the plan, or of all tensors whose names match a pattern. */
export type ChosenType = TensorChoice | PatternChoice;

interface TensorChoice {
  readonly row: number;
  /** Undefined: the type that the file type gives, although a pattern matches the name. */
  readonly type: string | undefined;
}

interface PatternChoice {
  readonly pattern: string;
  readonly type: string;
}

/** The part of a plan that has the types. */
export type TypedPlan = Pick<ConversionPlan, "tensors" | "setType" | "setTypes">;

/** The choices with a further one, which replaces an earlier one for the same tensor or pattern. */
export function withChoice(choices: readonly ChosenType[], choice: ChosenType): ChosenType[] {
  return [...choices.filter((other) => !isSameTarget(other, choice)), choice];
}

/** The choices after which one tensor has the type that the file type gives. */
export function withoutRow(choices: readonly ChosenType[], row: number): ChosenType[] {
  const others = choices.filter((choice) => !("row" in choice && choice.row === row));
  // A pattern may have set the type, too.
  return others.some((choice) => "pattern" in choice) ? [...others, { row, type: undefined }] : others;
}

function isSameTarget(a: ChosenType, b: ChosenType): boolean {
  if ("row" in a) return "row" in b && a.row === b.row;
  return "pattern" in b && a.pattern === b.pattern;
}

/** Gives a plan exactly the chosen types: a later choice wins. A choice that the plan refuses is skipped. */
export function applyChoices(plan: TypedPlan, choices: readonly ChosenType[]): void {
  for (const [row, { reason }] of plan.tensors.entries()) if (reason === "hand") plan.setType(row, undefined);
  for (const choice of choices) {
    try {
      if ("row" in choice) plan.setType(choice.row, choice.type);
      else plan.setTypes(choice.pattern, choice.type);
    } catch {
      // The tensor cannot have the type any more. Its row shows the type that it gets.
    }
  }
}

/** A pattern that no name matches: setting types by it only checks the type. */
const NOTHING = "^$";

/** The types that tensors can be converted to, of a list of types. */
export function targetTypes<Type extends { readonly name: string }>(plan: TypedPlan, types: readonly Type[]): Type[] {
  return types.filter(({ name }) => {
    try {
      plan.setTypes(NOTHING, name);
      return true;
    } catch {
      return false;
    }
  });
}
