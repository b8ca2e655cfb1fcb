/** Says in the words of the page which answer of a person the library refuses. */

import type { LegacyQuestion } from "gguf-wasm/convert";
import type { Failure } from "../gguf/failure.ts";

/** The message of the library names the question by its id. */
const MESSAGE = /^the answer to (\w+) is (".*"), expected (.*)$/s;

/** The question whose answer was refused, and why. Nothing if the failure has another cause. */
export function refusedAnswer(
  { code, message }: Failure,
  questions: readonly Pick<LegacyQuestion, "id" | "title">[],
): { title: string; text: string } | undefined {
  const [, id, answer, expected] = (code === "invalid-argument" && MESSAGE.exec(message)) || [];
  const question = questions.find((one) => one.id === id);
  return question && { title: question.title, text: `${answer} is not possible. Give ${expected}.` };
}
