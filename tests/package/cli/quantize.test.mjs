// The command that quantizes: the files of llama-quantize, dry runs, and what failures, interruptions and refusals leave.

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import {
  copyFile,
  cp,
  link,
  mkdir,
  open,
  readFile,
  rm,
  stat,
  symlink,
  truncate,
  utimes,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { Gguf, requantize } from "gguf-wasm/convert/node";
import { asked, listen, range, serveFile } from "../../support/file-server.mjs";
import { run as recorded, SHARDS } from "../convert/corpus.mjs";
import { missing, pathOf, read } from "../corpus.mjs";
import { cutPart, imported, installCommandLine, namesIn } from "./command-line.mjs";

const cli = await installCommandLine();
const windows = process.platform === "win32" && "Windows has neither these signals nor these links";

/** The path of a file of the runs. @param {string} name */
const source = (name) => pathOf(`quantize/${name}`);
const TINY = source("tiny.gguf");

/** @param {string} path */
const sha256 = async (path) =>
  createHash("sha256")
    .update(await readFile(path))
    .digest("hex");

/** The threads of a conversion take most of the time of a small model. The tests without this option start as many as the machine has processors. */
const NO_WORKERS = ["--threads", "0"];

describe("quantize writes the file of llama-quantize", { skip: missing }, () => {
  /** @type {[index: string, id: string][]} */
  const runs = [
    ["tiny", "no-file-type:Q8_0"],
    ["tiny", "split:Q4_K_M"],
    ["tiny", "tiny.imatrix.dat:Q4_0"],
    ["tiny", "tiny.imatrix.gguf:Q4_K_M"],
    ["qwen2-tied", "qwen2-tied-bf16.gguf:Q4_K_M:opt2"],
    ["qwen2-tied", "qwen2-tied-bf16.gguf:Q4_K_M:opt7"],
    ["llama-gqa4", "llama-gqa4-f16.gguf:Q5_K_M:opt21"],
    ["llama-gqa4", "llama-gqa4-f16.gguf:Q4_K_M:opt54"],
    ["llama-gqa4", "llama-gqa4-f16.gguf:Q4_K_M:opt58"],
    ["llama-gqa4", "llama-gqa4-f16.gguf:Q4_K_M:opt61"],
    ["llama-gqa4", "llama-gqa4-f16.gguf:Q4_0:opt70"],
    ["llama-gqa4", "llama-gqa4-f16.gguf:Q4_K_M:opt71"],
    ["llama-moe8", "llama-moe8-f32.gguf:Q4_K_M:opt10"],
  ];
  // The new file contains the path of the importance matrix as it is given.
  const folderBefore = process.cwd();
  before(() => process.chdir(pathOf("quantize")));
  after(() => process.chdir(folderBefore));

  for (const [index, id] of runs) {
    test(id, async () => {
      const { source: name, target, options, size, sha256: expected } = recorded(index, id);
      const output = join(await cli.folder(), "out.gguf");
      const dry = await cli.run(["quantize", name, target, ...options, "--dry-run", "--json"]);
      assert.equal(dry.code, 0, dry.stderr);
      const threads = id === "no-file-type:Q8_0" ? [] : NO_WORKERS;
      const { stdout } = await cli.succeed(["quantize", name, output, target, ...options, ...threads]);
      assert.match(stdout, /out\.gguf: written, .* bits per weight, \d+ of \d+ tensors converted\n$/);
      assert.equal(await sha256(output), expected);
      assert.deepEqual([JSON.parse(dry.stdout).size, (await stat(output)).size], [size, size]);
    });
  }

  test("TYPE is a name in any case, or a number; --threads changes no bytes", async () => {
    const folder = await cli.folder();
    const { sha256: expected } = recorded("tiny", "no-file-type:Q4_K_M");
    for (const [i, [type = "", ...options]] of [
      ["q4_k_m", "--threads", "0"],
      ["15", "--threads", "2"],
    ].entries()) {
      const output = join(folder, `${i}.gguf`);
      await cli.succeed(["quantize", ...options, source("tiny-no-file-type.gguf"), output, type]);
      assert.equal(await sha256(output), expected);
    }
  });

  test("--allow-requantize, without which a quantized model is refused", async () => {
    const folder = await cli.folder();
    const [first, second] = [join(folder, "first.gguf"), join(folder, "second.gguf")];
    assert.equal((await cli.run(["quantize", TINY, first, "Q8_0"])).code, 0);
    const refused = await cli.run(["quantize", first, second, "Q4_0"]);
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /tensor ".+" is quantized already, as Q8_0.*--allow-requantize/);
    assert.deepEqual(namesIn(folder), ["first.gguf"]);
    assert.equal((await cli.run(["quantize", first, second, "Q4_0", "--allow-requantize"])).code, 0);
    const plan = await requantize(await Gguf.open(first), { type: "Q4_0", allowRequantize: true });
    const bytes = new Uint8Array(await new Response(plan.stream()).arrayBuffer());
    assert.deepEqual(new Uint8Array(await readFile(second)), bytes);
  });

  test("--prune-layers leaves out blocks", async () => {
    const output = join(await cli.folder(), "out.gguf");
    assert.equal((await cli.run(["quantize", TINY, output, "COPY", "--prune-layers", "0", ...NO_WORKERS])).code, 0);
    const [before, after] = [await Gguf.open(TINY), await Gguf.open(output)];
    assert.equal(after.tensors.length, before.tensors.filter(({ name }) => !name.startsWith("blk.0.")).length);
    assert.deepEqual(await after.readBytes("blk.0.attn_q.weight"), await before.readBytes("blk.1.attn_q.weight"));
  });

  test("--keep-split writes as many shards as the model has, and --resume continues them", async () => {
    const folder = await cli.folder();
    const { outputs = [] } = recorded("tiny", "keep-split:Q4_K_M");
    const args = ["quantize", source(SHARDS[1] ?? ""), join(folder, "new"), "Q4_K_M", "--keep-split"];
    const names = [1, 2, 3].map((number) => `new-0000${number}-of-00003.gguf`);
    const { written, shards } = await cli.json(args);
    assert.deepEqual(
      written,
      names.map((name) => join(folder, name)),
    );
    assert.deepEqual(namesIn(folder), names);
    assert.deepEqual(
      shards.map((/** @type {{ size: number }} */ { size }) => size),
      outputs.map(({ size }) => size),
    );
    const hashes = () => Promise.all(names.map((name) => sha256(join(folder, name))));
    assert.deepEqual(
      await hashes(),
      outputs.map(({ sha256 }) => sha256),
    );

    const again = await cli.folder();
    args[2] = join(again, "new");
    await cli.leavePart(args);
    const second = join(again, names[1] ?? "");
    await cutPart(second, (await stat(`${second}.part`)).size - 700);
    // The third was not begun.
    for (const ending of [".part", ".part.record"]) await rm(join(again, `${names[2]}${ending}`));
    await cli.succeed([...args, "--resume"]);
    assert.deepEqual(namesIn(again), names);
    for (const name of names) assert.equal(await sha256(join(again, name)), await sha256(join(folder, name)));
  });

  test("--json has the plan", async () => {
    const { type, bitsPerWeight, tensors, written, output, findings, loads } = await cli.json([
      "quantize",
      TINY,
      "Q4_K_M",
      "--dry-run",
    ]);
    assert.deepEqual([type, written, output], ["Q4_K_M", [], null]);
    // The shapes of the tensors are not those that the entries of this file say.
    assert.deepEqual([...new Set(findings.map((/** @type {{ code: string }} */ { code }) => code))], ["tensor-shape"]);
    assert.equal(loads.answer, "no");
    assert.ok(bitsPerWeight > 5 && bitsPerWeight < 6);
    const { name, oldType, newType, newByteLength } = tensors[0];
    assert.deepEqual([name, oldType, newType, newByteLength], ["output.weight", "F16", "Q6_K", 3360]);
  });
});

