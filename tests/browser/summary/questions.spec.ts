/** Five questions about a model, answered in the summary of five kinds of models, with the choices that each answer needs. */

import type { Page } from "@playwright/test";
import { expect, openUrl, test } from "../support/fixtures.ts";
import { corpusModel, type Model } from "../support/corpus-model.ts";
import { answerWithZeros } from "../support/large-model.ts";
import type { TestServer } from "../support/server.ts";
import { leaveDocument } from "../support/shared-page.ts";
import { ggufBytes, text, uint32 } from "../../support/gguf-bytes.mjs";

interface Answers {
  /** "Does it fit 12 GB?": the sentence before a machine is chosen. */
  readonly takes: string;
  /** The sentence after one choice. Absent if there is nothing to choose. */
  readonly fits?: string;
  /** What the list of cards says about 12 GB. */
  readonly card?: string;
  /** "Which layers have fewer bits?" */
  readonly bits: string;
  /** "How many experts are used?" */
  readonly experts: string;
  /** "Is the file complete?" */
  readonly file: string;
  /** "What does it cost to double the context?" */
  readonly doubling: string;
}

/** A projector with an encoder of two blocks: one of F16, one of F32. */
function visionProjector(): Model {
  const [F32, F16] = [0, 1];
  const matrix = (name: string, type: number, rows: number) => ({
    name,
    dimensions: [64, rows],
    type,
    bytes: 64 * rows * (type === F32 ? 4 : 2),
  });
  const header = ggufBytes(
    [
      ["general.architecture", text("clip")],
      ["general.type", text("mmproj")],
      ["general.file_type", uint32(1)],
      ["clip.has_vision_encoder", { type: "bool", value: true }],
      ["clip.projector_type", text("mlp")],
      ["clip.vision.block_count", uint32(2)],
      ["clip.vision.embedding_length", uint32(64)],
    ],
    [
      ...["attn_q", "attn_k", "attn_v", "attn_out"].flatMap((role) => [
        matrix(`v.blk.0.${role}.weight`, F16, 64),
        matrix(`v.blk.1.${role}.weight`, F32, 64),
      ]),
      matrix("mm.0.weight", F16, 128),
    ],
  );
  return { header, size: header.length };
}

const NO_EXPERTS = "None: every token uses all parameters";
const QUESTIONS: readonly [name: string, model: () => Model, answers: Answers][] = [
  [
    "a dense model",
    () => corpusModel("llama-3.1-8b.gguf"),
    {
      takes: "It takes 5.58 GiB of GPU memory with a context of 8,192 tokens",
      card: "up to 52,224 tokens",
      fits: "Yes with a context of 8,192 tokens. It takes up to 5.58 GiB of 12 GiB GPU memory",
      bits: "32 blocks. The fewest bits per weight: 4.54 in blocks 4, 5, 7, 8,",
      experts: NO_EXPERTS,
      file: "Complete: 4.88 GB",
      doubling: "from 65,536 to 131,072 tokens costs 8.07 GiB, or 4.32 GiB with the KV cache type Q8_0.",
    },
  ],
  [
    "a model with experts",
    () => corpusModel("qwen3-30b-a3b.gguf"),
    {
      takes: "It takes 18.0 GiB of GPU memory with a context of 8,192 tokens",
      card: "does not fit as a whole",
      fits: "Yes, with changes, with a context of 8,192 tokens. Experts of 20 layers on the CPU, KV cache type Q8_0.",
      bits: "48 blocks. The fewest bits per weight: 4.52 in blocks 7, 8, 10, 11,",
      experts: "128, of which each token uses 8",
      file: "Complete: 18.3 GB",
      doubling: "from 131,072 to 262,144 tokens costs 12.1 GiB, or 6.51 GiB with the KV cache type Q8_0.",
    },
  ],
  [
    "a hybrid model",
    () => corpusModel("granite-4.0-h-tiny.gguf"),
    {
      takes: "It takes 4.23 GiB of GPU memory with a context of 8,192 tokens",
      card: "all 131,072 tokens",
      fits: "Yes with a context of 8,192 tokens. It takes up to 4.23 GiB of 12 GiB GPU memory",
      bits: "40 blocks. The fewest bits per weight: 4.52 in blocks 7, 8, 10, 11,",
      experts: "64, of which each token uses 6",
      file: "Complete: 4.18 GB",
      doubling: "from 65,536 to 131,072 tokens costs 579 MiB, or 339 MiB with the KV cache type Q8_0.",
    },
  ],
  [
    "an embedding model",
    () => corpusModel("bge-small-en.gguf"),
    {
      takes: "It takes 48.4 MiB of GPU memory with a context of 512 tokens",
      card: "all 512 tokens",
      fits: "Yes with a context of 512 tokens. It takes up to 48.4 MiB of 12 GiB GPU memory",
      bits: "All 12 blocks have 16.05 bits per weight.",
      experts: NO_EXPERTS,
      file: "Complete: 67.0 MB",
      // It has no cache, so that a type of the cache saves nothing.
      doubling: "from 256 to 512 tokens costs 3.94 MiB. All layers are on the GPU.",
    },
  ],
  [
    "a projector",
    visionProjector,
    {
      takes: "112 KiB beside its model, whatever the context is",
      bits: "2 vision encoder blocks. The fewest bits per weight: 16.00 in block 0. The most: 32.00 in block 1.",
      experts: "None: all parameters are used",
      file: "Complete: ",
      doubling: "112 KiB beside its model, whatever the context is",
    },
  ],
];

