import type { ShownFinding } from "./findings.ts";

/** The finding that mentions what is suspicious about the chat templates: its number in words, and the sentences. */
export function templateFinding(words: string, sentences: readonly string[], templates: number): ShownFinding {
  const subject = templates === 1 ? "the chat template has" : "the chat templates have";
  const different = [...new Set(sentences)].join(". ");
  return {
    code: "chat-template",
    severity: "warning",
    message: `${subject} ${words}. ${different}.`,
    panel: "template",
  };
}