describe("quantize --dry-run", { skip: missing }, () => {
  test("shows the tensors and the size, and writes nothing, with and without OUT", async () => {
    const folder = await cli.folder();
    for (const output of [[], [join(folder, "out.gguf")]]) {
      const { stdout } = await cli.succeed(["quantize", TINY, ...output, "Q4_K_M", "-n"]);
      assert.match(stdout, /^TENSOR +FROM +TO +BYTES +NOTES\noutput\.weight +F16 +Q6_K +3,360\n/);
      const name = output.length > 0 ? "out\\.gguf" : "The new file";
      assert.match(
        stdout,
        new RegExp(`Nothing was written\\. .*${name} would have 29\\.1 kB \\(29,056 bytes\\), Q4_K_M, `),
      );
      assert.deepEqual(namesIn(folder), []);
    }
  });

  test("marks tensors whose rows need another type, or that have no importance", async () => {
    const model = source("llama-gqa4-f16.gguf");
    const imatrix = ["--imatrix", source("llama-gqa4-f16.imatrix.gguf")];
    const { stdout } = await cli.succeed(["quantize", model, "Q4_0", "-n", ...imatrix]);
    assert.match(stdout, /\ntoken_embd\.weight +F16 +Q4_0 +[\d,]+ +without importance\n/);
  });

  test("a pattern that matches no tensor is a warning, also of the conversion itself", async () => {
    const folder = await cli.folder();
    const rules = ["--tensor-type", "ffn_dwon=q8_0", "--tensor-type", "attn_v=q8_0"];
    const message = /warning +no tensor that is quantized matches the pattern "ffn_dwon".* such as "\w/;
    const dry = await cli.run(["quantize", TINY, "Q4_K_M", "-n", ...rules]);
    assert.equal(dry.code, 0);
    assert.match(dry.stdout, /\nOptions without effect:\n/);
    assert.match(dry.stdout, message);
    const { stderr } = await cli.succeed([
      "quantize",
      TINY,
      join(folder, "out.gguf"),
      "Q4_K_M",
      ...rules,
      ...NO_WORKERS,
    ]);
    assert.match(stderr, message);
    assert.doesNotMatch(stderr.split("the checks of the new file")[0] ?? "", /attn_v/);
    assert.deepEqual(namesIn(folder), ["out.gguf"]);
  });

  test("a tensor that cannot be converted: exit code 1, the tensor, and what to do", async () => {
    const { code, stdout } = await cli.run(["quantize", TINY, "IQ2_XS", "-n"]);
    assert.equal(code, 1);
    assert.match(stdout, /blk\.0\.attn_k\.weight +F16 +IQ2_XS +592 +cannot be converted \(needs-imatrix\)\n/);
    assert.match(stdout, /error {2}needs-imatrix {2}tensor "blk\.0\.attn_k\.weight" .* --imatrix FILE/);
    assert.match(stdout, /\nand 4 more tensors\. --dry-run lists all\.\n/);
    const { error, written, tensors } = await cli.json(["quantize", TINY, "IQ2_XS", "-n"], 1);
    assert.deepEqual([error.code, written], ["needs-imatrix", []]);
    assert.equal(tensors.filter((/** @type {{ problem?: object }} */ { problem }) => problem).length, 12);
  });
});

