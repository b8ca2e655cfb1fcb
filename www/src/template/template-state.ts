/** The state of the template panel, which a link to the page contains. */

import { formatList, formatShortText, parseList, parseShortText, type StateField } from "../ui/state-field.ts";
import { SAMPLE_CONVERSATIONS } from "./sample-conversations.ts";

/** The conversation that a person writes. */
export const OWN = "own";
/** All conversations, side by side. */
export const ALL = "all";

/** An absent member has its default. */
export interface TemplateState {
  /** The name of the template. Absent: the default template. */
  name?: string | undefined;
  /** The conversation: the id of a sample, `own` or `all`. Absent: the first sample. */
  conversation?: string | undefined;
  /** The messages of one's own conversation as JSON. */
  messages?: string | undefined;
  /** The tools of one's own conversation as JSON. Absent: the sample tools, if it has tools. */
  ownTools?: string | undefined;
  /** Whether the rendering has no generation prompt. Absent: as the sample says. */
  noPrompt?: boolean | undefined;
  /** Whether the template gets tools. Absent: as the sample says. */
  tools?: boolean | undefined;
  /** The values of other variables as JSON, by name. */
  variables?: Readonly<Record<string, string>> | undefined;
  /** The name of the template that this one is compared with; "" is the default template. */
  against?: string | undefined;
}

/** The state without members that have their default, in one order. Equal states are equal as JSON. */
export function withoutDefaults(state: TemplateState): TemplateState {
  const { name, conversation, messages, ownTools, noPrompt, tools, variables, against } = state;
  const set = Object.entries(variables ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  const isKnown =
    conversation === OWN || conversation === ALL || SAMPLE_CONVERSATIONS.slice(1).some(({ id }) => id === conversation);
  const hasOwn = conversation === OWN || conversation === ALL;
  const usual = SAMPLE_CONVERSATIONS.find(({ id }) => id === conversation)?.noPrompt ?? false;
  return {
    ...(name ? { name } : {}),
    ...(isKnown ? { conversation } : {}),
    ...(hasOwn && messages !== undefined ? { messages } : {}),
    ...(hasOwn && ownTools !== undefined ? { ownTools } : {}),
    // Of all conversations, some have a prompt.
    ...(noPrompt === undefined || (conversation !== ALL && noPrompt === usual) ? {} : { noPrompt }),
    ...(tools === undefined ? {} : { tools }),
    ...(set.length > 0 ? { variables: Object.fromEntries(set) } : {}),
    ...(against === undefined ? {} : { against }),
  };
}

export const TEMPLATE_STATE_FIELDS: readonly StateField<TemplateState>[] = [
  {
    name: "name",
    format: ({ name }) => formatShortText(name),
    parse: (encoded) => ({ name: parseShortText(encoded) }),
  },
  {
    name: "conversation",
    format: (state) => withoutDefaults(state).conversation ?? "",
    parse: (encoded) => {
      const { conversation } = withoutDefaults({ conversation: encoded });
      return conversation === undefined ? undefined : { conversation };
    },
  },
  {
    name: "messages",
    format: (state) => formatShortText(withoutDefaults(state).messages),
    parse: (encoded) => ({ messages: parseShortText(encoded) }),
  },
  {
    name: "own-tools",
    format: (state) => formatShortText(withoutDefaults(state).ownTools),
    parse: (encoded) => ({ ownTools: parseShortText(encoded) }),
  },
  {
    name: "prompt",
    format: (state) => {
      const { noPrompt } = withoutDefaults(state);
      return noPrompt === undefined ? "" : noPrompt ? "off" : "on";
    },
    parse: (encoded) => (encoded === "on" || encoded === "off" ? { noPrompt: encoded === "off" } : undefined),
  },
  {
    name: "tools",
    format: ({ tools }) => (tools === undefined ? "" : tools ? "on" : "off"),
    parse: (encoded) => (encoded === "on" || encoded === "off" ? { tools: encoded === "on" } : undefined),
  },
  {
    name: "against",
    format: ({ against }) => (against === undefined ? "" : formatShortText(`=${against}`)),
    parse: (encoded) => {
      const text = parseShortText(encoded);
      return text?.startsWith("=") ? { against: text.slice(1) } : undefined;
    },
  },
  {
    name: "set",
    format: (state) =>
      formatList(Object.entries(withoutDefaults(state).variables ?? {}).map(([name, value]) => `${name}=${value}`)),
    parse: (encoded) => {
      const pairs = parseList(encoded).filter((item) => /^\w+=./s.test(item));
      if (pairs.length === 0) return undefined;
      const entries = pairs.map(
        (item) => [item.slice(0, item.indexOf("=")), item.slice(item.indexOf("=") + 1)] as const,
      );
      return { variables: Object.fromEntries(entries) };
    },
  },
];
