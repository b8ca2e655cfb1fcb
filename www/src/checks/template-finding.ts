import { REFUSED } from "gguf-wasm/common/template-problem.js";
import { formatCount } from "../ui/numbers.ts";
import type { ShownFinding } from "./findings.ts";

/** What the review of the chat templates says of them. */
interface ReviewedTemplates {
  readonly flags: readonly { readonly code: string; readonly title: string }[];
  /** The templates that llama.cpp refuses. The name of the default template is "". */
  readonly refused: readonly { readonly name: string; readonly reason: string }[];
}

/** "llama.cpp refuses this template: line 12, column 3: …." */
const refusal = ({ name, reason }: ReviewedTemplates["refused"][number]) =>
  `llama.cpp refuses ${name === "" ? "this template" : `the template “${name}”`}: ${reason}.`;

/** The sentence about the first template that llama.cpp refuses. Undefined if it refuses none. */
export function refusedTemplate({ refused: [first] }: ReviewedTemplates): string | undefined {
  return first && refusal(first);
}

/**
 * The findings about the chat templates: an error for each that llama.cpp refuses, and a warning that mentions what else is suspicious. It is
 * no error, because llama.cpp loads the file and renders the template.
 */
export function templateFindings({ flags, refused }: ReviewedTemplates, templates: number): ShownFinding[] {
  const common = { code: "chat-template", panel: "template" } as const;
  const errors = refused.map((template) => ({
    ...common,
    severity: "error" as const,
    message: `${refusal(template)} ${REFUSED}`,
  }));
  const titles = flags.filter(({ code }) => code !== "syntax-error").map(({ title }) => title);
  if (titles.length === 0) return errors;
  const subject = templates === 1 ? "the chat template has" : "the chat templates have";
  const message = `${subject} ${formatCount(titles.length, "problem")}. ${[...new Set(titles)].join(". ")}.`;
  return [...errors, { ...common, severity: "warning", message }];
}
