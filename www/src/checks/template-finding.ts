import { formatCount } from "../ui/numbers.ts";
import type { ShownFinding } from "./findings.ts";

/**
 * The finding that mentions what is suspicious about the chat templates. It is a warning, and not an error: llama.cpp loads the file also if
 * a template is not valid.
 */
export function templateFinding(sentences: readonly string[], templates: number): ShownFinding {
  const subject = templates === 1 ? "the chat template has" : "the chat templates have";
  const different = [...new Set(sentences)].join(". ");
  return {
    code: "chat-template",
    severity: "warning",
    message: `${subject} ${formatCount(sentences.length, "problem")}. ${different}.`,
    panel: "template",
  };
}
