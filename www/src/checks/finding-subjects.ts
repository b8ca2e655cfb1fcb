/** The part of a file that a finding is about. */

import type { ShownFinding } from "./findings.ts";

/** The subjects, in the order of the panels that show them. */
export const SUBJECTS = [
  { name: "file", title: "File" },
  { name: "metadata", title: "Metadata" },
  { name: "tensors", title: "Tensors" },
  { name: "tokenizer", title: "Tokenizer" },
  { name: "template", title: "Chat template" },
] as const;

export type FindingSubject = (typeof SUBJECTS)[number]["name"];

/** The keys of a subject. Every other key is metadata. */
const KEYS: readonly (readonly [prefix: string, subject: FindingSubject])[] = [
  ["tokenizer.chat_template", "template"],
  ["tokenizer.", "tokenizer"],
];

/** The subject of a finding: that of its tensor or key. The subject of a finding without both is the file. */
export function subjectOf({ panel, tensor, key }: ShownFinding): FindingSubject {
  if (panel !== undefined) return panel;
  if (tensor !== undefined) return "tensors";
  if (key === undefined) return "file";
  return KEYS.find(([prefix]) => key.startsWith(prefix))?.[1] ?? "metadata";
}
