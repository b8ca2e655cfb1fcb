/** How long the worker may take to read or render a template. */

import type { TemplateRequest } from "./template-messages.ts";

/** The time for every request, in milliseconds. Rendering a published template takes less than 50. */
const TIME_LIMIT = 2000;
/** The additional time for each character of the template, in milliseconds: ten seconds for a million. */
const TIME_FOR_CHARACTER = 0.01;

/** How long a request may take, in milliseconds. A slow machine needs seconds for a template of a million characters. */
export function timeLimit(request: TemplateRequest): number {
  const { template } = request.kind === "render" ? request.input : request;
  return TIME_LIMIT + TIME_FOR_CHARACTER * template.length;
}

/** What to say if a request takes longer. */
export function timeMessage(request: TemplateRequest): string {
  const seconds = Math.round(timeLimit(request) / 1000);
  return request.kind === "syntax"
    ? `The template was not read within ${seconds} seconds.`
    : `The template ran for ${seconds} seconds and was stopped. It may have an endless loop.`;
}
