/** Checks JSON that a person types: messages, tools and the values of variables. */

export type ParsedJson<T> = { value: T; problem?: never } | { value?: never; problem: string };

/** The most characters of JSON that are read. */
const MOST_CHARACTERS = 1_000_000;

export function parseJson(text: string): ParsedJson<unknown> {
  if (text.length > MOST_CHARACTERS) return { problem: "The text has more than a million characters. Shorten it." };
  try {
    return { value: JSON.parse(text) as unknown };
  } catch (error) {
    return { problem: `This is not valid JSON${placeOf(text, error)}. Texts and names need double quotes.` };
  }
}

/** Browsers tell the place of an error in different words. Some tell none. */
function placeOf(text: string, error: unknown): string {
  const message = error instanceof Error ? error.message : "";
  const [, line, column] = /line (\d+) column (\d+)/.exec(message) ?? [];
  if (line !== undefined) return `: line ${line}, column ${column ?? "1"}`;
  const position = /position (\d+)/.exec(message)?.[1];
  const at =
    position === undefined ? (/end of|Unexpected EOF/i.test(message) ? text.length : undefined) : Number(position);
  if (at === undefined) return "";
  const before = text.slice(0, at).split("\n");
  return `: line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
}

export type Message = Readonly<Record<string, unknown>>;

/** Messages in the form of OpenAI's API: a list of objects with a role, and a content or tool calls. */
export function parseMessages(text: string): ParsedJson<readonly Message[]> {
  const parsed = parseJson(text);
  if (parsed.problem !== undefined) return parsed;
  const { value } = parsed;
  if (!Array.isArray(value)) return { problem: 'Expected a list of messages: [{ "role": "user", "content": "…" }].' };
  for (const [index, message] of (value as unknown[]).entries()) {
    const problem = messageProblem(message);
    if (problem !== undefined) return { problem: `Message ${index + 1}: ${problem}` };
  }
  return { value: value as Message[] };
}

function messageProblem(message: unknown): string | undefined {
  if (!isObject(message)) return "expected an object with the members “role” and “content”.";
  const { role, content, tool_calls: calls } = message;
  if (typeof role !== "string" || role === "") return 'the member “role” must be a text such as "user".';
  if (content === undefined && calls === undefined) return "the member “content” is missing.";
  if (content !== undefined && content !== null && typeof content !== "string" && !Array.isArray(content))
    return "the member “content” must be a text, a list of parts, or null.";
  if (Array.isArray(content) && !content.every((part) => isObject(part) && typeof part["type"] === "string"))
    return "each part of “content” must be an object with the member “type”.";
  if (calls !== undefined && calls !== null && !(Array.isArray(calls) && calls.every(isObject)))
    return "the member “tool_calls” must be a list of objects.";
  return undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Messages as JSON, one member a line. */
export function formatMessages(messages: readonly unknown[]): string {
  return JSON.stringify(messages, null, 2);
}