describe("quantize --estimate", { skip: missing }, () => {
  const MODEL = source("llama-moe8-f32.gguf");

  test("shows the errors of all file types and the mix for a size, and writes nothing", async () => {
    const { stdout } = await cli.succeed([
      "quantize",
      MODEL,
      "Q4_K_M",
      "--estimate",
      "--largest-file",
      "400k",
      ...NO_WORKERS,
    ]);
    assert.match(stdout, /^TYPE +SIZE +ERROR\n/);
    assert.match(stdout, /\nQ4_K_M +[\d.]+ kB +0\.0\d+ +TYPE\n/);
    assert.match(stdout, /\nmix +(39\d\.\d|400\.0) kB +0\.0\d+ +--largest-file\n/);
    assert.match(stdout, / {2}--tensor-type '\^blk\\\.\\d\+\\\.attn_k\\\.weight\$=\w+'\n/);
    const { estimate, mix, written, error } = await cli.json(
      ["quantize", MODEL, "IQ2_XS", "--estimate", "--largest-file", "400k", ...NO_WORKERS],
      0,
    );
    // TYPE needs an importance matrix, but other types do not.
    assert.deepEqual([written, error], [[], undefined]);
    assert.ok(mix.size <= 400_000 && mix.tensorTypes.length > 0);
    assert.ok(estimate.fileTypes.every((/** @type {{ name: string }} */ { name }) => name !== "IQ2_XS"));
  });

  test("is refused if no file type can be made, if no mix is as small, and beside --dry-run", async () => {
    const folder = await cli.folder();
    const quantized = join(folder, "q8_0.gguf");
    await cli.succeed(["quantize", TINY, quantized, "Q8_0", ...NO_WORKERS]);
    const { error } = await cli.json(["quantize", quantized, "Q4_K_M", "--estimate", ...NO_WORKERS], 1);
    assert.equal(error.code, "already-quantized");
    const small = await cli.run(["quantize", TINY, "Q4_0", "--estimate", "--largest-file", "1k", ...NO_WORKERS]);
    assert.match(small.stderr, /no mix of types has at most 1\.00 kB.*Give a larger --largest-file/);
    for (const options of [
      ["--estimate", "--dry-run"],
      ["--largest-file", "1G", "-n"],
    ])
      assert.equal((await cli.run(["quantize", TINY, "Q4_0", ...options])).code, 2);
  });
});

