// Renders conversations with marker texts, to find out what a template does with each message.

import { problemOf } from "./template-problem.js";

/** @import { ChatTemplateOptions, RenderedChat } from "../template/index.js" */
/** @import { TemplateProblem } from "./template-problem.js" */

/** @typedef {{ readonly text: string, readonly problem?: never } | { readonly text?: never, readonly problem: TemplateProblem }} ProbeResult */

/**
 * @typedef {object} ProbeResults
 * @property {ProbeResult} conversation System, user, assistant, user; with a generation prompt.
 * @property {ProbeResult} withoutSystem The same without the system message.
 * @property {ProbeResult | undefined} typedContent The first conversation with lists of parts as contents, if a marker is missing from the
 * others.
 * @property {ProbeResult} prompted One user message, with a generation prompt.
 * @property {ProbeResult} unprompted One user message, without a generation prompt.
 * @property {ProbeResult} answered One user message and its answer.
 */

/** The contents of the messages. They are words without special characters, so that no template changes them. */
export const MARKERS = /** @type {const} */ ({
  system: "markersystem",
  user: "markerquestion",
  assistant: "markeranswer",
  last: "markerlast",
});

const SYSTEM = { role: "system", content: MARKERS.system };
const USER = { role: "user", content: MARKERS.user };
const ASSISTANT = { role: "assistant", content: MARKERS.assistant };
const LAST = { role: "user", content: MARKERS.last };

/** The steps of a rendering. Real templates need a few thousand for these conversations. */
const MOST_STEPS = 1_000_000;

/**
 * Renders the conversations with the template as it is: llama-server moves or leaves out what a template cannot do, and the probes shall
 * find that.
 *
 * @param {(template: string, context: object, options?: ChatTemplateOptions) => Pick<RenderedChat, "text">} render `renderChatTemplate` of
 * `gguf-wasm/template`
 * @param {string} template
 * @param {Readonly<Record<string, unknown>>} variables the texts of special tokens: `bos_token` and so on
 * @returns {ProbeResults}
 */
export function probeTemplate(render, template, variables) {
  const probe = (/** @type {readonly object[]} */ messages, /** @type {boolean} */ addsPrompt) => {
    try {
      const context = { ...variables, messages, add_generation_prompt: addsPrompt };
      return { text: render(template, context, { limits: { steps: MOST_STEPS } }).text };
    } catch (error) {
      return { problem: problemOf(error) };
    }
  };
  const conversation = probe([SYSTEM, USER, ASSISTANT, LAST], true);
  const withoutSystem = probe([USER, ASSISTANT, LAST], true);
  const { text } = conversation.problem ? withoutSystem : conversation;
  const isComplete = [USER, ASSISTANT, LAST].every(({ content }) => text?.includes(content));
  const typed = [SYSTEM, USER, ASSISTANT, LAST].map(({ role, content }) => ({
    role,
    content: [{ type: "text", text: content }],
  }));
  return {
    conversation,
    withoutSystem,
    typedContent: isComplete ? undefined : probe(typed, true),
    prompted: probe([USER], true),
    unprompted: probe([USER], false),
    answered: probe([USER, ASSISTANT], false),
  };
}
