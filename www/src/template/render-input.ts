/** The conversations that a template is rendered with, from the choices of the panel. */

import type { SyntaxFacts, TemplateVariable } from "gguf-wasm/common/template-facts.js";
import { formatMessages, parseJson, parseMessages } from "./own-messages.ts";
import { offeredSamples, SAMPLE_CONVERSATIONS, SAMPLE_TOOLS, type SampleConversation } from "./sample-conversations.ts";
import type { SavedConversation } from "./saved-conversations.ts";
import { ALL, OWN, type TemplateState } from "./template-state.ts";
import type { TokenVariables } from "./token-variables.ts";

/** Variables that have a control of their own. */
const CONTROLLED: ReadonlySet<string> = new Set(["messages", "tools", "add_generation_prompt"]);

/** The variables that llama-server sets if nobody does, and their values in words. */
export const SERVER_VALUES: ReadonlyMap<string, string> = new Map([
  ["enable_thinking", "true"],
  ["date_string", "today"],
  ["datetime", "today"],
]);

export interface InputProblems {
  readonly messages: string | undefined;
  readonly tools: string | undefined;
  /** Why the value of a variable is not valid, by name. */
  readonly variables: ReadonlyMap<string, string>;
}

export const NO_PROBLEMS: InputProblems = { messages: undefined, tools: undefined, variables: new Map() };

/** A conversation that is rendered. */
export interface PreparedConversation {
  /** The id of the sample, `own`, or `saved-` and the number of a saved conversation. */
  readonly id: string;
  readonly title: string;
  /** The text of a JSON object, as llama-server gets it. */
  readonly context: string;
}

export interface PreparedInput {
  /** Empty if a field is not valid. */
  readonly conversations: readonly PreparedConversation[];
  readonly problems: InputProblems;
}

/** The sample that a state shows; undefined for one's own conversation, and for all. */
export function sampleOf({ conversation }: TemplateState): SampleConversation | undefined {
  if (conversation === OWN || conversation === ALL) return undefined;
  return SAMPLE_CONVERSATIONS.find(({ id }) => id === conversation) ?? SAMPLE_CONVERSATIONS[0];
}

/** Whether the shown conversation has tools. Undefined if some of several have. */
export function hasTools(state: TemplateState): boolean | undefined {
  if (state.tools !== undefined || state.conversation === ALL) return state.tools;
  return (state.conversation === OWN ? state.ownTools : sampleOf(state)?.tools) !== undefined;
}

/** Whether the shown conversation has no generation prompt. Undefined if some of several have none. */
export function lacksPrompt(state: TemplateState): boolean | undefined {
  if (state.noPrompt !== undefined || state.conversation === ALL) return state.noPrompt;
  return sampleOf(state)?.noPrompt ?? false;
}

/** The variables of a template that have a field: no messages, no special tokens. */
export function otherVariables(facts: SyntaxFacts | undefined): TemplateVariable[] {
  const tokens: readonly string[] = ["bos_token", "eos_token"] satisfies (keyof TokenVariables)[];
  return (facts?.variables ?? []).filter(({ name }) => !CONTROLLED.has(name) && !tokens.includes(name));
}

export function ownMessages(state: TemplateState): string {
  return state.messages ?? formatMessages(SAMPLE_CONVERSATIONS[0]?.messages ?? []);
}

/** A conversation before it has variables. Its messages and tools are JSON. */
interface Conversation {
  readonly id: string;
  readonly title: string;
  readonly messages: string;
  /** Undefined if it has none. */
  readonly tools: string | undefined;
  readonly noPrompt: boolean;
}

/** The tools of a conversation: its own ones, or the sample if a person wants some. */
function toolsOf(own: string | undefined, { tools }: TemplateState): string | undefined {
  return (tools ?? own !== undefined) ? (own ?? JSON.stringify(SAMPLE_TOOLS)) : undefined;
}

function conversationsOf(
  state: TemplateState,
  facts: SyntaxFacts | undefined,
  saved: readonly SavedConversation[],
): Conversation[] {
  const withChoices = (id: string, title: string, messages: string, tools: string | undefined, noPrompt = false) => ({
    id,
    title,
    messages,
    tools: toolsOf(tools, state),
    noPrompt: state.noPrompt ?? noPrompt,
  });
  const own = withChoices(OWN, "Own messages", ownMessages(state), state.ownTools);
  if (state.conversation === OWN) return [own];
  const shown = sampleOf(state);
  const samples = (shown ? [shown] : offeredSamples(facts)).map(({ id, title, messages, tools, noPrompt }) =>
    withChoices(id, title, JSON.stringify(messages), tools && JSON.stringify(tools), noPrompt),
  );
  if (shown) return samples;
  const kept = saved.map(({ name, messages, tools }, at) => withChoices(`saved-${at}`, name, messages, tools));
  const isKept = saved.some(({ messages, tools }) => messages === state.messages && tools === state.ownTools);
  return [...samples, ...kept, ...(state.messages === undefined || isKept ? [] : [own])];
}

/** Why the tools of one's own conversation are not valid. */
function toolsProblem(json: string | undefined): string | undefined {
  if (json === undefined) return undefined;
  const { value, problem } = parseJson(json);
  return problem ?? (Array.isArray(value) ? undefined : "Expected a list of tools.");
}

/**
 * What llama-server gets. JSON that a person types is passed on as it is: as values of JavaScript, `1.0` and large integers would become
 * other numbers.
 */
export function prepareInput(
  state: TemplateState,
  facts: SyntaxFacts | undefined,
  tokens: TokenVariables,
  saved: readonly SavedConversation[] = [],
): PreparedInput {
  const conversations = conversationsOf(state, facts, saved);
  const own = conversations.find(({ id }) => id === OWN);
  const messagesProblem = own && parseMessages(own.messages).problem;
  const ofTools = own && toolsProblem(own.tools);
  // A map, because a template may name a variable `constructor` or `__proto__`.
  const chosen = new Map(Object.entries(state.variables ?? {}));
  const problems = new Map<string, string>();
  const members = Object.entries(tokens).map(([name, text]) => member(name, JSON.stringify(text)));
  for (const { name } of otherVariables(facts)) {
    const json = chosen.get(name);
    if (json === undefined) continue;
    const { problem } = parseJson(json);
    if (problem === undefined) members.push(member(name, json));
    else problems.set(name, problem);
  }
  const isValid = messagesProblem === undefined && ofTools === undefined && problems.size === 0;
  return {
    problems: { messages: messagesProblem, tools: ofTools, variables: problems },
    conversations: !isValid
      ? []
      : conversations.map(({ id, title, messages, tools, noPrompt }) => ({
          id,
          title,
          context: `{${[
            member("messages", messages),
            ...(tools === undefined ? [] : [member("tools", tools)]),
            ...(noPrompt ? [member("add_generation_prompt", "false")] : []),
            ...members,
          ].join(",")}}`,
        })),
  };
}

const member = (name: string, json: string) => `${JSON.stringify(name)}:${json}`;
