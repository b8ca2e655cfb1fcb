// The command that quantises: the files of llama-quantize, dry runs, and what failures, interruptions and refusals leave.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { copyFile, link, mkdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { Gguf, requantize } from "gguf-wasm/convert/node";
import { asked, range, serveFile } from "../../support/file-server.mjs";
import { run as recorded, SHARDS } from "../convert/corpus.mjs";
import { missing, pathOf, read } from "../corpus.mjs";
import { installCommandLine, namesIn } from "./command-line.mjs";

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
      const { code, stderr, stdout } = await cli.run(["quantize", name, output, target, ...options, ...threads]);
      assert.equal(code, 0, stderr);
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
      const { code, stderr } = await cli.run(["quantize", ...options, source("tiny-no-file-type.gguf"), output, type]);
      assert.equal(code, 0, stderr);
      assert.equal(await sha256(output), expected);
    }
  });

  test("--allow-requantize, without which a quantised model is refused", async () => {
    const folder = await cli.folder();
    const [first, second] = [join(folder, "first.gguf"), join(folder, "second.gguf")];
    assert.equal((await cli.run(["quantize", TINY, first, "Q8_0"])).code, 0);
    const refused = await cli.run(["quantize", first, second, "Q4_0"]);
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /tensor ".+" is quantised already, as Q8_0.*--allow-requantize/);
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
    const parts = names.map((name) => join(again, `${name}.part`));
    await copyFile(join(folder, names[0] ?? ""), parts[0] ?? "");
    const second = await readFile(join(folder, names[1] ?? ""));
    await writeFile(parts[1] ?? "", second.subarray(0, second.length - 700));
    args[2] = join(again, "new");
    assert.equal((await cli.run([...args, "--resume"])).code, 0);
    assert.deepEqual(namesIn(again), names);
    for (const name of names) assert.equal(await sha256(join(again, name)), await sha256(join(folder, name)));
  });

  test("--json has the plan", async () => {
    const { type, bitsPerWeight, tensors, written, output, findings } = await cli.json([
      "quantize",
      TINY,
      "Q4_K_M",
      "--dry-run",
    ]);
    assert.deepEqual([type, written, output, findings], ["Q4_K_M", [], null, []]);
    assert.ok(bitsPerWeight > 5 && bitsPerWeight < 6);
    const { name, oldType, newType, newByteLength } = tensors[0];
    assert.deepEqual([name, oldType, newType, newByteLength], ["output.weight", "F16", "Q6_K", 3360]);
  });
});

