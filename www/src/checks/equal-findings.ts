/** Findings that say the same about a tensor of several blocks, as one. */

import type { Fix } from "gguf-wasm/explain";
import { isNotice, joinEqual as join, type JoinedFindings as Joined } from "gguf-wasm/common/equal-findings.js";
import { formatCount, formatInteger } from "../ui/numbers.ts";
import { capitalised } from "../ui/sentence.ts";
import { type FindingSubject, subjectOf } from "./finding-subjects.ts";
import { findingTarget, type ShownFinding } from "./findings.ts";

/** A finding, or findings that differ only in the block of their tensor. `name` is also that of the entry or tensor of one finding. */
export interface JoinedFindings extends Joined<ShownFinding> {
  readonly subject: FindingSubject;
  readonly sentence: string;
}

/** The joined findings of each list. The tabs and the panel need them at every update. */
const JOINED = new WeakMap<readonly ShownFinding[], readonly JoinedFindings[]>();

/** Joins the findings that differ only in the block of their tensor. They stand at the place of the first one. */
export function joinEqual(findings: readonly ShownFinding[]): readonly JoinedFindings[] {
  const known = JOINED.get(findings);
  if (known) return known;
  // A notice that others are not listed has the subject of those that are.
  const subjects = new Map(findings.filter((finding) => !isNotice(finding)).map((own) => [own.code, subjectOf(own)]));
  const joined = join(findings).map((own) => {
    const { first, message, findings: all } = own;
    return {
      ...own,
      subject: (isNotice(first) ? subjects.get(first.code) : undefined) ?? subjectOf(first),
      name: own.name ?? (all.length === 1 ? findingTarget(first)?.name : undefined),
      sentence: capitalised(message),
    };
  });
  JOINED.set(findings, joined);
  return joined;
}

/**
 * The fix of joined findings: the fix that they share, or all their fixes as one. Undefined if they have different fixes and one of them
 * has none or needs a decision.
 */
export function joinedFix({ findings }: Pick<JoinedFindings, "findings">): Fix | undefined {
  const fixes = findings.flatMap(({ fix }) => fix ?? []);
  const different = [...new Map(fixes.map((fix) => [JSON.stringify(fix.changes, withoutBigInt), fix])).values()];
  const [first] = different;
  if (!first || different.length === 1) return first;
  if (fixes.length < findings.length || !fixes.every(({ isSafe }) => isSafe)) return undefined;
  const changes = different.flatMap((fix) => fix.changes);
  return { ...first, title: `Fix all ${formatInteger(findings.length)}`, changes };
}

/** Whole numbers of 64 bits as texts, which JSON lacks. */
function withoutBigInt(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? `${value}n` : value;
}

/** "2 errors", or "2 errors in 122 places" if some findings are joined. */
export function countWords(groups: readonly JoinedFindings[], word: string, words: string): string {
  const places = groups.reduce((sum, { findings }) => sum + findings.length, 0);
  const count = formatCount(groups.length, word, words);
  return places === groups.length ? count : `${count} in ${formatCount(places, "place")}`;
}
