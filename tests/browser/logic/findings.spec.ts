import { expect, test } from "@playwright/test";
import { type Finding, Gguf } from "gguf-wasm/full";
import { editedPrograms, filePrograms, otherPrograms, setPrograms } from "gguf-wasm/common/programs.js";
import { CHECKS_STATE_FIELDS, filterChoices, filterFindings } from "../../../www/src/checks/checks-state.ts";
import { joinEqual, joinedFix } from "../../../www/src/checks/equal-findings.ts";
import { loadsSentence } from "../../../www/src/checks/loads-sentence.ts";
import { checksOf } from "../../../www/src/worker/checks-of-file.ts";
import { headerSource } from "../../../www/src/worker/header-source.ts";
import { findingTarget, type ShownFinding } from "../../../www/src/checks/findings.ts";
import { findingCounts, problemCounts, severitySections } from "../../../www/src/checks/severity-sections.ts";
import { capitalised } from "../../../www/src/ui/sentence.ts";
import { largeModel } from "../support/large-model.ts";
import { ggufBytes } from "../../support/gguf-bytes.mjs";

const finding = (severity: Finding["severity"], more: object = {}) =>
  ({ code: "duplicate-key", severity, message: "m", ...more }) satisfies Finding;

test("findings have a section for each severity, errors first, and a target", () => {
  const findings = [
    finding("info"),
    finding("error", { key: "a", index: 3 }),
    finding("error", { tensor: "t", index: 0 }),
  ];
  expect(severitySections(joinEqual(findings)).map(({ title }) => title)).toEqual(["2 errors", "1 note"]);
  expect(findingCounts(findings)).toBe("2 errors, 1 note");
  expect(findingCounts([])).toBe("No problems found in the header");
  expect(problemCounts(findings)).toEqual([{ severity: "error", count: 2 }]);
  expect(findings.map((found) => findingTarget(found)?.name)).toEqual([undefined, "a", "t"]);
  // The file lacks the entry, so there is nothing to show.
  expect(findingTarget(finding("error", { key: "missing" }))).toBeUndefined();
});

test("the sentence about loading does not repeat a message of the list, unless the list does not say which it is", () => {
  const sentence = (reason: Finding, findings: readonly ShownFinding[]) => {
    const { tensor, index, message } = reason;
    const because =
      tensor !== undefined && index !== undefined && tensor.length < 256 ? `, because of the tensor "${tensor}"` : "";
    const whole = `llama.cpp does not load the file${because}: ${message}`;
    const shown = loadsSentence({ answer: "no", sentence: whole, reason }, findings);
    return shown === whole ? "whole" : shown;
  };
  const named = finding("error", { tensor: "t", index: 0 });
  const unnamed = finding("error", { tensor: "t" });
  const other = finding("error", { tensor: "u", index: 1 });
  expect(sentence(named, [named, other])).toBe('llama.cpp does not load the file, because of the tensor "t".');
  expect(sentence(unnamed, [unnamed, finding("info")])).toBe("llama.cpp does not load the file.");
  expect(sentence(unnamed, [unnamed, other])).toBe("whole");
  const long = finding("error", { tensor: "t".repeat(300), index: 0 });
  expect(sentence(long, [long, other])).toBe("whole");
  // The list does not have it.
  expect(sentence(named, [other])).toBe("whole");
  expect(sentence(named, [])).toBe("whole");
  expect(loadsSentence({ answer: "yes", sentence: "llama.cpp loads the file." }, [other])).toBe(
    "llama.cpp loads the file.",
  );
});

