import type { Mark } from "../gguf/shown-file.ts";
import type { Fact } from "./facts.ts";

/** A fact of a file that is edited. */
export interface MarkedFact extends Fact {
  mark?: Mark;
  /** What it was, where that was something else. */
  before?: string;
}

/** The facts as they will be, those that were otherwise marked; and those that there were, each behind what it stood behind. */
export function markedFacts(was: readonly Fact[], willBe: readonly Fact[]): MarkedFact[] {
  const before = new Map(was.map((fact) => [fact.label, fact.value]));
  const now = new Set(willBe.map((fact) => fact.label));
  const facts = willBe.map((fact): MarkedFact => {
    const value = before.get(fact.label);
    if (value === undefined) return { ...fact, mark: "added" };
    // What rounding hides is no difference to look at.
    return value === fact.value ? fact : { ...fact, mark: "changed", before: value };
  });
  for (const [at, { label, value }] of was.entries()) {
    if (now.has(label)) continue;
    const place = 1 + facts.findIndex((fact) => fact.label === was[at - 1]?.label);
    facts.splice(place, 0, { label, value: "–", mark: "removed", before: value });
  }
  return facts;
}
