/**
 * Requests of programs to a model, in the form of OpenAI's API: a JSON object with messages, tools, and variables of the template. The parts
 * stay as they were typed: as values of JavaScript, `1.0` and large integers would become other numbers.
 */

import { parseJson } from "./own-messages.ts";

/** The parts of a request that a template gets, as JSON. */
export interface RequestParts {
  readonly messages: string;
  readonly tools: string | undefined;
  /** The variables of the template, by name. */
  readonly variables: Readonly<Record<string, string>>;
}

/** The parts of a request. Undefined if the text is no JSON object with messages. */
export function requestParts(text: string): RequestParts | undefined {
  const parsed = parseJson(text);
  if (parsed.problem !== undefined || !text.trimStart().startsWith("{")) return undefined;
  const members = memberTexts(text);
  const messages = members.get("messages");
  if (messages === undefined) return undefined;
  const tools = members.get("tools");
  const variables = members.get("chat_template_kwargs") ?? "";
  return {
    messages,
    tools: tools?.startsWith("[") ? tools : undefined,
    variables: variables.startsWith("{") ? Object.fromEntries(memberTexts(variables)) : {},
  };
}

/** A request with these messages and tools, which are JSON. */
export function requestText(messages: string, tools: string | undefined): string {
  const ofTools = tools === undefined ? "" : `,\n"tools": ${tools}`;
  return `{\n"messages": ${messages}${ofTools}\n}\n`;
}

/** A string, or a character that JSON gives a meaning. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]/g;

/** The members of an object as they stand in its text, which must be valid JSON. */
function memberTexts(json: string): Map<string, string> {
  const members = new Map<string, string>();
  let [depth, start] = [0, 0];
  let name: string | undefined;
  for (const { 0: token, index } of json.matchAll(TOKEN)) {
    const isOuter = depth === 1;
    if (token === "{" || token === "[") depth += 1;
    if (token === "}" || token === "]") depth -= 1;
    if (!isOuter) continue;
    if (name === undefined && token.startsWith('"')) name = JSON.parse(token) as string;
    else if (token === ":") start = index + 1;
    else if (name !== undefined && (token === "," || token === "}")) {
      members.set(name, json.slice(start, index).trim());
      name = undefined;
    }
  }
  return members;
}
