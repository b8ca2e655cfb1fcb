import type { Finding } from "gguf-wasm";
import { counted } from "../ui/numbers.ts";

export type Severity = Finding["severity"];

/** Findings of one severity, the gravest first. */
export interface FindingGroup {
  severity: Severity;
  title: string;
  /** What it means for the file. */
  meaning: string;
  findings: readonly Finding[];
}

/** THE table of severities, the gravest first. */
const SEVERITIES: readonly { severity: Severity; word: string; words: string; meaning: string }[] = [
  {
    severity: "error",
    word: "error",
    words: "errors",
    meaning: "The file breaks the specification with these, or readers read it differently.",
  },
  {
    severity: "warning",
    word: "warning",
    words: "warnings",
    meaning:
      "The specification allows these, but llama.cpp refuses the file for them, or something is likely to go wrong.",
  },
  { severity: "info", word: "note", words: "notes", meaning: "Worth knowing." },
];

/** What an empty list of findings means: the checks cover the header alone. */
export const NO_PROBLEMS = "No problems found in the header";

/** What the checks cover, as far as the header alone tells. */
export const CHECKED: readonly string[] = [
  "The header can be read to its end.",
  "Keys are valid and unique, and known keys have the value type that llama.cpp expects.",
  "Tensor names are valid and unique.",
  "Tensor types, dimensions, offsets and alignment are consistent.",
];

/** What the checks do not cover. */
export const NOT_CHECKED: readonly string[] = [
  "Tensor values.",
  "Whether all tensors and keys that the architecture needs are present.",
  "Whether metadata and tensors agree, for example on the number of blocks.",
];

/** "Error", "Warning", "Note". */
export function severityWord(severity: Severity): string {
  const word = SEVERITIES.find((known) => known.severity === severity)?.word ?? severity;
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** The findings by severity, each group in the order of the file; empty groups are left out. */
export function groupFindings(findings: readonly Finding[]): FindingGroup[] {
  return SEVERITIES.map(({ severity, word, words, meaning }) => {
    const own = findings.filter((finding) => finding.severity === severity);
    return { severity, title: counted(own.length, word, words), meaning, findings: own };
  }).filter((group) => group.findings.length > 0);
}

/** The number of findings of each severity, in words. */
export function findingCounts(findings: readonly Finding[]): string {
  const groups = groupFindings(findings);
  return groups.length === 0 ? NO_PROBLEMS : groups.map((group) => group.title).join(", ");
}

/** The gravest severity there is. */
export function gravest(findings: readonly Finding[]): Severity | undefined {
  return groupFindings(findings)[0]?.severity;
}

/** What a finding is about, and where in the list of its kind that is. */
export type FindingTarget =
  | { kind: "entry"; name: string; index: number | undefined }
  | { kind: "tensor"; name: string; index: number | undefined };

/** Where a finding leads. */
export function findingTarget(finding: Finding): FindingTarget | undefined {
  if (finding.tensor !== undefined) return { kind: "tensor", name: finding.tensor, index: finding.index };
  if (finding.key !== undefined) return { kind: "entry", name: finding.key, index: finding.index };
  return undefined;
}

/** What was found and where, in one line. */
export function findingLine(finding: Finding): string {
  const target = findingTarget(finding);
  return target === undefined ? finding.message : `${target.name}: ${finding.message}`;
}
