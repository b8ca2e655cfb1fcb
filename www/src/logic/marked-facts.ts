import type { Mark } from "./edit-rows.ts";
import type { Fact } from "./summary.ts";

/** A fact of a file that is edited. */
export interface MarkedFact extends Fact {
  mark?: Mark;
  /** What it was, where that was something else. */
  before?: string;
}

/** The facts as they will be, those that were otherwise marked, and at their end those that there were. */
export function markedFacts(was: readonly Fact[], willBe: readonly Fact[]): MarkedFact[] {
  const before = new Map(was.map((fact) => [fact.label, fact.value]));
  const now = new Set(willBe.map((fact) => fact.label));
  return [
    ...willBe.map((fact): MarkedFact => {
      const value = before.get(fact.label);
      if (value === undefined) return { ...fact, mark: "added" };
      // What rounding hides is no difference to look at.
      return value === fact.value ? fact : { ...fact, mark: "changed", before: value };
    }),
    ...was
      .filter((fact) => !now.has(fact.label))
      .map(({ label, value }): MarkedFact => ({ label, value: "–", mark: "removed", before: value })),
  ];
}
