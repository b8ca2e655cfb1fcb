/** Conversations that show what a template does. */

import type { SyntaxFacts } from "gguf-wasm/common/template-facts.js";

export interface SampleConversation {
  /** The name in the address of the page. */
  readonly id: string;
  readonly title: string;
  readonly messages: readonly Readonly<Record<string, unknown>>[];
  readonly tools?: readonly unknown[];
  /** Whether it is rendered without a generation prompt unless a person wants one. */
  readonly noPrompt?: boolean;
  /** Whether a template makes something of what the conversation has. Absent: every template does. */
  readonly suits?: (facts: SyntaxFacts) => boolean;
}

/** Whether a word stands in what a template compares, in a variable that it reads, or in a special token that it writes. */
const names =
  (word: RegExp) =>
  ({ tests, tokens, variables }: SyntaxFacts) =>
    tests.some(({ expression, values }) => word.test(expression) || values.some((value) => word.test(value))) ||
    variables.some(({ name }) => word.test(name)) ||
    tokens.some(({ text }) => word.test(text));

/** A template that gives `tools` a default does not count as one that reads it. Such a template has messages of tools. */
const knowsTools = names(/\btools?\b|tool_calls/);
const knowsImages = names(/image/i);
const knowsThinking = names(/think|reason/i);

/** The definition of a function that a model may call, in the form of OpenAI's API. */
export const SAMPLE_TOOLS: readonly unknown[] = [
  {
    type: "function",
    function: {
      name: "get_temperature",
      description: "Gets the current temperature of a city.",
      parameters: {
        type: "object",
        properties: {
          city: { type: "string", description: "The name of the city." },
          unit: { type: "string", enum: ["celsius", "fahrenheit"], description: "The unit of the temperature." },
        },
        required: ["city"],
      },
    },
  },
];

const QUESTION = { role: "user", content: "What is the capital of France?" };
const SYSTEM = { role: "system", content: "You are a helpful assistant. Answer in one sentence." };
const WEATHER = { role: "user", content: "How warm is it in Zürich?" };

/** A call of the sample tool. Some templates take only ids of nine letters and digits. */
const callFor = (id: string, city: string) => ({
  id,
  type: "function",
  function: { name: "get_temperature", arguments: { city, unit: "celsius" } },
});
const ofCalls = (...calls: readonly object[]) => ({ role: "assistant", content: "", tool_calls: calls });
const resultOf = (id: string, content: string) => ({
  role: "tool",
  tool_call_id: id,
  name: "get_temperature",
  content,
});

export const SAMPLE_CONVERSATIONS: readonly SampleConversation[] = [
  { id: "plain", title: "One question", messages: [QUESTION] },
  { id: "system", title: "System message", messages: [SYSTEM, QUESTION] },
  {
    id: "turns",
    title: "Several turns",
    messages: [
      SYSTEM,
      QUESTION,
      { role: "assistant", content: "The capital of France is Paris." },
      { role: "user", content: "And of Italy?" },
      { role: "assistant", content: "The capital of Italy is Rome." },
      { role: "user", content: "Which is larger?" },
    ],
  },
  {
    id: "no-system",
    title: "Several turns without system message",
    messages: [
      QUESTION,
      { role: "assistant", content: "The capital of France is Paris." },
      { role: "user", content: "And of Italy?" },
    ],
  },
  {
    id: "empty-system",
    title: "Empty system message",
    messages: [{ role: "system", content: "" }, QUESTION],
  },
  {
    id: "ended",
    title: "Ends with an answer",
    messages: [QUESTION, { role: "assistant", content: "The capital of France is Paris." }],
    noPrompt: true,
  },
  {
    id: "unicode",
    title: "Other scripts, dates and white space",
    messages: [
      { role: "user", content: "  Grüezi! 你好 مرحبا 👩🏽‍🚀 e\u0301\n\n\tMeet on 2026-02-28 at 09:05?  " },
      { role: "assistant", content: "\n  好的。\n" },
      { role: "user", content: '<b>"Danke" & {{ merci }}</b>\n' },
    ],
  },
  { id: "tools", title: "Tools", messages: [SYSTEM, WEATHER], tools: SAMPLE_TOOLS, suits: knowsTools },
  {
    id: "tool-result",
    title: "Tool result",
    messages: [
      SYSTEM,
      WEATHER,
      ofCalls(callFor("call00001", "Zürich")),
      resultOf("call00001", '{"temperature": 18.5}'),
    ],
    tools: SAMPLE_TOOLS,
    suits: knowsTools,
  },
  {
    id: "parallel-calls",
    title: "Two calls at once",
    messages: [
      SYSTEM,
      { role: "user", content: "Is it warmer in Zürich or in Oslo?" },
      ofCalls(callFor("call00001", "Zürich"), callFor("call00002", "Oslo")),
      resultOf("call00001", '{"temperature": 18.5}'),
      resultOf("call00002", '{"temperature": 7}'),
      { role: "assistant", content: "It is warmer in Zürich." },
      { role: "user", content: "By how much?" },
    ],
    tools: SAMPLE_TOOLS,
    suits: knowsTools,
  },
  {
    id: "tool-error",
    title: "Failed call",
    messages: [
      SYSTEM,
      { role: "user", content: "How warm is it in Atlantis?" },
      ofCalls(callFor("call00001", "Atlantis")),
      resultOf("call00001", '{"error": "no such city: \\"Atlantis\\""}'),
    ],
    tools: SAMPLE_TOOLS,
    suits: knowsTools,
  },
  {
    id: "image",
    title: "Image",
    suits: knowsImages,
    messages: [
      {
        role: "user",
        content: [
          { type: "image", image: "https://example.com/cat.png" },
          { type: "text", text: "What is in this picture?" },
        ],
      },
    ],
  },
  {
    id: "thinking",
    title: "Thinking",
    suits: knowsThinking,
    messages: [
      { role: "user", content: "What is 17 times 23?" },
      {
        role: "assistant",
        reasoning_content: "17 times 20 is 340, and 17 times 3 is 51. Together that is 391.",
        content: "17 times 23 is 391.",
      },
      { role: "user", content: "And plus 9?" },
    ],
  },
];

/** The samples of which a template makes something, and the one that is shown. All while nothing is known about the template. */
export function offeredSamples(facts: SyntaxFacts | undefined, shown?: string): readonly SampleConversation[] {
  return SAMPLE_CONVERSATIONS.filter(
    ({ id, suits }) => facts === undefined || suits === undefined || id === shown || suits(facts),
  );
}
