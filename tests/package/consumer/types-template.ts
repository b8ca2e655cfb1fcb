// Uses the API of `gguf-wasm/template` in a strict TypeScript program. It is type-checked but not run.

import { Gguf, type Chat } from "gguf-wasm/explain";
import {
  chatTemplateCapabilities,
  parseChatTemplate,
  renderChatTemplate,
  type ChatNote,
  type ChatTemplateCapabilities,
  type ChatTemplateLimits,
  type ChatTemplateNode,
  type ChatTemplateOptions,
  type ChatTextPart,
  type GgufError,
  type RenderedChat,
} from "gguf-wasm/template";
import { init } from "gguf-wasm/template/init";
import * as node from "gguf-wasm/template/node";

export async function render(template: string): Promise<string> {
  await init();
  const limits: ChatTemplateLimits = { steps: 1000, memory: 1 << 20, depth: 30 };
  const options: ChatTemplateOptions = { now: new Date(), limits, server: true, addedBos: "<s>" };
  const rendered: RenderedChat = renderChatTemplate(template, { messages: [] }, options);
  const parts: readonly ChatTextPart[] = rendered.parts;
  const notes: readonly ChatNote[] = node.renderChatTemplate(template, "{}").notes;
  const can: ChatTemplateCapabilities = chatTemplateCapabilities(template);
  // @ts-expect-error: results are read-only.
  rendered.text = "";
  return `${parts.map(({ text, isInput }) => (isInput ? "" : text)).join("")}${notes[0]?.code}${can.tools}`;
}

export function names(nodes: readonly ChatTemplateNode[] = parseChatTemplate("")): string[] {
  return nodes.flatMap((node) => {
    switch (node.type) {
      case "name":
        return [`${node.name} ${node.line}:${node.column}`];
      case "binary":
        return names([node.left, node.right]);
      case "if":
        return names([...node.branches.flatMap(({ test, body }) => [test, ...body]), ...node.otherwise]);
      default:
        return [];
    }
  });
}

export async function chat(gguf: Gguf): Promise<Int32Array | undefined> {
  const { text, tokens, notes }: Chat = await gguf.chat([{ role: "user", content: "Hello" }], {
    tools: [{ type: "function", function: { name: "f" } }],
    tokens: true,
    variables: '{"a": 1.0}',
    limits: { steps: 1e6 },
    signal: AbortSignal.timeout(1000),
  });
  return text === "" || notes.some(({ message }) => message === "") ? undefined : tokens;
}

export function place(error: GgufError): string {
  return error.code === "template-syntax" ? `${error.line}:${error.column}` : "";
}
