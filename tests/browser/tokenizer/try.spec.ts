// "Try it" in the tokenizer panel: text to ids and back, with both switches, and what is said if the tokenizer cannot be run.

import { readFile } from "node:fs/promises";
import { json, missing, pathOf } from "../../package/corpus.mjs";
import { text, uint32 } from "../../support/gguf-bytes.mjs";
import { ofRun } from "../../support/long.mjs";
import { startEditing } from "../support/editing.ts";
import { expect, openUrl, test } from "../support/fixtures.ts";
import {
  addSpecial,
  helloVocabulary,
  idsField,
  openTokenizer,
  parseSpecial,
  refusal,
  shownTokens,
  textField,
  tokenCount,
  tokenizerPanel,
} from "../support/tokenizer-panel.ts";

test("a text is tokenised, and both switches change the ids", async ({ page, app }) => {
  await openTokenizer(page, app, helloVocabulary());
  await textField(page).fill("hi<end> hi");
  await expect(idsField(page)).toHaveValue("3 5 4 5");
  await expect(shownTokens(page)).toHaveText(["hi3", "<end>5", "·hi4", "<end>5"]);
  await expect(shownTokens(page).nth(1)).toHaveClass("token special");
  await expect(tokenCount(page)).toHaveText("4 tokens, 2.50 characters per token.");
  await addSpecial(page).uncheck();
  await expect(idsField(page)).toHaveValue("3 5 4");
  // The letters of "<end>" are not in the vocabulary, so only "hi" and " hi" are left.
  await parseSpecial(page).uncheck();
  await expect(idsField(page)).toHaveValue("3 4");
  await expect(tokenCount(page)).toHaveText("2 tokens, 5.00 characters per token.");
  await textField(page).fill("");
  await expect(idsField(page)).toHaveValue("");
  await expect(tokenCount(page)).toHaveText("0 tokens.");
});

test("forced colours keep the borders of the tokens", async ({ page, app }) => {
  await openTokenizer(page, app, helloVocabulary());
  await textField(page).fill("hi<end> hi");
  const outline = (at: number) =>
    shownTokens(page)
      .nth(at)
      .evaluate((token) => `${getComputedStyle(token).outlineStyle} ${getComputedStyle(token).outlineWidth}`);
  await expect(shownTokens(page)).toHaveCount(4);
  expect(await outline(0)).toMatch(/^none/);
  await page.emulateMedia({ forcedColors: "active" });
  expect([await outline(0), await outline(1)]).toEqual(["solid 1px", "solid 2px"]);
  await page.emulateMedia({ forcedColors: null });
});

test("the bytes of a character are several tokens, and a character outside of the BMP counts as one", async ({
  page,
  app,
}) => {
  await openTokenizer(page, app, helloVocabulary());
  await addSpecial(page).uncheck();
  await textField(page).fill("🦙");
  await expect(idsField(page)).toHaveValue("6 7 8 9");
  await expect(shownTokens(page)).toHaveText(["f06", "9f7", "a68", "999"]);
  await expect(tokenCount(page)).toHaveText("4 tokens, 0.25 characters per token.");
});

test("ids are turned into text, and wrong ids are explained", async ({ page, app }) => {
  await openTokenizer(page, app, helloVocabulary());
  await idsField(page).fill("[3, 4,\n5]");
  await expect(textField(page)).toHaveValue("hi hi<end>");
  await expect(tokenCount(page)).toHaveText("3 tokens, 3.33 characters per token.");
  // Half of a character is replaced.
  await idsField(page).fill("6 7");
  await expect(textField(page)).toHaveValue("\uFFFD");
  for (const [ids, problem] of [
    ["3 10", "The vocabulary has no token 10. The ids of this vocabulary are 0 to 9."],
    [
      "3 99999999999999999999",
      "The vocabulary has no token 99999999999999999999. The ids of this vocabulary are 0 to 9.",
    ],
    ["-1", "“-1” is no id. Type numbers with spaces between them. The ids of this vocabulary are 0 to 9."],
    ["3 x", "“x” is no id. Type numbers with spaces between them. The ids of this vocabulary are 0 to 9."],
  ] as const) {
    await idsField(page).fill(ids);
    await expect(idsField(page)).toHaveAccessibleDescription(problem);
    await expect(idsField(page)).toHaveAttribute("aria-invalid", "true");
    await expect(textField(page)).toHaveValue("");
    await expect(shownTokens(page)).toHaveCount(0);
    // The typed text stays, so that it can be corrected.
    await expect(idsField(page)).toHaveValue(ids);
  }
  await idsField(page).fill("4");
  await expect(textField(page)).toHaveValue(" hi");
  // The switches are about text: the text of the ids is tokenised.
  await addSpecial(page).uncheck();
  await addSpecial(page).check();
  await expect(idsField(page)).toHaveValue("4 5");
  await textField(page).fill("hi");
  await expect(idsField(page)).toHaveValue("3 5");
});

test("of a long text, the first tokens are shown and all are counted", async ({ page, app }) => {
  await openTokenizer(page, app, helloVocabulary());
  await textField(page).fill("hi".repeat(3000));
  await expect(tokenCount(page)).toHaveText("3,001 tokens, 2.00 characters per token. The first 2,000 are shown.");
  await expect(shownTokens(page)).toHaveCount(2000);
});

test("while the file is edited, the tokenizer is that of the stored file", async ({ page, app }) => {
  await startEditing(page, app, helloVocabulary());
  await page.getByRole("tab", { name: "Tokenizer" }).click();
  await expect(tokenizerPanel(page)).toContainText("This is the tokenizer of the stored file, without the changes.");
  await textField(page).fill("hi");
  await expect(idsField(page)).toHaveValue("3 5");
});

