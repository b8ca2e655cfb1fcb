/** The conversations that a template is rendered with, from the choices of the panel. */

import type { SyntaxFacts, TemplateVariable } from "gguf-wasm/common/template-facts.js";
import { formatMessages, parseJson, parseMessages } from "./own-messages.ts";
import { SAMPLE_CONVERSATIONS, SAMPLE_TOOLS, type SampleConversation } from "./sample-conversations.ts";
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
  /** Why the value of a variable is not valid, by name. */
  readonly variables: ReadonlyMap<string, string>;
}

export const NO_PROBLEMS: InputProblems = { messages: undefined, variables: new Map() };

/** A conversation that is rendered. */
export interface PreparedConversation {
  /** The id of the sample, or `own`. */
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
  return sampleOf(state)?.tools !== undefined;
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
  readonly hasTools: boolean;
}

function conversationsOf(state: TemplateState): Conversation[] {
  const own: Conversation = {
    id: OWN,
    title: "Own messages",
    messages: ownMessages(state),
    hasTools: state.tools ?? false,
  };
  if (state.conversation === OWN) return [own];
  const shown = sampleOf(state);
  const samples = (shown ? [shown] : SAMPLE_CONVERSATIONS).map(({ id, title, messages, tools }) => ({
    id,
    title,
    messages: JSON.stringify(messages),
    hasTools: state.tools ?? tools !== undefined,
  }));
  return shown || state.messages === undefined ? samples : [...samples, own];
}

/**
 * What llama-server gets. JSON that a person types is passed on as it is: as values of JavaScript, `1.0` and large integers would become
 * other numbers.
 */
export function prepareInput(
  state: TemplateState,
  facts: SyntaxFacts | undefined,
  tokens: TokenVariables,
): PreparedInput {
  const conversations = conversationsOf(state);
  const own = conversations.find(({ id }) => id === OWN);
  const messagesProblem = own && parseMessages(own.messages).problem;
  // A map, because a template may name a variable `constructor` or `__proto__`.
  const chosen = new Map(Object.entries(state.variables ?? {}));
  const problems = new Map<string, string>();
  const members = Object.entries(tokens).map(([name, text]) => member(name, JSON.stringify(text)));
  if (state.noPrompt) members.push(member("add_generation_prompt", "false"));
  for (const { name } of otherVariables(facts)) {
    const json = chosen.get(name);
    if (json === undefined) continue;
    const { problem } = parseJson(json);
    if (problem === undefined) members.push(member(name, json));
    else problems.set(name, problem);
  }
  const isValid = messagesProblem === undefined && problems.size === 0;
  return {
    problems: { messages: messagesProblem, variables: problems },
    conversations: !isValid
      ? []
      : conversations.map(({ id, title, messages, hasTools }) => ({
          id,
          title,
          context: `{${[
            member("messages", messages),
            ...(hasTools ? [member("tools", JSON.stringify(SAMPLE_TOOLS))] : []),
            ...members,
          ].join(",")}}`,
        })),
  };
}

const member = (name: string, json: string) => `${JSON.stringify(name)}:${json}`;
