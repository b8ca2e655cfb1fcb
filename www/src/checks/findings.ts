import type { Finding } from "gguf-wasm";
import { formatCount } from "../ui/numbers.ts";

export type Severity = Finding["severity"];

/** A finding about a file or about a set of shards. */
export interface ShownFinding extends Omit<Finding, "code"> {
  readonly code: string;
  /** The number of the shard that the finding is about, from 1. */
  readonly shard?: number;
}

/** The findings of one severity. */
export interface FindingGroup {
  severity: Severity;
  title: string;
  /** What the severity means for the file. */
  meaning: string;
  findings: readonly ShownFinding[];
}

/** The severities, the most severe first. */
const SEVERITIES: readonly { severity: Severity; word: string; words: string; meaning: string }[] = [
  {
    severity: "error",
    word: "error",
    words: "errors",
    meaning: "llama.cpp refuses the file, or programs get wrong data from it.",
  },
  {
    severity: "warning",
    word: "warning",
    words: "warnings",
    meaning: "llama.cpp loads the file, but something is probably wrong.",
  },
  { severity: "info", word: "note", words: "notes", meaning: "Nothing is wrong, but it is worth knowing." },
];

/** The result without findings. The checks read only the header. */
export const NO_PROBLEMS = "No problems found in the header";

/** What the checks cover without the size of the file. */
export const CHECKED: readonly string[] = [
  "The header can be read to its end.",
  "Keys are valid and unique. They are not misspelt, deprecated, or keys of another architecture.",
  "Known keys have the value type that llama.cpp expects.",
  "Tensor names are valid and unique.",
  "Tensor types, dimensions, offsets and alignment are consistent.",
  "Required keys and tensors are present, if the needs of the architecture are known.",
  "In models like Llama, the tensors have the declared dimensions.",
  "The number of blocks fits the tensors. The numbers of heads and experts fit each other.",
  "The tokenizer has its tokens and merges, and the ids of special tokens are in the vocabulary.",
  "The file type fits the tensors.",
];

export const NOT_CHECKED: readonly string[] = [
  "Tensor values.",
  "Required keys and tensors of architectures whose needs are not known.",
  "The dimensions of tensors in architectures that are not like Llama.",
  "Whether the chat template can be parsed, and whether the model gives useful answers.",
];

/** The name of a severity: "Error", "Warning", "Note". */
export function severityLabel(severity: Severity): string {
  const word = SEVERITIES.find((known) => known.severity === severity)?.word ?? severity;
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** The findings by severity, without empty groups. A group is in file order. */
export function groupFindings(findings: readonly ShownFinding[]): FindingGroup[] {
  return SEVERITIES.map(({ severity, word, words, meaning }) => {
    const own = findings.filter((finding) => finding.severity === severity);
    return { severity, title: formatCount(own.length, word, words), meaning, findings: own };
  }).filter((group) => group.findings.length > 0);
}

/** The number of findings of each severity, in words. */
export function findingCounts(findings: readonly ShownFinding[]): string {
  const groups = groupFindings(findings);
  return groups.length === 0 ? NO_PROBLEMS : groups.map((group) => group.title).join(", ");
}

/** The severities that the badge counts, with the number of findings of each. Notes are not problems. */
export function problemCounts(findings: readonly ShownFinding[]): { severity: Severity; count: number }[] {
  return groupFindings(findings)
    .filter(({ severity }) => severity !== "info")
    .map(({ severity, findings: own }) => ({ severity, count: own.length }));
}

/** The findings whose fix needs no decision. */
export function safeFindings(findings: readonly ShownFinding[]): ShownFinding[] {
  return findings.filter(({ fix }) => fix?.isSafe);
}

/** The entry or tensor that a finding is about. `index` is its position in the file. */
export type FindingTarget = { kind: "entry" | "tensor"; name: string; index: number };

/** The entry or tensor that a finding is about. Undefined if there is none, or if the file lacks it: the message then names it. */
export function findingTarget({ tensor, key, index }: ShownFinding): FindingTarget | undefined {
  if (index === undefined) return undefined;
  if (tensor !== undefined) return { kind: "tensor", name: tensor, index };
  if (key !== undefined) return { kind: "entry", name: key, index };
  return undefined;
}

/** A finding and its subject in one line. */
export function findingLine(finding: ShownFinding): string {
  const target = findingTarget(finding);
  return target === undefined ? finding.message : `${target.name}: ${finding.message}`;
}