test("a text that the vocabulary cannot encode is explained", async ({ page, app }) => {
  // A SentencePiece vocabulary without tokens for bytes.
  const file = helloVocabulary({
    "tokenizer.ggml.model": text("llama"),
    "tokenizer.ggml.pre": undefined,
    "tokenizer.ggml.merges": undefined,
  });
  await openTokenizer(page, app, file);
  await textField(page).fill("é");
  await expect(textField(page)).toHaveAccessibleDescription(
    /^The vocabulary has no token for the byte 0x[0-9A-F]{2} of the text, and llama.cpp stops\. Convert the model again\.$/,
  );
  await expect(idsField(page)).toHaveValue("");
});

const REFUSED: readonly [title: string, file: () => Uint8Array, message: string][] = [
  [
    "a model that is not supported",
    () => helloVocabulary({ "tokenizer.ggml.model": text("rwkv") }),
    'The tokenizer "rwkv" is unsupported: expected llama, gpt2, gemma4, bert or t5. Use llama.cpp to tokenise text for this model.',
  ],
  [
    "an unknown pre-tokenizer",
    () => helloVocabulary({ "tokenizer.ggml.pre": text("gpt-9") }),
    'The pre-tokenizer "gpt-9" is unknown, perhaps newer than llama.cpp b11549 (October 2026). Correct tokenizer.ggml.pre if it is wrong.',
  ],
  [
    "a file that says that it has no tokenizer",
    () => helloVocabulary({ "tokenizer.ggml.model": text("no_vocab") }),
    "The file has no tokenizer: tokenizer.ggml.model is missing or says that there is none. Open a file with a vocabulary.",
  ],
  [
    "a file with tokens and without a model",
    () => helloVocabulary({ "tokenizer.ggml.model": undefined }),
    "The file has no tokenizer: tokenizer.ggml.model is missing or says that there is none. Open a file with a vocabulary.",
  ],
  [
    "a vocabulary without merges",
    () => helloVocabulary({ "tokenizer.ggml.merges": undefined }),
    "The file has no merges: tokenizer.ggml.merges is missing, and llama.cpp refuses the file. Convert the model again.",
  ],
  [
    "an entry of the wrong type",
    () => helloVocabulary({ "tokenizer.ggml.eos_token_id": { type: "int32", value: 5 } }),
    "The value of tokenizer.ggml.eos_token_id is of type INT32, expected UINT32. Convert the model again.",
  ],
];

for (const [title, file, message] of REFUSED)
  test(`the panel says why a tokenizer cannot be run: ${title}`, async ({ page, app }) => {
    await openTokenizer(page, app, file());
    await expect(refusal(page)).toHaveText(message);
    await expect(textField(page)).toHaveCount(0);
    // The tokens of the file are shown in any case.
    await expect(tokenizerPanel(page).getByRole("treegrid", { name: "Tokens" })).toContainText("hi");
  });

test("a special token that is added and is not in the vocabulary is explained", async ({ page, app }) => {
  await openTokenizer(page, app, helloVocabulary({ "tokenizer.ggml.eos_token_id": uint32(99) }));
  await textField(page).fill("hi");
  await expect(textField(page)).toHaveAccessibleDescription(
    "The tokenizer adds the token EOS, but the file names none that is in the vocabulary, and llama.cpp stops. Convert the model again.",
  );
  await page.getByRole("checkbox", { name: /^Add special tokens/ }).uncheck();
  await expect(idsField(page)).toHaveValue("3");
});

interface Vectors {
  texts: string[];
  vocabularies: {
    file: string;
    ids: Record<Form, number[][]>;
    special: { texts: string[]; ids: Record<Form, number[][]> };
  }[];
}
type Form = "plain" | "add_special" | "parse_special" | "both";

test.describe("the ids of real vocabularies are those of llama.cpp", () => {
  test.skip(missing !== false, String(missing));
  const { texts, vocabularies } = (
    missing === false ? json("llama-cpp-2026-08/tokenizer/vectors.json") : { vocabularies: [] }
  ) as Vectors;
  // A field of the page changes carriage returns, and cannot hold NUL.
  const canBeTyped = (typed: string) => !/[\r\0]/.test(typed);

  for (const name of ["gpt-2", "llama-spm", "bert-bge"]) {
    test(name, async ({ page, app }) => {
      const file = `ggml-vocab-${name}.gguf`;
      const vectors = vocabularies.find((vocabulary) => vocabulary.file === file);
      if (!vectors) throw new Error(`${file} has no vectors`);
      await openUrl(page, app, app.file(`/models/${file}`, await readFile(pathOf(`files/${file}`))), "&view=tokenizer");
      for (const [form, adds, parses] of [
        ["both", true, true],
        ["add_special", true, false],
        ["plain", false, false],
        ["parse_special", false, true],
      ] as const) {
        await addSpecial(page).setChecked(adds);
        await parseSpecial(page).setChecked(parses);
        for (const [list, ids] of [
          [texts, vectors.ids[form]],
          [vectors.special.texts, vectors.special.ids[form]],
        ] as const)
          for (const [index, typed] of list.entries()) {
            // The tests of the crate compare all texts.
            if (index % ofRun(24, 8) !== 0 || !canBeTyped(typed)) continue;
            await textField(page).fill(typed);
            await expect(idsField(page), `${form}: ${JSON.stringify(typed)}`).toHaveValue(ids[index]?.join(" ") ?? "");
          }
      }
    });
  }
});
