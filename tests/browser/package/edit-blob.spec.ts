import { fileURLToPath } from "node:url";
import { expect, test } from "@playwright/test";
import { serveFolder } from "../../support/file-server.mjs";
import { ggufBytes, text } from "../../support/gguf-bytes.mjs";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const I8 = 24;
const [TENSOR, TENSORS] = [4096 * 4096, 270];

/** The header of a file of more than 4 GiB. */
function header(): number[] {
  const tensors = Array.from({ length: TENSORS }, (_, index) => ({
    name: `blk.${index}.weight`,
    dimensions: [4096, 4096],
    type: I8,
    bytes: TENSOR,
  }));
  const metadata = [
    ["general.architecture", text("llama")],
    ["general.name", text("before")],
    ["tokenizer.ggml.tokens", { type: "strings", count: 1000, at: (index) => `token ${index}` }],
    ["tokenizer.chat_template", text("{{ messages }}")],
  ] satisfies Parameters<typeof ggufBytes>[0];
  return [...ggufBytes(metadata, tensors, 3, false, false)];
}

test("a Blob of more than 4 GiB is edited without being read, and every tensor is at the right offset", async ({
  page,
}) => {
  const server = await serveFolder(ROOT);
  await page.goto(`${server.origin}/tests/package/consumer/index.html`);
  const found = await page.evaluate(
    async ({ header, length, count }) => {
      const path = "/pkg/full/index.js";
      const { Gguf } = (await import(path)) as typeof import("gguf-wasm/full");
      // Repeated parts take no space. Each has a mark at its start and at its end.
      const zeros = new Blob([new Uint8Array(length - 32)]);
      const mark = (index: number) => `tensor ${index}`.padEnd(16);
      const tensors = Array.from({ length: count }, (_, index) => new Blob([mark(index), zeros, mark(index)]));
      const original = new Blob([Uint8Array.from(header), ...tensors]);

      const gguf = await Gguf.open(original);
      const editor = gguf.edit();
      const template = "{% for message in messages %}{{ message.content }}{% endfor %}".repeat(1000);
      editor.set("general.name", "after");
      editor.set("tokenizer.chat_template", template);
      editor.setElement("tokenizer.ggml.tokens", 500, "an element of another length");
      editor.renameTensor("blk.7.weight", "blk.7.renamed");
      const plan = editor.plan();
      const edited = plan.toBlob(original);

      const again = await Gguf.open(edited);
      const marks = await Promise.all(
        again.tensors.map(async ({ fileOffset = NaN }) => [
          await edited.slice(fileOffset, fileOffset + 16).text(),
          await edited.slice(fileOffset + length - 16, fileOffset + length).text(),
        ]),
      );
      const last = await again.readBytes(again.tensors[count - 1]?.name ?? "", { start: length - 16, end: length });
      const tail = await new Response(plan.stream({ start: plan.size - length - 16 })).arrayBuffer();
      const tokens = again.metadata.get("tokenizer.ggml.tokens") as import("gguf-wasm/full").MetadataArray;
      return {
        sizes: [original.size, edited.size, plan.size, again.fileSize],
        offsets: [plan.dataOffset, again.dataOffset],
        name: again.metadata.get("general.name"),
        isTemplate: again.metadata.get("tokenizer.chat_template") === template,
        tokens: tokens.slice(499, 502),
        renamed: again.tensor("blk.7.renamed")?.index,
        wrong: marks.flatMap(([first, last], index) => (first === mark(index) && last === mark(index) ? [] : [index])),
        last: new TextDecoder().decode(last),
        tail: [tail.byteLength, await new Blob([tail]).slice(0, 32).text()],
      };
    },
    { header: header(), length: TENSOR, count: TENSORS },
  );
  expect(found.sizes[0]).toBeGreaterThan(2 ** 32);
  expect(new Set(found.sizes.slice(1)).size).toBe(1);
  expect((found.sizes[1] ?? 0) - (found.offsets[0] ?? 0)).toBe(TENSORS * TENSOR);
  expect(found.offsets[0]).toBe(found.offsets[1]);
  expect(found).toMatchObject({
    name: "after",
    isTemplate: true,
    tokens: ["token 499", "an element of another length", "token 501"],
    renamed: 7,
    wrong: [],
    last: "tensor 269".padEnd(16),
    tail: [TENSOR + 16, "tensor 268".padEnd(16) + "tensor 269".padEnd(16)],
  });
  await server.close();
});
