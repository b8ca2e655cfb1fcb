/** What speaks against a plan, in groups: one for each reason. */

import type { ConversionFinding } from "gguf-wasm/convert";
import { sentence } from "../gguf/error-text.ts";
import { errorText } from "../gguf/error-texts.ts";
import { formatCount } from "../ui/numbers.ts";

export interface FindingGroup {
  readonly severity: ConversionFinding["severity"];
  /** The code of the error that writing fails with. Undefined if it does not fail. */
  readonly code: string | undefined;
  readonly title: string;
  /** What to do. */
  readonly next: readonly string[];
  /** One sentence for each tensor. */
  readonly messages: readonly string[];
}

/** What a person can do in this panel about an error. Other codes have the advice of `gguf/error-texts.ts`. */
const ADVICE: Readonly<Record<string, readonly string[]>> = {
  "already-quantized": [
    "Open the original model with 16 or 32 bits, and convert that.",
    "Or allow requantizing, under Options.",
  ],
  "needs-imatrix": [
    "Choose an importance matrix of this model, under Options.",
    "Or choose a file type with more bits, or another type for these tensors.",
  ],
  "does-not-fit": ["Choose another type for these tensors in the table."],
  "bad-imatrix": ["Choose the importance matrix that was computed for this model, or remove it."],
  "invalid-argument": ["Choose another file type, or another type for these tensors in the table."],
  "limit-exceeded": ["Keep the type of these tensors: choose it in the table."],
  "incomplete-model": ["Edit the file, and add the entry.", "Or convert the original model again."],
};

const TITLES: Readonly<Record<string, string>> = {
  "already-quantized": "The model is quantized already",
  "does-not-fit": "The type does not fit the rows of a tensor",
  "invalid-argument": "A tensor cannot have this type",
  "limit-exceeded": "A tensor is too large to be converted",
};

/** The title of a reason about the whole model, which is an image model. */
const IMAGE_MODEL = "This image model is not converted so";

/** The title of a finding about the whole new file. */
const NEW_FILE = "llama.cpp refuses the new file";

const SEVERITIES = ["error", "warning", "info"] as const;

/** The findings of a plan by their reason, errors first. */
export function findingGroups(findings: readonly ConversionFinding[]): FindingGroup[] {
  const groups = new Map<string, ConversionFinding[]>();
  for (const finding of findings) {
    const ofFile = finding.severity === "error" ? "model" : "option";
    const subject = finding.row !== undefined ? "tensor" : (finding.check ?? ofFile);
    const key = `${SEVERITIES.indexOf(finding.severity)} ${finding.code ?? ""} ${subject}`;
    groups.set(key, [...(groups.get(key) ?? []), finding]);
  }
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1)).flatMap(([, found]) => groupOf(found));
}

function groupOf(found: readonly ConversionFinding[]): FindingGroup[] {
  const [first] = found;
  if (!first) return [];
  const { severity, code } = first;
  const messages = found.map(({ message }) => sentence(message));
  if (first.check !== undefined) return [{ severity, code, title: NEW_FILE, next: ADVICE[code ?? ""] ?? [], messages }];
  // The message is short, and says what to do.
  if (first.row === undefined && severity === "error")
    return [{ severity, code, title: IMAGE_MODEL, next: messages, messages: [] }];
  if (first.row === undefined)
    return [{ severity, code, title: `${formatCount(found.length, "option")} without effect`, next: [], messages }];
  const count = formatCount(found.length, "tensor");
  if (code === undefined) {
    const title =
      severity === "info"
        ? `The importance matrix has no data for ${count}`
        : `${count} ${found.length === 1 ? "gets another type" : "get other types"}`;
    return [{ severity, code, title, next: [], messages }];
  }
  const { title, next } = errorText({ code, message: first.message });
  return [{ severity, code, title: `${TITLES[code] ?? title}: ${count}`, next: ADVICE[code] ?? next, messages }];
}
