/** Conversations that show what a template does. */

export interface SampleConversation {
  /** The name in the address of the page. */
  readonly id: string;
  readonly title: string;
  readonly messages: readonly Readonly<Record<string, unknown>>[];
  readonly tools?: readonly unknown[];
}

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
const CALL = {
  role: "assistant",
  content: "",
  tool_calls: [
    {
      id: "call00001",
      type: "function",
      function: { name: "get_temperature", arguments: { city: "Zürich", unit: "celsius" } },
    },
  ],
};

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
  { id: "tools", title: "Tools", messages: [SYSTEM, WEATHER], tools: SAMPLE_TOOLS },
  {
    id: "tool-result",
    title: "Tool result",
    messages: [
      SYSTEM,
      WEATHER,
      CALL,
      { role: "tool", tool_call_id: "call00001", name: "get_temperature", content: '{"temperature": 18.5}' },
    ],
    tools: SAMPLE_TOOLS,
  },
  {
    id: "image",
    title: "Image",
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