test("a file is for other programs if one of them loads it and llama.cpp does not", () => {
  const answers = (llamaCpp: "yes" | "no" | "unknown", ...loading: string[]) => [
    { program: "llama.cpp", answer: llamaCpp, ...(llamaCpp === "yes" ? {} : { reason: "It is no model." }) },
    ...["ComfyUI-GGUF", "Ollama"].map((program) => ({
      program,
      answer: loading.includes(program) ? ("yes" as const) : ("no" as const),
    })),
  ];
  const others = (...of: Parameters<typeof otherPrograms>) => otherPrograms(...of)?.map(({ program }) => program);
  expect(others("image-diffusion", answers("no", "ComfyUI-GGUF"))).toEqual(["ComfyUI-GGUF"]);
  expect(others("model", answers("no", "Ollama"))).toEqual(["Ollama"]);
  expect(others("model", answers("yes", "Ollama"))).toBeUndefined();
  expect(others("model", answers("unknown", "Ollama"))).toBeUndefined();
  expect(others("shard", answers("no", "Ollama"))).toBeUndefined();
  expect(others("vae", answers("no"))).toBeUndefined();
  // It takes language models of llama.cpp as text encoders. A broken one is still a language model.
  expect(others("model", answers("no", "ComfyUI-GGUF"))).toBeUndefined();
});

test("of a set of shards, programs of image models load none", () => {
  const merged = { programs: () => ({ sentence: "What it is.", programs: [] }) };
  expect(setPrograms({ ...merged, kind: "model" })?.sentence).toBe("What it is.");
  expect(setPrograms({ ...merged, kind: "image-diffusion" })).toBeUndefined();
});

test("after editing, the programs are known while the file stays what it is", () => {
  const stored = { sentence: "", programs: [], others: undefined };
  const file = { kind: "model", family: "llama" } as Gguf["classification"];
  expect(editedPrograms(stored, file, { ...file })).toBe(stored);
  expect(editedPrograms(stored, file, { ...file, family: "qwen2" })).toBeUndefined();
  expect(editedPrograms(stored, file, undefined)).toBeUndefined();
});

test("equal findings of many blocks are one, also if the model lacks several tensors in each block", async () => {
  const without = ["attn_output.weight", "attn_q_b.weight"];
  using gguf = await Gguf.open(largeModel({ without }).header);
  const findings = gguf.validate().filter(({ code }) => code === "missing-tensor");
  expect(findings).toHaveLength(122);
  const joined = joinEqual(findings);
  expect(joined.map(({ sentence }) => sentence.split(/,|\. /)[0])).toEqual([
    "The tensor attn_q_b.weight is missing in blocks 0 to 60",
    "The tensor attn_output.weight is missing in blocks 0 to 60",
  ]);
  expect(joined.map(({ findings: own }) => own.length)).toEqual([61, 61]);
  expect(findingCounts(findings)).toBe("2 errors in 122 places");
  expect(problemCounts(findings)).toEqual([{ severity: "error", count: 2 }]);
});

test("the checks find the same in a header with the size of the file as in the file", async () => {
  const missing = largeModel({ without: ["attn_output.weight"], experts: "IQ1_S" });
  const small = ggufBytes([], [{ name: "a.weight", dimensions: [64], type: 0, bytes: 256 }]);
  const files = [
    { file: { size: missing.size, read: () => Promise.reject(new Error("data")) }, header: missing.header },
    { file: small.slice(0, -1), header: undefined },
    { file: small, header: undefined },
    { file: new Blob([small]).stream(), header: undefined },
  ];
  const truncated = [];
  for (const { file, header } of files) {
    using gguf = await Gguf.open(file, { header });
    const expected = checksOf(gguf, "a-Q8_0.gguf", filePrograms(gguf));
    using other = await Gguf.open(...headerSource(gguf.headerBytes(), gguf.fileSize));
    // Messages between the page and a worker are cloned.
    expect(structuredClone(checksOf(other, "a-Q8_0.gguf", filePrograms(other)))).toEqual(expected);
    truncated.push(expected.findings.some(({ code }) => code === "truncated"));
  }
  expect(truncated).toEqual([false, true, false, false]);
});

test("joined findings whose others are not listed do not claim to be all", async () => {
  const tensors = Array.from({ length: 2100 }, (_, block) => ({
    name: `blk.${block}.ffn_up.weight`,
    dimensions: [8],
    // No tensor type has this id.
    type: 9999,
    bytes: 32,
  }));
  using gguf = await Gguf.open(ggufBytes([], tensors));
  const joined = joinEqual(gguf.validate().filter(({ code }) => code === "unknown-tensor-type"));
  expect(joined.map(({ name, subject }) => [name, subject])).toEqual([
    ["ffn_up.weight in at least blocks 0 to 1999", "tensors"],
    [undefined, "tensors"],
  ]);
});

