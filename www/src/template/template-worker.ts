/** The worker that reads and renders templates. Nothing else of the page loads the module that does it. */

import { readTemplate } from "gguf-wasm/common/template-facts.js";
import { probeTemplate } from "gguf-wasm/common/template-probes.js";
import { problemOf } from "gguf-wasm/common/template-problem.js";
import { init, parseChatTemplate, renderChatTemplate } from "gguf-wasm/template/init";
import { serve } from "../worker/serve.ts";
import type { RenderInput, RenderResult, TemplateRequests } from "./template-messages.ts";

/** The most characters of a rendering that the page gets. */
const MOST_CHARACTERS = 1_000_000;

const JOBS = {
  /** Starts the module, which the page has compiled. */
  start: async (module: WebAssembly.Module) => void (await init(module)),
  syntax: ({ template }: TemplateRequests["syntax"]["request"]) => readTemplate(parseChatTemplate, template),
  render,
  probe: ({ template, variables }: TemplateRequests["probe"]["request"]) =>
    probeTemplate(renderChatTemplate, template, variables),
};

export type TemplateJobs = typeof JOBS;

serve(JOBS);

function render({ template, context, ...added }: RenderInput): RenderResult {
  try {
    const { text, notes } = renderChatTemplate(template, context, { ...added, server: true });
    return { rendering: { text: text.slice(0, MOST_CHARACTERS), isCut: text.length > MOST_CHARACTERS, notes } };
  } catch (error) {
    return { problem: problemOf(error) };
  }
}