describe("quantize --resume", { skip: missing }, () => {
  const IMATRIX = "tiny.imatrix.gguf";
  /** @type {Uint8Array} */
  let whole;
  /** @type {readonly { position: number, byteLength: number }[]} */
  let layout;
  /** A folder with a model, an importance matrix, and the whole part of a conversion of the model. @type {string} */
  let made;
  before(async () => {
    const plan = await requantize(await Gguf.open(TINY), { type: "Q4_K_M" });
    whole = new Uint8Array(await new Response(plan.stream()).arrayBuffer());
    layout = plan.layout();
    made = await cli.folder();
    await writeFile(join(made, "model.gguf"), read("quantize/tiny.gguf"));
    await writeFile(join(made, IMATRIX), read(`quantize/${IMATRIX}`));
    await cli.leavePart(argsIn(made));
    assert.deepEqual(new Uint8Array(await readFile(join(made, "out.gguf.part"))), whole);
  });

  /** @param {string} folder @param {string[]} options */
  const argsIn = (folder, ...options) => [
    ...["quantize", join(folder, "model.gguf"), join(folder, "out.gguf"), "Q4_K_M"],
    ...[...options, ...NO_WORKERS],
  ];

  /** A copy of the folder. @param {number} [end] The size of the part. @param {Parameters<typeof cutPart>[2]} [options] */
  async function folderWithPart(end = whole.length, options = undefined) {
    const folder = await cli.folder();
    // Copies have the times of their originals.
    await cp(made, folder, { recursive: true, preserveTimestamps: true });
    await cutPart(join(folder, "out.gguf"), end, options);
    return folder;
  }

  /** Continues, and expects a refusal that leaves everything as it is. @param {string} folder @param {string[]} options */
  async function refusal(folder, ...options) {
    const [names, part] = [namesIn(folder), await readFile(join(folder, "out.gguf.part"))];
    const { code, stderr } = await cli.run(argsIn(folder, "--resume", ...options));
    assert.equal(code, 1, stderr);
    assert.match(stderr, /\(foreign-part\)\n$/);
    assert.match(stderr, /begin anew: --force without --resume/i);
    assert.deepEqual(namesIn(folder), names);
    assert.deepEqual(await readFile(join(folder, "out.gguf.part")), part);
    return stderr;
  }

  /** Changes one byte of a file and keeps its size and its times. @param {string} path @param {number} position */
  async function changeByte(path, position) {
    const { atime, mtime } = await stat(path);
    const file = await open(path, "r+");
    const { buffer } = await file.read(Buffer.alloc(1), 0, 1, position);
    buffer[0] = (buffer[0] ?? 0) ^ 1;
    await file.write(buffer, 0, 1, position);
    await file.close();
    await utimes(path, atime, mtime);
  }

  const NAMES = ["model.gguf", "out.gguf", IMATRIX];

  test("continues a part that ends anywhere", async () => {
    const { position = 0, byteLength = 0 } = layout[7] ?? {};
    const header = layout[0]?.position ?? 0;
    const ends = [0, 100, header - 1, header, position, position + 1, position + byteLength, whole.length];
    for (const end of ends) {
      const folder = await folderWithPart(end);
      await cli.succeed(argsIn(folder, "--resume"));
      assert.deepEqual(new Uint8Array(await readFile(join(folder, "out.gguf"))), whole, `from ${end}`);
      assert.deepEqual(namesIn(folder), NAMES);
      if (process.platform !== "win32") {
        await writeFile(join(folder, "other"), "");
        assert.equal((await stat(join(folder, "out.gguf"))).mode, (await stat(join(folder, "other"))).mode);
      }
    }
  });

  test("keeps the tensors that are complete", async () => {
    const { position = 0, byteLength = 0 } = layout[9] ?? {};
    const early = (layout[0]?.position ?? 0) + 5;
    const invert = (/** @type {Uint8Array} */ bytes, /** @type {number} */ i) => (bytes[i] = 255 - (bytes[i] ?? 0));
    const end = position + byteLength - 1;
    const folder = await folderWithPart(end, {
      change: (bytes) => [early, end - 1].forEach((i) => invert(bytes, i)),
    });
    assert.equal((await cli.run(argsIn(folder, "--resume"))).code, 0);
    const expected = whole.slice();
    invert(expected, early);
    assert.deepEqual(new Uint8Array(await readFile(join(folder, "out.gguf"))), expected);
  });

  test("bytes that are not those of the record are written anew", async () => {
    const [kept, lost] = [layout[3]?.position ?? 0, layout[9]?.position ?? 0];
    // After a crash of the system, bytes can be missing, or be others.
    const damaged = await folderWithPart(lost + 50, { positions: [kept + 1, lost + 40] });
    await changeByte(join(damaged, "out.gguf.part"), kept + 7);
    const short = await folderWithPart(whole.length, { positions: [kept, whole.length] });
    await truncate(join(short, "out.gguf.part"), lost);
    for (const folder of [damaged, short]) {
      await cli.succeed(argsIn(folder, "--resume"));
      assert.deepEqual(new Uint8Array(await readFile(join(folder, "out.gguf"))), whole);
      assert.deepEqual(namesIn(folder), NAMES);
    }
    const foreign = await folderWithPart();
    await changeByte(join(foreign, "out.gguf.part"), 40);
    assert.match(await refusal(foreign), /its bytes are not those that were written/);
  });

  test("without a part, begins anew", async () => {
    const output = join(await cli.folder(), "out.gguf");
    // A record alone says nothing.
    await writeFile(`${output}.part.record`, "no record");
    assert.equal((await cli.run(["quantize", TINY, output, "Q4_K_M", "--resume", ...NO_WORKERS])).code, 0);
    assert.deepEqual(new Uint8Array(await readFile(output)), whole);
    assert.deepEqual(namesIn(join(output, "..")), ["out.gguf"]);
  });

  test("refuses a part that was made from another model, wherever the model differs", async () => {
    const { tensors } = await Gguf.open(TINY);
    for (const { fileOffset = 0 } of [tensors[0], tensors[5], tensors.at(-1)].flatMap((tensor) => tensor ?? [])) {
      const folder = await folderWithPart(layout.at(-2)?.position);
      await changeByte(join(folder, "model.gguf"), fileOffset);
      assert.match(await refusal(folder), /made from another \S*model\.gguf: its content is different/);
    }
    const folder = await folderWithPart();
    await writeFile(join(folder, "model.gguf"), read("quantize/tiny-align64.gguf"));
    assert.match(await refusal(folder), /foreign-part/);
  });

  test("a model that was only touched or copied is the same one", async () => {
    const folder = await folderWithPart(layout[4]?.position);
    const model = join(folder, "model.gguf");
    await utimes(model, 1, 1);
    assert.equal((await cli.run(argsIn(folder, "--resume"))).code, 0);
    assert.deepEqual(new Uint8Array(await readFile(join(folder, "out.gguf"))), whole);
  });

  test("refuses a part of another importance matrix with the same name", async () => {
    const folder = await cli.folder();
    await cp(made, folder, { recursive: true });
    const imatrix = ["--imatrix", join(folder, IMATRIX)];
    await cli.leavePart(argsIn(folder, ...imatrix, "--force"));
    await cutPart(join(folder, "out.gguf"), layout[9]?.position ?? 0);
    const bytes = read(`quantize/${IMATRIX}`);
    await changeByte(join(folder, IMATRIX), bytes.length - 2);
    assert.match(await refusal(folder, ...imatrix), /made from another \S*tiny\.imatrix\.gguf: its content/);
    await writeFile(join(folder, IMATRIX), bytes);
    await cli.succeed(argsIn(folder, ...imatrix, "--resume"));
  });

  test("refuses a part of other options, of another version, and without a record that can be read", async () => {
    const folder = await folderWithPart(layout[9]?.position);
    const record = join(folder, "out.gguf.part.record");
    const text = await readFile(record, "utf8");
    assert.match(await refusal(folder, "--pure"), /pure was false, and is true/);
    const rules = ["--tensor-type", "attn_v=q8_0"];
    assert.match(await refusal(folder, ...rules), /tensorTypes was \[\], and is \["attn_v=q8_0"\]/);
    assert.match(
      await refusal(folder, "--imatrix", join(folder, IMATRIX)),
      /made from 1 file, and the command reads 2/,
    );
    /** @type {[string, string | Buffer, RegExp][]} */
    const cases = [
      [
        "another version",
        text.replace(/"version":"[^"]*"/, '"version":"0.0.1\\u001b[31m"'),
        /the version 0\.0\.1\\u\{1b\}/,
      ],
      ["another command", text.replace('"quantize"', '"convert"'), /the command convert has begun it/],
      ["no record", "", /its record \S+out\.gguf\.part\.record is missing or damaged/],
      ["no JSON", "{\n", /is missing or damaged/],
      ["another layout", text.replace('"format":1', '"format":2'), /is missing or damaged/],
      ["no inputs", text.replace(/"inputs":\[.*\]/, '"inputs":[null]'), /is missing or damaged/],
      ["too many blocks", text.replace(/"blocks":\d+/, '"blocks":1e15'), /is missing or damaged/],
      ["a size of no file", text.replace(/"size":\d+/g, '"size":-1'), /is missing or damaged/],
      ["too long", Buffer.alloc((16 << 20) + 1, text), /is missing or damaged/],
    ];
    for (const [what, record_, message] of cases) {
      await writeFile(record, record_);
      assert.match(await refusal(folder), message, what);
    }
    await rm(record);
    if (!windows) execFileSync("mkfifo", [record]);
    assert.match(await refusal(folder), /is missing or damaged/);
    const { stderr } = await cli.run(argsIn(folder));
    assert.match(stderr, /has no record of what it is made from.*Begin anew with --force.*\(unfinished-file\)/);
    assert.equal((await cli.run(argsIn(folder, "--force"))).code, 0);
    assert.deepEqual(namesIn(folder), NAMES);
    assert.deepEqual(new Uint8Array(await readFile(join(folder, "out.gguf"))), whole);
  });

  test("a part is neither continued nor replaced unless that is asked for", async () => {
    const folder = await folderWithPart(2000);
    const { code, stderr } = await cli.run(argsIn(folder));
    assert.equal(code, 3);
    assert.match(stderr, /out\.gguf\.part: an earlier run has left it\. .*--resume.*--force.*\(unfinished-file\)/);
    assert.deepEqual(namesIn(folder), ["model.gguf", "out.gguf.part", "out.gguf.part.record", IMATRIX]);
    assert.equal((await cli.run(argsIn(folder, "--force"))).code, 0);
    assert.deepEqual(new Uint8Array(await readFile(join(folder, "out.gguf"))), whole);
  });

  test("a failure leaves the part, and an old file as it is", async () => {
    const folder = await cli.folder();
    const output = join(folder, "out.gguf");
    await writeFile(output, "mine");
    const { code, stderr } = await cli.run(["quantize", source("tiny-nan.gguf"), output, "Q8_0", "--force"]);
    assert.equal(code, 3);
    assert.match(stderr, /the work so far is in .*out\.gguf\.part\.\n/);
    assert.match(
      stderr,
      /tensor "blk\.1\.attn_k\.weight" are invalid: row 2 contains a NaN .*\(invalid-data, offset \d+\)/,
    );
    assert.deepEqual(namesIn(folder), ["out.gguf", "out.gguf.part", "out.gguf.part.record"]);
    assert.equal(await readFile(output, "utf8"), "mine");
  });

  test("after a change of the model during the work, no continuation is advised", async () => {
    const folder = await cli.folder();
    const model = join(folder, "model.gguf");
    await writeFile(model, read("quantize/tiny.gguf"));
    // The model is written to when the part appears.
    const script = `import fs from "node:fs";
      import { syncBuiltinESMExports } from "node:module";
      const { renameSync } = fs;
      fs.renameSync = (from, to) => {
        renameSync(from, to);
        if (to.endsWith(".part")) fs.utimesSync(${JSON.stringify(model)}, 1, 1);
      };
      syncBuiltinESMExports();`;
    const { code, stderr } = await cli.run(argsIn(folder), { env: { NODE_OPTIONS: imported(script) } });
    assert.equal(code, 3, stderr);
    assert.match(stderr, /\(changed\)\n$/);
    assert.doesNotMatch(stderr, /--resume/);
  });
});

describe("quantize --resume of a model on a server", { skip: missing }, () => {
  const tiny = read("quantize/tiny.gguf");

  /**
   * Leaves a part, changes the server, and continues.
   *
   * @param {import("node:test").TestContext} context
   * @param {{ before: Record<string, string>, after: Record<string, string>, bytes?: Uint8Array, changed?: Uint8Array }} versions
   *   Headers and contents.
   */
  async function continued(context, { before, after, bytes = tiny, changed = bytes }) {
    let headers = before;
    /** @type {Uint8Array} */
    let file = bytes;
    const { url } = await serveFile(context, bytes, (request, response, _, number) => {
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
      return range(request, response, file, number);
    });
    const output = join(await cli.folder(), "out.gguf");
    const args = ["quantize", url, output, "Q4_K_M", ...NO_WORKERS];
    await cli.leavePart(args);
    const whole = await readFile(`${output}.part`);
    await cutPart(output, whole.length - 1000);
    [headers, file] = [after, changed];
    const { code, stderr } = await cli.run([...args, "--resume"]);
    if (code === 0) assert.deepEqual(await readFile(output), whole);
    return { code, stderr };
  }

  test("is the same model if its ETag or its date is the same", async (context) => {
    const date = { "Last-Modified": "Tue, 01 Jul 2025 10:00:00 GMT" };
    for (const headers of [date, { ETag: 'W/"one"', ...date }]) {
      const { code, stderr } = await continued(context, { before: headers, after: headers });
      assert.equal(code, 0, stderr);
      // The shapes of this model are wrong, which is said. No server is mentioned.
      assert.doesNotMatch(stderr, /server|ETag/);
    }
  });

  test("another ETag or date is another model, also if its first bytes are the same", async (context) => {
    const large = { before: { ETag: '"one"' }, after: { ETag: '"two"' } };
    const other = tiny.slice();
    other[other.length - 1] = (other.at(-1) ?? 0) ^ 1;
    const { code, stderr } = await continued(context, { ...large, changed: other });
    assert.equal(code, 1);
    assert.match(stderr, /made from another model\.gguf: .*\(foreign-part\)/);
  });

  test("a server that names no version: content is compared", async (context) => {
    const none = { before: {}, after: {} };
    assert.equal((await continued(context, none)).code, 0);
    const { tensors } = await Gguf.open(tiny);
    const other = tiny.slice();
    const { fileOffset = 0 } = tensors[2] ?? {};
    other[fileOffset] = (other[fileOffset] ?? 0) ^ 1;
    const { code, stderr } = await continued(context, { ...none, changed: other });
    assert.equal(code, 1);
    assert.match(stderr, /made from another model\.gguf: its content is different.*\(foreign-part\)/);
  });

  test("of a larger file on such a server, the new file is compared, too", async (context) => {
    const bytes = read("quantize/llama-gqa4-f16.gguf");
    const same = await continued(context, { before: {}, after: {}, bytes });
    assert.equal(same.code, 0, same.stderr);
    assert.match(same.stderr, /the server gave no ETag and no date for model\.gguf: only its size,/);
    // Another scale of one tensor: each number has another exponent.
    const { tensors } = await Gguf.open(bytes);
    const changed = bytes.slice();
    const { fileOffset = 0, byteLength = 0 } = tensors.find(({ name }) => name === "blk.2.ffn_up.weight") ?? {};
    for (let i = fileOffset; i < fileOffset + byteLength; i += 2) changed[i + 1] = (changed[i + 1] ?? 0) ^ 4;
    const { code, stderr } = await continued(context, { before: {}, after: {}, bytes, changed });
    assert.equal(code, 1);
    assert.match(stderr, /it has other data after offset \d+.*\(foreign-part\)/);
  });
});

test("headers for a server go to no other one when the files are recorded", { skip: missing }, async (context) => {
  const { url, requests } = await serveFile(context, read("quantize/tiny.gguf"));
  /** @type {(string | string[] | undefined)[]} */
  const keys = [];
  const first = await listen((request, response) => {
    keys.push(request.headers["x-key"]);
    response.writeHead(302, { Location: url }).end();
  });
  context.after(first.close);
  const output = join(await cli.folder(), "out.gguf");
  const args = ["quantize", `${first.origin}/model.gguf`, output, "Q8_0", "--header", "X-Key: secret", ...NO_WORKERS];
  await cli.succeed(args);
  assert.ok(keys.length > 0 && keys.every((key) => key === "secret"));
  assert.ok(requests.length > 0 && requests.every(({ headers }) => headers["x-key"] === undefined));
});

test("a disk that becomes full leaves the part, which is continued", { skip: missing || windows }, async () => {
  const folder = await cli.folder();
  const output = join(folder, "out.gguf");
  const command = `quantize "${source("llama-gqa4-f16.gguf")}" "${output}" Q8_0`;
  // At most 1024 blocks of 1024 bytes. Without the trap, the system would end the program.
  const { code, stderr } = await cli.shell(`trap "" XFSZ; ulimit -f 1024; gguf-wasm ${command}`);
  assert.equal(code, 3, stderr);
  const [work, failure, ...more] = stderr.slice(stderr.indexOf("gguf-wasm: the work")).trimEnd().split("\n");
  assert.equal(
    work,
    `gguf-wasm: the work so far is in ${output}.part. The same command with --resume continues with what is not complete.`,
  );
  assert.ok(failure?.startsWith(`gguf-wasm: ${output}: the file would be larger than the system allows.`), failure);
  assert.deepEqual(more, []);
  assert.deepEqual(namesIn(folder), ["out.gguf.part", "out.gguf.part.record"]);
  assert.equal((await cli.shell(`gguf-wasm ${command} --resume`)).code, 0);
  assert.equal(await sha256(output), recorded("llama-gqa4", "llama-gqa4-f16.gguf:Q8_0").sha256);
});

describe("quantize of image models", { skip: missing }, () => {
  /** @param {string} name */
  const image = (name) => pathOf(`producers/${name}`);

  test("keeps the tensors of the family, and all other keys", async () => {
    const output = join(await cli.folder(), "out.gguf");
    const result = await cli.json(["quantize", image("comfy-sd1-F16.gguf"), output, "Q4_K_S", ...NO_WORKERS]);
    assert.equal(result.type, "Q4_K_S");
    const made = await Gguf.open(await readFile(output));
    const sample = await Gguf.open(await readFile(image("comfy-sd1-Q4_K_S.gguf")));
    assert.deepEqual([...made.metadata.keys()], [...sample.metadata.keys()]);
    assert.equal(made.tensors.find(({ name }) => name === "time_embed.0.weight")?.type, "F16");
    assert.equal(made.tensors.find(({ name }) => name === "input_blocks.3.0.op.weight")?.type, "Q4_K");
  });

  test("is refused for a family without rules, and for types that the quantizer does not make", async () => {
    const output = join(await cli.folder(), "out.gguf");
    const cases = /** @type {const} */ ([
      ["comfy-qwen_image-Q4_K_M.gguf", "Q4_0", /family is Qwen-Image, .*\(unsupported-model\)/s],
      ["comfy-pig-vae-BF16.gguf", "Q8_0", /VAE.*\(unsupported-model\)/s],
      ["comfy-sdxl-F16.gguf", "IQ4_XS", /cannot be converted to IQ4_XS.*\(invalid-argument\)/s],
    ]);
    for (const [name, type, reason] of cases) {
      const { code, stderr } = await cli.run(["quantize", image(name), output, type]);
      assert.equal(code, 1, name);
      assert.match(stderr, reason);
      const dry = await cli.run(["quantize", image(name), type, "--dry-run"]);
      assert.equal(dry.code, 1, name);
      assert.ok(!/Options without effect|Tensors that cannot/.test(dry.stdout), dry.stdout);
    }
  });
});

describe("quantize that is interrupted", { skip: missing || windows }, () => {
  const MODEL = "qwen2-tied-bf16.gguf";

  /**
   * Quantizes a model from a server that stops in the middle of the data, and sends a signal when a part of the file is written.
   *
   * @param {import("node:test").TestContext} context
   * @param {string} output
   * @param {NodeJS.Signals} signal
   */
  async function interrupted(context, output, signal) {
    const { url } = await serveFile(context, read(`quantize/${MODEL}`), (request, response, file, number) => {
      const { start, end } = asked(request, file);
      // The end of the file is requested first: the data must be whole.
      if (end < 3 << 20 || start >= file.length - 1024) return range(request, response, file, number);
      response.writeHead(206, {
        "Content-Range": `bytes ${start}-${end - 1}/${file.length}`,
        "Content-Length": end - start,
      });
      response.write(file.subarray(start, Math.max(start, 3 << 20)));
    });
    const child = spawn(cli.program(), ["quantize", url, output, "Q8_0", "--threads", "1"]);
    const closed = once(child, "close");
    const size = () =>
      stat(`${output}.part`).then(
        ({ size }) => size,
        () => 0,
      );
    for (let waited = 0; (await size()) < 100_000; waited += 20) {
      assert.ok(waited < 60_000 && child.exitCode === null, "no part is written");
      await wait(20);
    }
    child.kill(signal);
    return closed;
  }

  test("Ctrl-C removes the part", async (context) => {
    const folder = await cli.folder();
    const [code] = await interrupted(context, join(folder, "out.gguf"), "SIGINT");
    assert.equal(code, 130);
    assert.deepEqual(namesIn(folder), []);
  });

  test("what a killed process leaves is continued, also from another place", async (context) => {
    const folder = await cli.folder();
    const output = join(folder, "out.gguf");
    await interrupted(context, output, "SIGKILL");
    assert.deepEqual(namesIn(folder), ["out.gguf.lock", "out.gguf.part", "out.gguf.part.record"]);
    await cli.succeed(["quantize", source(MODEL), output, "Q8_0", "--resume"]);
    assert.deepEqual(namesIn(folder), ["out.gguf"]);
    assert.equal(await sha256(output), recorded("qwen2-tied", `${MODEL}:Q8_0`).sha256);
  });
});

describe("quantize refuses before any work", { skip: missing }, () => {
  test("wrong use: exit code 2", async () => {
    const folder = await cli.folder();
    const output = join(folder, "out.gguf");
    /** @type {[string[], RegExp][]} */
    const cases = [
      [[], /MODEL is missing/],
      [[TINY], /TYPE is missing/],
      [[TINY, "Q4_0"], /OUT or TYPE is missing/],
      [[TINY, output, "Q9_9"], /there is no file type "Q9_9" to convert to: expected .*Q4_K_M/],
      [[TINY, output, "Q4_0", "8"], /"8" is one too many/],
      [[TINY, output, "Q4_0", "--tensor-type", "attn_q"], /"attn_q" has no "="/],
      [[TINY, output, "Q4_0", "--tensor-type", "attn_q=q9"], /there is no tensor type "q9"/],
      [[TINY, output, "Q4_0", "--output-tensor-type", "q8_1"], /cannot be converted to Q8_1/],
      [[TINY, output, "Q4_0", "--override-kv", "a=b"], /the entry "a=b" has no type/],
      [[TINY, output, "Q4_0", "--prune-layers", "x"], /--prune-layers is "x"/],
      [[TINY, output, "Q4_0", "--threads", "many"], /--threads is "many"/],
      [[TINY, output, "Q4_0", "--include-weights", "a"], /Give one with --imatrix/],
      [[TINY, output, "Q4_0", "--include-weights", "a", "--exclude-weights", "b"], /cannot be given together/],
      [[TINY, output, "Q4_0", "--dry-run", "--resume"], /cannot be given together/],
      [[TINY, "-", "Q4_0"], /"-" cannot be written/],
      [[TINY, folder, "Q4_0", "--keep-split"], /OUT is ".*", which is a folder/],
    ];
    for (const [args, message] of cases) {
      const { code, stderr } = await cli.run(["quantize", ...args]);
      assert.match(stderr, message);
      assert.equal(code, 2, args.join(" "));
    }
    assert.deepEqual(namesIn(folder), []);
  });

  test("an existing file, a missing folder, a broken importance matrix: exit code 3", async () => {
    const folder = await cli.folder();
    const output = join(folder, "out.gguf");
    await writeFile(output, "mine");
    const fresh = join(folder, "fresh.gguf");
    /** @type {[string[], RegExp][]} */
    const cases = [
      [[TINY, output, "Q4_0"], /out\.gguf: the file exists already.*--force/],
      [[TINY, join(folder, "none/out.gguf"), "Q4_0"], /there is no folder/],
      [[TINY, folder, "Q4_0"], /it is a folder/],
      [[TINY, fresh, "Q4_0", "--imatrix", join(folder, "none")], /none: there is no such file/],
      [[TINY, fresh, "Q4_0", "--imatrix", source("tiny-align64.gguf")], /tiny-align64\.gguf: .*\(bad-imatrix/],
      [
        [TINY, fresh, "Q4_0", "--imatrix", source("tiny.imatrix-inf.gguf")],
        /^gguf-wasm: \S*tiny\.imatrix-inf\.gguf: .* not finite .*\(bad-imatrix, offset \d+\)\n$/,
      ],
      [[TINY, fresh, "Q4_0", "--tensor-type-file", join(folder, "none")], /none: there is no such file/],
    ];
    for (const [args, message] of cases) {
      const { code, stderr } = await cli.run(["quantize", ...args]);
      assert.match(stderr, message);
      assert.equal(code, 3, args.join(" "));
    }
    assert.deepEqual(namesIn(folder), ["out.gguf"]);
    assert.equal(await readFile(output, "utf8"), "mine");
    assert.equal((await cli.run(["quantize", TINY, output, "Q8_0", "--force", ...NO_WORKERS])).code, 0);
    assert.equal((await cli.json(["inspect", output])).fileType.name, "Q8_0");
  });

  test("a disk without room: exit code 3, and nothing is written", async () => {
    const folder = await cli.folder();
    const [output, part] = [join(folder, "out.gguf"), join(folder, "out.gguf.part")];
    /** Quantizes on a disk with some free bytes. @param {number} free @param {string[]} args */
    const onDisk = (free, ...args) => {
      const disk = `import fs from "node:fs/promises";
        import { syncBuiltinESMExports } from "node:module";
        fs.statfs = async () => ({ blocks: 9, bavail: ${free}, bsize: 1 });
        syncBuiltinESMExports();`;
      const env = { NODE_OPTIONS: imported(disk) };
      return cli.run(["quantize", TINY, output, "Q4_K_M", ...args, ...NO_WORKERS], { env });
    };
    const { code, stderr } = await onDisk(29_055);
    assert.equal(code, 3);
    assert.match(stderr, /out\.gguf: nothing was written, because 29\.1 kB \(29,056 bytes\) are needed.*\(ENOSPC\)\n$/);
    assert.deepEqual(namesIn(folder), []);
    await cli.leavePart(["quantize", TINY, output, "Q4_K_M", ...NO_WORKERS]);
    const whole = await readFile(part);
    await cutPart(output, 20_000);
    assert.equal((await onDisk(9_055, "--resume")).code, 3);
    assert.deepEqual(namesIn(folder), ["out.gguf.part", "out.gguf.part.record"]);
    assert.equal((await onDisk(9_056, "--resume")).code, 0, "the part has its room already");
    assert.deepEqual(await readFile(output), whole);
  });

  test("an output that is an input, also through links: exit code 1", async () => {
    const folder = await cli.folder();
    const [model, imatrix] = [join(folder, "model.gguf"), join(folder, "imatrix.gguf")];
    await copyFile(TINY, model);
    await copyFile(source("tiny.imatrix.gguf"), imatrix);
    await link(model, join(folder, "hard.gguf"));
    await link(model, join(folder, "part.gguf.part"));
    const outputs = [model, imatrix, join(folder, "hard.gguf"), join(folder, "part.gguf")];
    if (!windows) {
      await symlink(model, join(folder, "soft.gguf"));
      outputs.push(join(folder, "soft.gguf"));
    }
    const before = namesIn(folder);
    for (const output of outputs) {
      const { code, stderr } = await cli.run([
        "quantize",
        model,
        output,
        "Q8_0",
        "--imatrix",
        imatrix,
        "--force",
        ...NO_WORKERS,
      ]);
      assert.equal(code, 1, output);
      assert.match(stderr, /\(output-is-input\)/);
    }
    assert.deepEqual(namesIn(folder), before);
    assert.equal(await sha256(model), await sha256(TINY));
  });

  test("a shard of the model as output, and a set that is not whole", async () => {
    const folder = await cli.folder();
    for (const name of SHARDS) await copyFile(source(name), join(folder, name));
    const [first = "", second = "", third = ""] = SHARDS.map((name) => join(folder, name));
    const prefix = join(folder, "tiny-split");
    for (const args of [
      [second, third, "Q8_0"],
      [first, prefix, "Q8_0", "--keep-split"],
    ]) {
      const { code, stderr } = await cli.run(["quantize", ...args, "--force"]);
      assert.equal(code, 1, stderr);
      assert.match(stderr, /\(output-is-input\)/);
    }
    const part = join(folder, "part");
    await mkdir(part);
    await copyFile(first, join(part, SHARDS[0] ?? ""));
    const { code, stderr } = await cli.run(["quantize", join(part, SHARDS[0] ?? ""), join(part, "out"), "Q8_0"]);
    assert.notEqual(code, 0);
    assert.match(stderr, /tiny-split-00002-of-00003\.gguf/);
    assert.deepEqual(namesIn(part), [SHARDS[0]]);
  });

  test("tensors that cannot be converted: exit code 1, and what to do", async () => {
    const folder = await cli.folder();
    const { code, stderr } = await cli.run(["quantize", TINY, join(folder, "out.gguf"), "IQ2_XS"]);
    assert.equal(code, 1);
    assert.match(
      stderr,
      /nothing was written, because 12 tensors cannot be converted: .*--imatrix FILE, .*\(needs-imatrix\)\n/,
    );
    assert.deepEqual(namesIn(folder), []);
  });

  test("another process writes the file: exit code 1", async () => {
    const folder = await cli.folder();
    const output = join(folder, "out.gguf");
    await writeFile(`${output}.lock`, "1 another-host\n");
    const { code, stderr } = await cli.run(["quantize", TINY, output, "Q8_0"]);
    assert.equal(code, 1);
    assert.match(stderr, /the process 1 on another-host changes the file now.*\(locked\)/);
    assert.deepEqual(namesIn(folder), ["out.gguf.lock"]);
  });
});

test("the progress of long work shows the speed and the time that is left", async (context) => {
  context.mock.timers.enable({ apis: ["Date"], now: 1_000_000 });
  /** @type {typeof import("../../../pkg-template/cli/progress.js")} */
  const { Progress } = await import(cli.module("progress.js"));
  let text = "";
  const progress = new Progress("Converting", { isTTY: true, columns: 100, write: (part) => (text = part) });
  progress.measure(100e6);
  context.mock.timers.tick(10_000);
  progress.update(150e6, 1000e6);
  assert.match(text, /Converting: 15 %, 150\.0 MB of 1\.00 GB, 5\.00 MB\/s, 3 min left/);
  context.mock.timers.tick(190_000);
  progress.update(990e6, 1000e6);
  assert.match(text, /4\.45 MB\/s, 3 s left/);
});
