// `chatTemplates`: the default template and the named ones.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Gguf } from "gguf-wasm/full";
import { ggufBytes, text, uint32 } from "../../support/gguf-bytes.mjs";

test("the default template comes first, and values that are not strings are left out", async () => {
  const gguf = await Gguf.open(
    ggufBytes([
      ["tokenizer.chat_template.tool_use", text("tools")],
      ["tokenizer.chat_templates", { type: "strings", count: 1, at: () => "tool_use" }],
      ["tokenizer.chat_template", text("{{ chat }}\r\n")],
      ["tokenizer.chat_template.rag", uint32(1)],
      [Uint8Array.of(...Buffer.from("tokenizer.chat_template."), 0xff), text(Uint8Array.of(0xff, 0x61))],
      ["tokenizer.chat_template_x", text("no template")],
    ]),
  );
  assert.deepEqual(gguf.chatTemplates(), [
    { name: "default", key: "tokenizer.chat_template", template: "{{ chat }}\r\n" },
    { name: "tool_use", key: "tokenizer.chat_template.tool_use", template: "tools" },
    { name: "\ufffd", key: "tokenizer.chat_template.\ufffd", template: "\ufffda" },
  ]);
});

test("a file without templates", async () => {
  assert.deepEqual((await Gguf.open(ggufBytes([]))).chatTemplates(), []);
});
