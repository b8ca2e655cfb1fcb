/** The worker that reads and renders templates. It has access to nothing but the messages of the page. */

import { serve } from "../worker/serve.ts";
import { parseTemplate } from "./parse-template.ts";
import { probeTemplate } from "./probes.ts";
import { renderTemplate } from "./render-template.ts";
import { removeAbilities, removeCompilers } from "./sandbox.ts";
import { syntaxFacts } from "./syntax-facts.ts";
import type { SyntaxResult, TemplateRequest, TemplateResponse } from "./template-messages.ts";

const JOBS = { run: respond };

export type TemplateJobs = typeof JOBS;

removeCompilers();
removeAbilities(self);
serve(JOBS);

function respond(request: TemplateRequest): TemplateResponse {
  switch (request.kind) {
    case "syntax":
      return readSyntax(request.template);
    case "render":
      return renderTemplate(request.input);
    case "probe":
      return probeTemplate(request.template, request.variables);
  }
}

function readSyntax(template: string): SyntaxResult {
  const { program, tokens, problem } = parseTemplate(template);
  if (problem) return { problem };
  try {
    return { facts: syntaxFacts(template, program, tokens) };
  } catch {
    // The tree is deeper than the stack.
    return { problem: { kind: "limit", message: "The template has too many blocks in each other to be read." } };
  }
}