for (const [name, model, answers] of QUESTIONS) {
  test(`the summary of ${name} answers five questions with at most one choice`, async ({ page, app }) => {
    await leaveDocument(page);
    await askAll(page, app, model(), answers);
    await expect(page.getByRole("tab", { name: "Summary" })).toHaveAttribute("aria-selected", "true");
  });
}

/** Reads all answers. One of them needs a choice, and no other a click. */
async function askAll(page: Page, app: TestServer, model: Model, answers: Answers): Promise<void> {
  await page.goto(app.origin);
  await page.evaluate(() => localStorage.removeItem("machine"));
  await openUrl(page, app, app.on("/models/asked.gguf", answerWithZeros(model)));
  const answer = (label: string) =>
    page.locator("gguf-answers dl > div", { has: page.locator("dt", { hasText: new RegExp(`^${label}$`) }) });
  // Text that a person sees without opening anything.
  const seen = { useInnerText: true };
  const [run, curve] = [page.locator("gguf-will-it-run"), page.locator("gguf-context-curve .intro")];
  await expect(answer("File")).toContainText(answers.file, seen);
  await expect(answer("Experts")).toContainText(answers.experts, seen);
  await expect(page.locator("gguf-quantization-map .intro")).toContainText(answers.bits, seen);
  if (answers.fits === undefined || answers.card === undefined) {
    await expect(answer("Memory")).toContainText(answers.takes, seen);
    await expect(answer("Memory")).toContainText(answers.doubling, seen);
    // Nothing is wrong with a file that is loaded beside a model.
    await expect(answer("Checks")).toContainText("llama.cpp does not load it as a model of its own", seen);
    // A name without room for its encoder names the role.
    const names = page.locator("gguf-parameters text.name");
    await expect(names.filter({ hasText: /^Attention output$/ })).toHaveCount(1);
    await expect(names.filter({ hasText: /^Vision.*…$/ })).toHaveCount(0);
    return;
  }
  await expect(curve).toContainText(answers.doubling, seen);
  await expect(run.locator(".answer")).toContainText(answers.takes, seen);
  await expect(run.locator(".cards li", { hasText: /^\s*12 GB/ })).toContainText(answers.card, seen);
  // The only choice. It is remembered for other models, and the field has the focus of the button that goes away.
  await run.getByRole("button", { name: /^12 GB/ }).click();
  await expect(run.getByLabel("GPU memory", { exact: true })).toBeFocused();
  await expect(run.locator(".answer")).toContainText(answers.fits, seen);
  await page.evaluate(() => localStorage.removeItem("machine"));
}