test("findings with another sentence, severity, shard or encoder are not joined", () => {
  const at = (tensor: string, more: object = {}) => finding("error", { tensor, index: 1, ...more });
  const findings = [
    at("blk.0.a"),
    at("blk.2.a"),
    at("blk.1.a", { message: "n" }),
    at("blk.1.a", { severity: "info" }),
    at("blk.1.a", { shard: 2 }),
    at("v.blk.1.a"),
    at("v.blk.0.a"),
    at("blk.1.b"),
    at("blk.01.a"),
  ];
  expect(joinEqual(findings).map(({ name }) => name)).toEqual([
    "a in blocks 0 and 2",
    "blk.1.a",
    "blk.1.a",
    "blk.1.a",
    "v.a in blocks 0 and 1",
    "blk.1.b",
    "blk.01.a",
  ]);
});

test("joined findings have one fix if they share it, or if all their fixes are safe", () => {
  const fix = (index: number, isSafe = true) => ({ title: "Remove", isSafe, changes: [{ kind: "remove", index }] });
  const joined = (...fixes: (object | undefined)[]) =>
    joinedFix({ findings: fixes.map((own) => finding("error", own ? { fix: own } : {}) as ShownFinding) });
  expect(joined(fix(1), fix(1), undefined)?.title).toBe("Remove");
  expect(joined(fix(1), fix(2))).toEqual({
    title: "Fix all 2",
    isSafe: true,
    changes: [
      { kind: "remove", index: 1 },
      { kind: "remove", index: 2 },
    ],
  });
  expect(joined(fix(1), fix(2), undefined)).toBeUndefined();
  expect(joined(fix(1), fix(2, false))).toBeUndefined();
  expect(joined(undefined)).toBeUndefined();
});

test("a filter combines severities and subjects, and an address keeps it", () => {
  const all = joinEqual([
    finding("error", { tensor: "t" }),
    finding("warning", { tensor: "u" }),
    finding("warning", { key: "tokenizer.ggml.model" }),
    finding("info", { key: "tokenizer.chat_template.tool_use" }),
    finding("info", { key: "general.name" }),
    finding("info"),
  ]);
  const shown = (filter: object) => filterFindings(all, filter).map(({ subject }) => subject);
  expect(shown({})).toEqual(["tensors", "tensors", "tokenizer", "template", "metadata", "file"]);
  const filter = { severities: ["error", "warning"], subjects: ["tensors"] } as const;
  expect(shown(filter)).toEqual(["tensors", "tensors"]);
  expect(shown({ severities: ["error"], subjects: ["file"] })).toEqual([]);
  // The number of a choice is what it would show with the choices of the other kind.
  const counts = filterChoices(all, filter).severities.map(({ title, count }) => [title, count]);
  expect(counts).toEqual([
    ["Errors", 1],
    ["Warnings", 1],
    ["Notes", 0],
  ]);
  const written = CHECKS_STATE_FIELDS.map((field) => field.format(filter));
  expect(written).toEqual(["error,warning", "tensors"]);
  expect(Object.assign({}, ...CHECKS_STATE_FIELDS.map((field, at) => field.parse(written[at] ?? "")))).toEqual(filter);
  expect(CHECKS_STATE_FIELDS.map((field) => field.parse("nothing"))).toEqual([undefined, undefined]);
});

test("sentences begin with a capital letter, and names stay as they are", () => {
  expect(capitalised("the file has 2 bytes.")).toBe("The file has 2 bytes.");
  expect(capitalised("no.")).toBe("No.");
  for (const name of ["llama.cpp removed it", "blk.0 is", "ggml removed it", "head_count is 0", "`a` is", "32 bytes"])
    expect(capitalised(name)).toBe(name);
});
