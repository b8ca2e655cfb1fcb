import type { Finding, Loads } from "gguf-wasm/explain";
import type { SetLoads } from "gguf-wasm/full";
import type { FilePrograms } from "gguf-wasm/common/programs.js";
import { capitalised } from "../ui/sentence.ts";

export type Severity = Finding["severity"];

/** A finding about a file or about a set of shards. */
export interface ShownFinding extends Omit<Finding, "code"> {
  readonly code: string;
  /** The number of the shard that the finding is about, from 1. */
  readonly shard?: number;
  /** The panel that shows what the finding is about. */
  readonly panel?: "template";
}

/** What the checks of a file or of a set of shards say. */
export interface ChecksResult {
  /** Whether llama.cpp loads the model. */
  readonly loads: Loads | SetLoads;
  readonly findings: readonly ShownFinding[];
  /** Which programs load the model. Undefined if that is not known: of an edited file that has become another one, and of some sets. */
  readonly programs: FilePrograms | undefined;
  /** The sentence about a chat template that llama.cpp refuses. Undefined if it refuses none, or before the review. */
  readonly refusedTemplate?: string | undefined;
  /** What still runs, so that the findings are no verdict yet: all checks, or those of the chat templates. Undefined: nothing. */
  readonly running?: "all" | "template" | undefined;
}

/** What still runs, for people. */
export function runningWords(running: NonNullable<ChecksResult["running"]>): string {
  return running === "template" ? "The chat template is being checked…" : "The checks are running…";
}

/** The programs that the model is for, if llama.cpp does not load it and is not meant to. */
export function othersOf({ loads, programs }: Pick<ChecksResult, "loads" | "programs">): FilePrograms["others"] {
  return loads.answer === "no" ? programs?.others : undefined;
}

/** Whether llama.cpp refuses a file that is a model of its own. A file that stands beside a model is no failure. */
export function isRefused(checks: Pick<ChecksResult, "loads"> | undefined): boolean {
  return checks?.loads.answer === "no" && (checks.loads.reason?.severity ?? "info") !== "info";
}

/** The severities, the most severe first. */
export const SEVERITIES: readonly { severity: Severity; word: string; words: string; meaning: string }[] = [
  {
    severity: "error",
    word: "error",
    words: "errors",
    meaning: "Programs refuse the file or its chat template, or get wrong data or conversations from it.",
  },
  {
    severity: "warning",
    word: "warning",
    words: "warnings",
    meaning: "Programs load the file, but something is probably wrong.",
  },
  { severity: "info", word: "note", words: "notes", meaning: "Nothing is wrong, but it is worth knowing." },
];

/** The result without findings. The checks read only the header. */
export const NO_PROBLEMS = "No problems found in the header";

/** The name of a severity: "Error", "Warning", "Note". */
export function severityLabel(severity: Severity): string {
  const word = SEVERITIES.find((known) => known.severity === severity)?.word ?? severity;
  return capitalised(word);
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
