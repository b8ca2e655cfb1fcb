import type { Mark } from "../gguf/shown-file.ts";
import type { Fact } from "./fact.ts";

/** A fact of a file that is being edited. */
export interface MarkedFact extends Fact {
  mark?: Mark;
  /** The value before editing, if it was different. */
  before?: string;
}

/** The facts after editing, with a mark at each changed one. A removed fact stands behind the fact that preceded it. */
export function markedFacts(was: readonly Fact[], willBe: readonly Fact[]): MarkedFact[] {
  const before = new Map(was.map((fact) => [fact.label, fact.value]));
  const now = new Set(willBe.map((fact) => fact.label));
  const facts = willBe.map((fact): MarkedFact => {
    const value = before.get(fact.label);
    if (value === undefined) return { ...fact, mark: "added" };
    // A difference that rounding hides is not shown.
    return value === fact.value ? fact : { ...fact, mark: "changed", before: value };
  });
  for (const [at, { label, value }] of was.entries()) {
    if (now.has(label)) continue;
    const place = 1 + facts.findIndex((fact) => fact.label === was[at - 1]?.label);
    facts.splice(place, 0, { label, value: "–", mark: "removed", before: value });
  }
  return facts;
}
