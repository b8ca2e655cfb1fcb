import { expect, test } from "@playwright/test";
import type { ConversionFinding, FileTypeEstimate } from "gguf-wasm/convert";
import {
  applyChoices,
  targetTypes,
  type TypedPlan,
  withChoice,
  withoutRow,
} from "../../../www/src/convert/chosen-types.ts";
import { convertedName } from "../../../www/src/convert/file-name.ts";
import { firstTarget } from "../../../www/src/convert/first-target.ts";
import { pausable, Pause } from "../../../www/src/convert/pause.ts";
import { findingGroups } from "../../../www/src/convert/refusals.ts";

test("the name of the new file has the new type in place of the old one", () => {
  for (const old of ["-F16", "-bf16", ".f32", "-Q8_0", "_q4_k_m", "-IQ2_XS", "-TQ1_0", "-MXFP4_MOE", ""])
    expect(convertedName(`Llama-3-8B${old}`, "Q4_K_M")).toBe("Llama-3-8B-Q4_K_M.gguf");
  expect(convertedName("Qwen-Q", "Q8_0")).toBe("Qwen-Q-Q8_0.gguf");
  expect(convertedName("", "Q8_0")).toBe("model-Q8_0.gguf");
});

/** A plan of three tensors, of which `norm` is never quantized. `Q4_K` does not fit the rows of `odd`. */
function plan(): TypedPlan & { types(): string[] } {
  const names = ["a", "odd", "norm"];
  const byHand = new Map<number, string>();
  const setType = (row: number, type?: string) => {
    if (type === "Q8_1") throw new Error("tensors cannot be converted to Q8_1");
    if (type === "Q4_K" && row === 1) throw new Error("the blocks do not fit");
    if (type === undefined) byHand.delete(row);
    else byHand.set(row, type);
  };
  return {
    get tensors() {
      return names.map((_, row) => ({ reason: byHand.has(row) ? "hand" : "default" })) as never;
    },
    setType: setType as TypedPlan["setType"],
    setTypes: (pattern, type) => {
      if (type === "Q8_1") throw new Error("tensors cannot be converted to Q8_1");
      const rows = [...names.keys()].filter((row) => row !== 2 && new RegExp(pattern).test(names[row] ?? ""));
      for (const row of rows) setType(row, type as string);
      return rows.length;
    },
    types: () => names.map((_, row) => byHand.get(row) ?? "-"),
  };
}

test("the last choice for a tensor wins, and a choice that is refused is skipped", () => {
  const typed = plan();
  let choices = withChoice([], { row: 0, type: "Q5_K" });
  choices = withChoice(choices, { pattern: ".", type: "Q8_0" });
  applyChoices(typed, choices);
  expect(typed.types()).toEqual(["Q8_0", "Q8_0", "-"]);
  choices = withChoice(choices, { row: 0, type: "Q6_K" });
  choices = withChoice(choices, { row: 1, type: "Q4_K" });
  applyChoices(typed, choices);
  expect(typed.types()).toEqual(["Q6_K", "Q8_0", "-"]);
  // A tensor is taken back, although a pattern matches its name.
  choices = withoutRow(choices, 0);
  applyChoices(typed, choices);
  expect(typed.types()).toEqual(["-", "Q8_0", "-"]);
  choices = withChoice(choices, { pattern: ".", type: "Q5_0" });
  applyChoices(typed, choices);
  expect(typed.types()).toEqual(["Q5_0", "Q5_0", "-"]);
  applyChoices(typed, []);
  expect(typed.types()).toEqual(["-", "-", "-"]);
  expect(withoutRow([{ row: 1, type: "F16" }], 1)).toEqual([]);
});

test("the types that tensors can be converted to are found without a change", () => {
  const typed = plan();
  expect(targetTypes(typed, [{ name: "Q4_K" }, { name: "Q8_1" }, { name: "F16" }])).toEqual([
    { name: "Q4_K" },
    { name: "F16" },
  ]);
  expect(typed.types()).toEqual(["-", "-", "-"]);
});

