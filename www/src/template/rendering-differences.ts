/** What another template changes in the texts of conversations. */

import { formatCount } from "../ui/numbers.ts";
import type { RenderResult } from "./template-messages.ts";
import type { ShownRendering } from "./template-renderings.ts";

/** A conversation as two templates render it. */
export interface ComparedConversation {
  readonly id: string;
  readonly title: string;
  /** `open`: it is not rendered yet. `same` also if both templates refuse it for the same reason. */
  readonly state: "open" | "same" | "differs";
  readonly first: RenderResult | undefined;
  readonly second: RenderResult | undefined;
}

export function comparedConversation(
  { id, title }: { readonly id: string; readonly title: string },
  one: ShownRendering,
  other: ShownRendering,
): ComparedConversation {
  const [first, second] = [one.result, other.result];
  if (!first || !second || !one.isCurrent || !other.isCurrent) return { id, title, state: "open", first, second };
  return { id, title, state: outcome(first) === outcome(second) ? "same" : "differs", first, second };
}

/** Texts and refusals as one text. The place of a refusal does not count: the templates may have other lines. */
function outcome({ rendering, problem }: RenderResult): string {
  return JSON.stringify(rendering ? rendering.text : [problem.kind, problem.message]);
}

/** "Differs in 2 of 9 conversations.", or that the other template makes no text at all. */
export function comparisonHeadline(conversations: readonly ComparedConversation[]): string {
  const count = formatCount(conversations.length, "conversation");
  const open = conversations.filter(({ state }) => state === "open").length;
  const differing = conversations.filter(({ state }) => state === "differs").length;
  if (open > 0) return `Rendering ${count}: ${open} to go.`;
  // A template that cannot be used at all differs in everything, which says nothing about the conversations.
  const [one] = conversations;
  const refused = one?.second?.problem?.message;
  if (refused !== undefined && conversations.every(({ first, second }) => first?.rendering && second?.problem))
    return `The other template is refused in all ${count}: ${refused}`;
  return differing === 0
    ? `Both templates make the same text of all ${count}.`
    : `Differs in ${differing} of ${count}.`;
}
