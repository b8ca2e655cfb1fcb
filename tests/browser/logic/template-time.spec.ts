// A long template has more time than a short one, and the message names the time that it had.

import { expect, test } from "@playwright/test";
import type { TemplateRequest } from "../../../www/src/template/template-messages.ts";
import { timeLimit, timeMessage } from "../../../www/src/template/time-limit.ts";

/** The three kinds of requests for a template. */
const requests = (template: string): TemplateRequest[] => [
  { kind: "syntax", template },
  { kind: "render", input: { template, messages: [], addGenerationPrompt: true, variables: {} } },
  { kind: "probe", template, variables: {} },
];

test("a template has two seconds, and ten more for a million characters", () => {
  expect(requests("").map(timeLimit)).toEqual([2000, 2000, 2000]);
  expect(requests("x".repeat(1_000_000)).map(timeLimit)).toEqual([12_000, 12_000, 12_000]);
});

test("the message names the time", () => {
  const stopped = "The template ran for 12 seconds and was stopped. It may have an endless loop.";
  const messages = requests("x".repeat(1_000_000)).map(timeMessage);
  expect(messages).toEqual(["The template was not read within 12 seconds.", stopped, stopped]);
});
