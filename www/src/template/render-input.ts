/** The values that a template is rendered with, from the choices of the panel. */

import { formatMessages, type Message, parseJson, parseMessages } from "./own-messages.ts";
import { SAMPLE_CONVERSATIONS, SAMPLE_TOOLS, type SampleConversation } from "./sample-conversations.ts";
import type { RenderInput, SyntaxFacts, TemplateVariable } from "./template-messages.ts";
import { OWN, type TemplateState } from "./template-state.ts";

/** Variables that have a control of their own. */
const CONTROLLED: ReadonlySet<string> = new Set(["messages", "tools", "add_generation_prompt"]);

/** The variables that llama.cpp sets if nobody does, with their values as JSON. */
export const DEFAULT_VALUES: ReadonlyMap<string, string> = new Map([["enable_thinking", "true"]]);

/** The texts of special tokens by variable: `bos_token` and so on. */
export type TokenVariables = Readonly<Record<string, string>>;

export interface InputProblems {
  readonly messages: string | undefined;
  /** Why the value of a variable is not valid, by name. */
  readonly variables: ReadonlyMap<string, string>;
}

export const NO_PROBLEMS: InputProblems = { messages: undefined, variables: new Map() };

export interface PreparedInput {
  /** Undefined if a field is not valid. */
  readonly input: RenderInput | undefined;
  readonly problems: InputProblems;
}

/** The sample that a state shows; undefined for one's own conversation. */
export function sampleOf({ conversation }: TemplateState): SampleConversation | undefined {
  if (conversation === OWN) return undefined;
  return SAMPLE_CONVERSATIONS.find(({ id }) => id === conversation) ?? SAMPLE_CONVERSATIONS[0];
}

/** Whether the template gets tools. */
export function hasTools(state: TemplateState): boolean {
  return state.tools ?? sampleOf(state)?.tools !== undefined;
}

/** The variables of a template that have a field: no messages, no special tokens. */
export function otherVariables(facts: SyntaxFacts | undefined, tokens: TokenVariables): TemplateVariable[] {
  return (facts?.variables ?? []).filter(({ name }) => !CONTROLLED.has(name) && !Object.hasOwn(tokens, name));
}

export function ownMessages(state: TemplateState): string {
  return state.messages ?? formatMessages(SAMPLE_CONVERSATIONS[0]?.messages ?? []);
}

export function prepareInput(
  template: string,
  state: TemplateState,
  facts: SyntaxFacts | undefined,
  tokens: TokenVariables,
): PreparedInput {
  const sample = sampleOf(state);
  const parsed: ReturnType<typeof parseMessages> = sample
    ? { value: sample.messages as readonly Message[] }
    : parseMessages(ownMessages(state));
  // Maps, because a template may name a variable `constructor` or `__proto__`.
  const chosen = new Map(Object.entries(state.variables ?? {}));
  const values = new Map<string, unknown>(Object.entries(tokens));
  const problems = new Map<string, string>();
  for (const { name } of otherVariables(facts, tokens)) {
    const text = chosen.get(name) ?? DEFAULT_VALUES.get(name);
    if (text === undefined) continue;
    const { value, problem } = parseJson(text);
    if (problem === undefined) values.set(name, value);
    else problems.set(name, problem);
  }
  const isValid = parsed.problem === undefined && problems.size === 0;
  return {
    problems: { messages: parsed.problem, variables: problems },
    input: isValid
      ? {
          template,
          messages: parsed.value,
          tools: hasTools(state) ? SAMPLE_TOOLS : undefined,
          addGenerationPrompt: !state.noPrompt,
          variables: Object.fromEntries(values),
        }
      : undefined,
  };
}
