/** What a person gives to others: the card, the commands, and the code for a page. */

import { expect, test } from "@playwright/test";
import { Gguf } from "gguf-wasm/explain";
import { cardFacts } from "../../../www/src/share/card-facts.ts";
import { EMBED_CHOICES, embedCode } from "../../../www/src/share/embed-code.ts";
import { figurePlaces } from "../../../www/src/share/figure-places.ts";
import { type ModelPlace, runCommands } from "../../../www/src/share/run-commands.ts";
import { missing, read } from "../../package/corpus.mjs";

const facts = { ownContext: 32_768, layerCount: 32, hasExperts: false, isLoadable: true, hasWindow: false };
const local: ModelPlace = {
  fileName: "my model.gguf",
  hub: undefined,
  address: undefined,
  hasShards: false,
  quantization: "Q4_K_M",
};
const hub = { ...local, fileName: "m-Q4_K_M.gguf", hub: { id: "owner/name", path: "m-Q4_K_M.gguf" } };

function commandsOf(place: ModelPlace): Record<string, string> {
  const commands = runCommands(place, { context: 8192 }, facts);
  return Object.fromEntries(commands.map(({ program, command }) => [program, command]));
}

test("a local file is named, and quoted for the shell", () => {
  expect(commandsOf(local)).toEqual({
    "llama-server": "llama-server -m 'my model.gguf' -c 8192 -np 1 -ngl 33 -fa on",
    "llama-cli": "llama-cli -m 'my model.gguf' -c 8192 -ngl 33 -fa on",
    Ollama:
      "printf '%s\\n' 'FROM ./my model.gguf' 'PARAMETER num_ctx 8192' > Modelfile && ollama create my-model -f Modelfile && ollama run my-model",
    "LM Studio": "lms import 'my model.gguf'",
  });
});

test("a file of Hugging Face is loaded from there, and others from their addresses", () => {
  expect(commandsOf(hub)).toEqual({
    "llama-server": "llama-server -hf owner/name --hf-file m-Q4_K_M.gguf -c 8192 -np 1 -ngl 33 -fa on",
    "llama-cli": "llama-cli -hf owner/name --hf-file m-Q4_K_M.gguf -c 8192 -ngl 33 -fa on",
    Ollama: "ollama run hf.co/owner/name:m-Q4_K_M.gguf",
    "LM Studio": "lms get owner/name@q4_k_m",
  });
  const address = "https://example.com/a b.gguf?x=1&y='2'";
  expect(commandsOf({ ...local, address })["llama-server"]).toContain(
    `-mu 'https://example.com/a b.gguf?x=1&y='\\''2'\\'''`,
  );
});

test("a program that cannot load the model has no command, and no name breaks out of a command", () => {
  expect(Object.keys(commandsOf({ ...hub, hasShards: true }))).toEqual(["llama-server", "llama-cli", "LM Studio"]);
  for (const fileName of ["$(x).gguf", "it's.gguf", 'a";b.gguf', "-rf.gguf", "a\n.gguf", "`x`.gguf"]) {
    for (const command of Object.values(commandsOf({ ...local, fileName })))
      // Outside of quotes there are only plain words.
      expect(command.replaceAll(/'[^']*'|\\'/g, "")).toMatch(/^[\w\s./>&:@%=+-]*$/);
  }
});

test("the code names the element and its import, and no address breaks out of it", () => {
  const [viewer, summary] = EMBED_CHOICES.map((choice) => embedCode(choice, 'https://a.b/"><script>&.gguf'));
  expect(viewer).toContain('import "gguf-wasm-viewer";');
  expect(summary).toContain('import "gguf-wasm-viewer/summary";');
  expect(summary).toContain('<gguf-summary src="https://a.b/&quot;>&lt;script>&amp;.gguf"></gguf-summary>');
});

test("a card has the facts of the header", async () => {
  test.skip(missing !== false, String(missing));
  const gguf = await Gguf.open(read("memory/llama-3.1-8b.gguf"));
  const card = cardFacts(gguf, "llama.gguf", true);
  expect(card.figures.map(({ label }) => label)).toContain("tokens of context");
  expect(card.needs).toMatch(/^llama\.cpp takes [\d.]+ GiB of memory with a context of 8,192 tokens$/);
  expect(card.types.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1, 5);
  expect(cardFacts(gguf, "llama.gguf", false).needs).toBe("");
  gguf.free();
});

test("the figures of a card stand beside each other, and none reaches into the next or over the edge", () => {
  const figures = (quantization: string, context: string) => [
    { value: "8.03 B", label: "parameters" },
    { value: quantization, label: "quantization" },
    { value: "4.87", label: "bits per weight" },
    { value: "4.88 GB", label: "file size" },
    { value: context, label: "tokens of context" },
  ];
  for (const [quantization, context] of [
    ["Q4_K_M", "131,072"],
    ["mostly Q4_K", "131,072"],
    ["mostly IQ3_XXS_R4", "10,485,760"],
  ] as const) {
    const places = figurePlaces(figures(quantization, context), 544);
    for (const [at, { x, width }] of places.entries())
      expect(x + width, `${quantization}, figure ${at}`).toBeLessThanOrEqual(places[at + 1]?.x ?? 544);
  }
  // A figure is as far from the next one as there is room, but they stay together.
  expect(figurePlaces([{ value: "1 B", label: "parameters" }], 544)).toMatchObject([{ x: 0, size: 18 }]);
  expect(figurePlaces([], 544)).toEqual([]);
});