test("the first file type makes the model smaller", () => {
  const types = Object.entries({ F16: 1600, Q8_0: 850, Q4_K_M: 480, Q3_K_M: 390, Q2_K: 300 }).map(([name, size]) => ({
    name,
    size,
  })) as unknown as FileTypeEstimate[];
  expect(firstTarget(types, 1600)).toBe("Q4_K_M");
  // The model has this type already: a new header may make it a little smaller or larger.
  expect(firstTarget(types, 482)).toBe("Q3_K_M");
  expect(firstTarget(types, 391)).toBe("Q2_K");
  expect(firstTarget(types, 200)).toBe("Q4_K_M");
  expect(firstTarget(types, undefined)).toBe("Q4_K_M");
});

test("findings are grouped by their reason, errors first", () => {
  const finding = (severity: ConversionFinding["severity"], tensor: string, code?: string): ConversionFinding => ({
    severity,
    row: 0,
    tensor,
    message: `tensor ${tensor}`,
    ...(code === undefined ? {} : { code }),
  });
  const groups = findingGroups([
    finding("info", "a"),
    finding("warning", "b"),
    finding("error", "c", "needs-imatrix"),
    finding("error", "d", "already-quantized"),
    finding("error", "e", "needs-imatrix"),
  ]);
  expect(groups.map(({ severity, title }) => `${severity}: ${title}`)).toEqual([
    "error: The model is quantized already: 1 tensor",
    "error: This type needs an importance matrix: 2 tensors",
    "warning: 1 tensor gets another type",
    "info: The importance matrix has no data for 1 tensor",
  ]);
  expect(groups[1]?.messages).toEqual(["Tensor c.", "Tensor e."]);
  const ofFile = { severity: "warning", check: "duplicate-token", message: "two tokens are equal" } as const;
  const option = { severity: "warning", message: "a pattern matches nothing" } as const;
  expect(findingGroups([ofFile, option]).map(({ title }) => title)).toEqual([
    "llama.cpp refuses the new file",
    "1 option without effect",
  ]);
  const message = "the image model cannot be quantized: its family is not known";
  const [refused] = findingGroups([{ severity: "error", code: "unsupported-model", message }, option]);
  expect(refused).toEqual({
    severity: "error",
    code: "unsupported-model",
    title: "This image model is not converted so",
    next: ["The image model cannot be quantized: its family is not known."],
    messages: [],
  });
});

/** A stream of numbered chunks, which counts those that were read. */
function numbered(): { stream: ReadableStream<Uint8Array<ArrayBuffer>>; read: () => number; cancelled: () => unknown } {
  let [count, reason]: [number, unknown] = [0, undefined];
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      pull(controller) {
        count += 1;
        controller.enqueue(Uint8Array.of(count));
        if (count === 5) controller.close();
      },
      cancel: (why) => void (reason = why),
    },
    { highWaterMark: 0 },
  );
  return { stream, read: () => count, cancelled: () => reason };
}

test("during a pause nothing is read, and all bytes arrive after it", async () => {
  const { stream, read } = numbered();
  const pause = new Pause();
  const reader = pausable(stream, pause).getReader();
  expect((await reader.read()).value).toEqual(Uint8Array.of(1));
  pause.pause();
  const next = reader.read();
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(read()).toBe(1);
  expect(pause.duration).toBeGreaterThan(10);
  pause.resume();
  const { duration } = pause;
  expect((await next).value).toEqual(Uint8Array.of(2));
  for (const number of [3, 4, 5]) expect((await reader.read()).value).toEqual(Uint8Array.of(number));
  expect((await reader.read()).done).toBe(true);
  expect(pause.duration).toBe(duration);
});

test("a stream that is cancelled during a pause ends, and so does the stream below it", async () => {
  const { stream, cancelled } = numbered();
  const pause = new Pause();
  pause.pause();
  const reader = pausable(stream, pause).getReader();
  const next = reader.read();
  await reader.cancel("enough");
  expect((await next).done).toBe(true);
  expect(cancelled()).toBe("enough");
  expect(pause.isPaused).toBe(false);
});
