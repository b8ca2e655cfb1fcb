import { REFUSED } from "gguf-wasm/common/template-problem.js";
import type { ShownFinding } from "./findings.ts";

/** What the review of the chat templates says of them. */
interface ReviewedTemplates {
  readonly flags: readonly {
    readonly code: string;
    readonly title: string;
    readonly severity: "error" | "warning" | "note";
    readonly details: readonly string[];
  }[];
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
 * The findings about the chat templates, with the severities and the words of their panel: an error for each that llama.cpp refuses, and
 * each other flag. Templates that have the same flag for the same reason have one finding.
 */
export function templateFindings({ flags, refused }: ReviewedTemplates): ShownFinding[] {
  const common = { code: "chat-template", panel: "template" } as const;
  const refusals = refused.map((template): ShownFinding => ({
    ...common,
    severity: "error",
    message: `${refusal(template)} ${REFUSED}`,
  }));
  const others = flags
    .filter(({ code }) => code !== "syntax-error")
    .map(({ title, severity, details }): ShownFinding => ({
      ...common,
      severity: severity === "note" ? "info" : severity,
      message: [`${title}.`, ...details].join(" "),
    }));
  const different = new Map(others.map((finding) => [`${finding.severity} ${finding.message}`, finding]));
  return [...refusals, ...different.values()];
}
