/** Renders conversations with marker texts, to find out what a template does with each message. */

import { MARKERS } from "./markers.ts";
import { parseTemplate } from "./parse-template.ts";
import { renderProgram } from "./render-template.ts";
import type { ProbeResults, RenderResult } from "./template-messages.ts";

const SYSTEM = { role: "system", content: MARKERS.system };
const USER = { role: "user", content: MARKERS.user };
const ASSISTANT = { role: "assistant", content: MARKERS.assistant };
const LAST = { role: "user", content: MARKERS.last };

export function probeTemplate(template: string, variables: Readonly<Record<string, unknown>>): ProbeResults {
  const { program, problem } = parseTemplate(template);
  const render = (messages: readonly unknown[], addGenerationPrompt: boolean): RenderResult =>
    problem ? { problem } : renderProgram(program, { template, messages, addGenerationPrompt, variables });
  const conversation = render([SYSTEM, USER, ASSISTANT, LAST], true);
  const withoutSystem = render([USER, ASSISTANT, LAST], true);
  const shown = conversation.rendering ? conversation : withoutSystem;
  const isComplete = [USER, ASSISTANT, LAST].every(({ content }) => shown.rendering?.text.includes(content));
  const typed = [SYSTEM, USER, ASSISTANT, LAST].map(({ role, content }) => ({
    role,
    content: [{ type: "text", text: content }],
  }));
  return {
    conversation,
    withoutSystem,
    typedContent: isComplete ? undefined : render(typed, true),
    prompted: render([USER], true),
    unprompted: render([USER], false),
    answered: render([USER, ASSISTANT], false),
  };
}