describe("quantize --dry-run", { skip: missing }, () => {
  test("shows the tensors and the size, and writes nothing, with and without OUT", async () => {
    const folder = await cli.folder();
    for (const output of [[], [join(folder, "out.gguf")]]) {
      const { code, stdout } = await cli.run(["quantize", TINY, ...output, "Q4_K_M", "-n"]);
      assert.equal(code, 0);
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
    const { code, stdout } = await cli.run(["quantize", model, "Q4_0", "-n", ...imatrix]);
    assert.equal(code, 0);
    assert.match(stdout, /\ntoken_embd\.weight +F16 +Q4_0 +[\d,]+ +without importance\n/);
  });

  test("a pattern that matches no tensor is a warning, also of the conversion itself", async () => {
    const folder = await cli.folder();
    const rules = ["--tensor-type", "ffn_dwon=q8_0", "--tensor-type", "attn_v=q8_0"];
    const message = /warning +no tensor that is quantised matches the pattern "ffn_dwon".* such as "\w/;
    const dry = await cli.run(["quantize", TINY, "Q4_K_M", "-n", ...rules]);
    assert.equal(dry.code, 0);
    assert.match(dry.stdout, /\nOptions without effect:\n/);
    assert.match(dry.stdout, message);
    const { code, stderr } = await cli.run([
      "quantize",
      TINY,
      join(folder, "out.gguf"),
      "Q4_K_M",
      ...rules,
      ...NO_WORKERS,
    ]);
    assert.equal(code, 0);
    assert.match(stderr, message);
    assert.doesNotMatch(stderr, /attn_v/);
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

describe("quantize --resume", { skip: missing }, () => {
  /** @type {Uint8Array} */
  let whole;
  /** @type {readonly { position: number, byteLength: number }[]} */
  let layout;
  before(async () => {
    const plan = await requantize(await Gguf.open(TINY), { type: "Q4_K_M" });
    whole = new Uint8Array(await new Response(plan.stream()).arrayBuffer());
    layout = plan.layout();
  });

  /** A folder with a part. @param {Uint8Array} bytes */
  async function folderWithPart(bytes) {
    const folder = await cli.folder();
    const output = join(folder, "out.gguf");
    await writeFile(`${output}.part`, bytes);
    return { folder, output };
  }

  test("continues a part that ends anywhere", async () => {
    const { position = 0, byteLength = 0 } = layout[7] ?? {};
    const header = layout[0]?.position ?? 0;
    const ends = [0, 100, header - 1, header, position, position + 1, position + byteLength, whole.length];
    for (const end of ends) {
      const { folder, output } = await folderWithPart(whole.subarray(0, end));
      const { code, stderr } = await cli.run(["quantize", TINY, output, "Q4_K_M", "--resume", ...NO_WORKERS]);
      assert.equal(code, 0, stderr);
      assert.deepEqual(new Uint8Array(await readFile(output)), whole, `from ${end}`);
      assert.deepEqual(namesIn(folder), ["out.gguf"]);
      if (process.platform !== "win32") {
        await writeFile(join(folder, "other"), "");
        assert.equal((await stat(output)).mode, (await stat(join(folder, "other"))).mode);
      }
    }
  });

  test("keeps the tensors that are complete", async () => {
    const { position = 0, byteLength = 0 } = layout[9] ?? {};
    const part = whole.slice(0, position + byteLength - 1);
    const early = (layout[0]?.position ?? 0) + 5;
    part[early] = 255 - (part[early] ?? 0);
    part[part.length - 1] = 255 - (part.at(-1) ?? 0);
    const { output } = await folderWithPart(part);
    assert.equal((await cli.run(["quantize", TINY, output, "Q4_K_M", "--resume", ...NO_WORKERS])).code, 0);
    const expected = whole.slice();
    expected[early] = part[early] ?? 0;
    assert.deepEqual(new Uint8Array(await readFile(output)), expected);
  });

  test("without a part, begins anew", async () => {
    const output = join(await cli.folder(), "out.gguf");
    assert.equal((await cli.run(["quantize", TINY, output, "Q4_K_M", "--resume", ...NO_WORKERS])).code, 0);
    assert.deepEqual(new Uint8Array(await readFile(output)), whole);
  });

  test("refuses the part of another conversion, and leaves it", async () => {
    const { position = 0 } = layout[9] ?? {};
    const other = whole.slice(0, position);
    // The converted tensor before has other data, as with another importance matrix.
    const { position: checked = 0 } = layout[8] ?? {};
    other[checked] = 255 - (other[checked] ?? 0);
    const header = whole.slice(0, 200);
    header[150] = 255 - (header[150] ?? 0);
    const long = new Uint8Array(whole.length + 1);
    long.set(whole);
    /** @type {[Uint8Array, RegExp][]} */
    const cases = [
      [other, /its tensor "blk\..*" has other data/],
      [header, /it has another header/],
      [await readFile(TINY), /it has \d+ bytes, expected at most 29056/],
      [long, /it has 29057 bytes/],
    ];
    for (const [bytes, message] of cases) {
      const { folder, output } = await folderWithPart(bytes);
      const { code, stderr } = await cli.run(["quantize", TINY, output, "Q4_K_M", "--resume", ...NO_WORKERS]);
      assert.equal(code, 1);
      assert.match(stderr, message);
      assert.match(stderr, /out\.gguf\.part: it is no part of this conversion.*\(foreign-part\)/);
      assert.deepEqual(namesIn(folder), ["out.gguf.part"]);
      assert.deepEqual(new Uint8Array(await readFile(`${output}.part`)), new Uint8Array(bytes));
    }
  });

  test("a part is neither continued nor replaced unless that is asked for", async () => {
    const { folder, output } = await folderWithPart(whole.subarray(0, 2000));
    const { code, stderr } = await cli.run(["quantize", TINY, output, "Q4_K_M"]);
    assert.equal(code, 3);
    assert.match(stderr, /out\.gguf\.part: an earlier run has left it\. .*--resume.*--force.*\(unfinished-file\)/);
    assert.deepEqual(namesIn(folder), ["out.gguf.part"]);
    assert.equal((await cli.run(["quantize", TINY, output, "Q4_K_M", "--force", ...NO_WORKERS])).code, 0);
    assert.deepEqual(new Uint8Array(await readFile(output)), whole);
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
    assert.deepEqual(namesIn(folder), ["out.gguf", "out.gguf.part"]);
    assert.equal(await readFile(output, "utf8"), "mine");
  });
});

test("a disk that becomes full leaves the part, which is continued", { skip: missing || windows }, async () => {
  const folder = await cli.folder();
  const output = join(folder, "out.gguf");
  const command = `quantize "${source("llama-gqa4-f16.gguf")}" "${output}" Q8_0`;
  // At most 1024 blocks of 1024 bytes. Without the trap, the system would end the program.
  const { code, stderr } = await cli.shell(`trap "" XFSZ; ulimit -f 1024; gguf-wasm ${command}`);
  assert.equal(code, 3, stderr);
  const [work, failure, ...more] = stderr.trimEnd().split("\n");
  assert.equal(
    work,
    `gguf-wasm: the work so far is in ${output}.part. The same command with --resume continues with what is not complete.`,
  );
  assert.ok(failure?.startsWith(`gguf-wasm: ${output}: the file would be larger than the system allows.`), failure);
  assert.deepEqual(more, []);
  assert.deepEqual(namesIn(folder), ["out.gguf.part"]);
  assert.equal((await cli.shell(`gguf-wasm ${command} --resume`)).code, 0);
  assert.equal(await sha256(output), recorded("llama-gqa4", "llama-gqa4-f16.gguf:Q8_0").sha256);
});

describe("quantize that is interrupted", { skip: missing || windows }, () => {
  const MODEL = "qwen2-tied-bf16.gguf";

  /**
   * Quantises a model from a server that stops in the middle of the data, and sends a signal when a part of the file is written.
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
    assert.deepEqual(namesIn(folder), ["out.gguf.lock", "out.gguf.part"]);
    const { code, stderr } = await cli.run(["quantize", source(MODEL), output, "Q8_0", "--resume"]);
    assert.equal(code, 0, stderr);
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
    /** Quantises on a disk with some free bytes. @param {number} free @param {string[]} args */
    const onDisk = (free, ...args) => {
      const disk = `import fs from "node:fs/promises";
        import { syncBuiltinESMExports } from "node:module";
        fs.statfs = async () => ({ blocks: 9, bavail: ${free}, bsize: 1 });
        syncBuiltinESMExports();`;
      const env = { NODE_OPTIONS: `--import=data:text/javascript;base64,${Buffer.from(disk).toString("base64")}` };
      return cli.run(["quantize", TINY, output, "Q4_K_M", ...args, ...NO_WORKERS], { env });
    };
    const { code, stderr } = await onDisk(29_055);
    assert.equal(code, 3);
    assert.match(stderr, /out\.gguf: nothing was written, because 29\.1 kB \(29,056 bytes\) are needed.*\(ENOSPC\)\n$/);
    assert.deepEqual(namesIn(folder), []);
    const plan = await requantize(await Gguf.open(TINY), { type: "Q4_K_M" });
    const whole = new Uint8Array(await new Response(plan.stream()).arrayBuffer());
    await writeFile(part, whole.subarray(0, 20_000));
    assert.equal((await onDisk(9_055, "--resume")).code, 3);
    assert.deepEqual(namesIn(folder), ["out.gguf.part"]);
    assert.equal((await onDisk(9_056, "--resume")).code, 0, "the part has its room already");
    assert.deepEqual(new Uint8Array(await readFile(output)), whole);
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
