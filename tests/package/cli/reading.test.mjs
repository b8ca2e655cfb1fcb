// The commands that read: inspect, validate, memory and tokenize, on paths, on URLs and on the standard input.

import assert from "node:assert/strict";
import { constants } from "node:buffer";
import { mkdir, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { fileSource, Gguf } from "gguf-wasm/full/node";
import { serveFile, serveFolder } from "../../support/file-server.mjs";
import { ggufBytes, text, uint32 } from "../../support/gguf-bytes.mjs";
import { llamaModel } from "../../support/llama-model.mjs";
import { missing, pathOf, read } from "../corpus.mjs";
import { completeModel, installCommandLine, modelBytes } from "./command-line.mjs";

const cli = await installCommandLine();

const { folder, path: model } = await cli.newModel(await modelBytes());
const server = await serveFolder(folder);
after(() => server.close());

describe("inspect", () => {
  test("a path: the summary and the metadata", async () => {
    const { stdout, stderr } = await cli.succeed(["inspect", model]);
    assert.equal(stderr, "");
    assert.match(stdout, /^Format +GGUF version 3, little-endian$/m);
    assert.match(stdout, /^Tensors +3: 3 I8$/m);
    assert.match(stdout, /^general\.name +STRING +A model$/m);
    assert.match(stdout, /^general\.tags +STRING\[2\] +\["one", "two"\]$/m);
    assert.match(stdout, /^llama\.rope\.freq_base +FLOAT32 +10000\.5$/m);
    assert.doesNotMatch(stdout, /attn_q/);
  });

  test("begins with what the file is, and shows where the data is and what the special tokens are", async () => {
    const complete = join(folder, "complete.gguf");
    await writeFile(complete, await completeModel());
    const { stdout } = await cli.run(["inspect", complete]);
    assert.match(stdout, /^Model, llama\. .+\n\nArchitecture +llama\nName +A model\nKind +Model\nSize +/);
    const { dataOffset, specialTokens } = await cli.json(["inspect", complete]);
    const [, shown = "", hex = ""] = /^Data start +offset ([\d,]+) \(0x([0-9a-f]+)\)$/m.exec(stdout) ?? [];
    assert.deepEqual([Number(shown.replaceAll(",", "")), Number.parseInt(hex, 16)], [dataOffset, dataOffset]);
    assert.match(stdout, /^Alignment +32 bytes$/m);
    assert.match(stdout, /^SPECIAL TOKEN +ID +TEXT\neos \(End of sequence\) +2 +"<\/s>"$/m);
    assert.deepEqual(specialTokens, [{ role: "eos", id: 2, text: "</s>", key: "tokenizer.ggml.eos_token_id" }]);
    const without = await cli.run(["inspect", model]);
    assert.doesNotMatch(without.stdout, /SPECIAL TOKEN/);
  });

  test("the summary says what a model is, and numbers have their names", { skip: missing }, async () => {
    const real = pathOf("real/all-MiniLM-L6-v2-Q4_K_M.gguf");
    const { stdout } = await cli.run(["inspect", real]);
    for (const line of [
      /^Data +complete$/m,
      /^Encoding +Q4_K_M, \d\.\d\d bits per weight$/m,
      /^Context +512 tokens$/m,
      /^general\.file_type +UINT32 +15 \(Q4_K_M\)$/m,
      /^bert\.pooling_type +UINT32 +1 \(Mean\)$/m,
    ]) {
      assert.match(stdout, line);
    }
    const json = await cli.json(["inspect", real]);
    assert.deepEqual(
      [json.architecture, json.fileType.name, json.contextLength, json.dataComplete],
      ["bert", "Q4_K_M", 512, true],
    );
    const truncated = join(folder, "truncated.gguf");
    await writeFile(truncated, (await readFile(model)).subarray(0, -10));
    assert.match((await cli.run(["inspect", truncated])).stdout, /^Data +not complete: 10 bytes missing at the end$/m);
    assert.equal((await cli.json(["inspect", truncated])).dataComplete, false);
    const fromPipe = await cli.run(["inspect", "-"], { input: await readFile(model) });
    assert.match(fromPipe.stdout, /^Data +not known whether it is complete$/m);
  });

  test("a URL gives the same as a path, also as a file: URL", async () => {
    const fromPath = await cli.json(["inspect", model]);
    const fromUrl = await cli.json(["inspect", `${server.origin}/model.gguf`]);
    const fromFileUrl = await cli.json(["inspect", `file://${model}`]);
    assert.deepEqual({ ...fromUrl, file: "" }, { ...fromPath, file: "" });
    assert.deepEqual({ ...fromFileUrl, file: "" }, { ...fromPath, file: "" });
  });

  test("--tensors lists them", async () => {
    const { stdout } = await cli.run(["inspect", model, "--tensors"]);
    assert.match(stdout, /^blk\.1\.attn_q\.weight +I8 +64 +64 +\d+$/m);
  });

  test("--json has whole values; 64-bit integers are strings", async () => {
    const { metadata, tensors, fileSize, byteOrder } = await cli.json(["inspect", model]);
    const values = Object.fromEntries(metadata.map((/** @type {any} */ { key, value }) => [key, value]));
    assert.equal(values["test.big"], "18446744073709551615");
    assert.deepEqual(values["general.tags"], ["one", "two"]);
    assert.equal(metadata[4].type, "STRING[]");
    assert.equal(fileSize, (await readFile(model)).length);
    assert.equal(byteOrder, "little-endian");
    assert.deepEqual(
      tensors.map((/** @type {any} */ { name, byteLength }) => [name, byteLength]),
      [0, 1, 2].map((i) => [`blk.${i}.attn_q.weight`, [256, 64, 128][i]]),
    );
  });

  test("--key prints one value whole", async () => {
    assert.equal((await cli.run(["inspect", model, "--key", "general.name"])).stdout, "A model\n");
    assert.deepEqual(JSON.parse((await cli.run(["inspect", model, "-k", "general.tags"])).stdout), ["one", "two"]);
    const json = await cli.json(["inspect", model, "-k", "test.big"]);
    assert.deepEqual(json, { file: model, key: "test.big", type: "UINT64", value: "18446744073709551615" });
    const { code, stderr } = await cli.run(["inspect", model, "--key", "nothing"]);
    assert.equal(code, 3);
    assert.match(stderr, /no entry with the key "nothing".*\(unknown-key\)/);
  });

  test("the standard input", async () => {
    const { stdout } = await cli.succeed(["inspect", "-"], { input: await readFile(model) });
    assert.match(stdout, /^general\.name +STRING +A model$/m);
  });

  test("control characters of a file do not reach the terminal", async () => {
    const path = join(folder, "escape.gguf");
    await writeFile(path, await modelBytes({ name: "red\x1b[31m\nnext\u202e" }));
    const { stdout } = await cli.run(["inspect", path]);
    assert.match(stdout, /^general\.name +STRING +red\\u\{1b\}\[31m\\nnext\\u\{202e\}$/m);
  });

  test("files of the corpus of every version and byte order", { skip: missing }, async () => {
    for (const name of ["le-v3.gguf", "be-v3.gguf", "v1.gguf", "nested-arrays.gguf", "empty.gguf", "keys-bytes.gguf"]) {
      const path = pathOf(`files/${name}`);
      const source = await fileSource(path);
      const gguf = await Gguf.open(source);
      const json = await cli.json(["inspect", path]);
      assert.equal(json.version, gguf.version, name);
      assert.equal(json.byteOrder, gguf.byteOrder, name);
      assert.deepEqual(
        json.metadata.map((/** @type {any} */ { key }) => key),
        gguf.entries.map(({ key }) => key),
      );
      assert.deepEqual(
        json.tensors.map((/** @type {any} */ { name }) => name),
        gguf.tensors.map(({ name }) => name),
      );
      await source.close();
      const { stdout } = await cli.succeed(["inspect", path, "-t"]);
      assert.ok(stdout.includes(`Parameters  ${gguf.parameterCount.toLocaleString("en-US")}\n`), name);
    }
  });
});

describe("headers of requests", () => {
  test("--header is sent, also several times", async (context) => {
    const { url, requests } = await serveFile(context, await modelBytes());
    const headers = ["--header", "X-One: 1", "--header", "Authorization: Bearer a:b"];
    await cli.succeed(["inspect", url, ...headers]);
    assert.equal(requests[0]?.headers["x-one"], "1");
    assert.equal(requests[0]?.headers.authorization, "Bearer a:b");
  });

  test("--header goes only to the server of the first URL", async (context) => {
    const bytes = await modelBytes();
    const first = await serveFile(context, bytes);
    const second = await serveFile(context, bytes);
    const header = ["--header", "Authorization: Bearer secret"];
    for (const args of [
      ["validate", first.url, second.url],
      ["memory", first.url, "--beside", second.url],
      ["validate", model, first.url, second.url, first.url],
    ]) {
      await cli.run([...args, ...header]);
      const sent = (/** @type {typeof first} */ { requests }) =>
        requests.splice(0).map(({ headers }) => headers.authorization);
      const [toFirst, toSecond] = [sent(first), sent(second)];
      assert.ok(toFirst.length > 0 && toSecond.length > 0, args.join(" "));
      assert.ok(
        toFirst.every((value) => value === "Bearer secret"),
        args.join(" "),
      );
      assert.ok(
        toSecond.every((value) => value === undefined),
        args.join(" "),
      );
    }
  });

  test("HF_TOKEN is not sent to another server", async (context) => {
    const { url, requests } = await serveFile(context, await modelBytes());
    await cli.succeed(["inspect", url], { env: { HF_TOKEN: "hf_secret" } });
    assert.ok(requests.length > 0);
    for (const { headers } of requests) assert.equal(headers.authorization, undefined);
  });

  test("HF_TOKEN is sent to Hugging Face, unless an option sets another token", async (context) => {
    const { requestOptions } = await import(cli.module("requests.js"));
    const { Arguments } = await import(cli.module("arguments.js"));
    const { COMMANDS } = await import(cli.module("commands.js"));
    const before = process.env.HF_TOKEN;
    context.after(() => {
      if (before === undefined) delete process.env.HF_TOKEN;
      else process.env.HF_TOKEN = before;
    });
    process.env.HF_TOKEN = "hf_secret";
    const authorization = (/** @type {string} */ url, /** @type {string[]} */ ...args) => {
      const { positionals, options } = COMMANDS.inspect;
      const { headers = new Headers() } = requestOptions(url, new Arguments([url, ...args], positionals, options));
      return headers.get("Authorization");
    };
    assert.equal(authorization("https://huggingface.co/a/b/resolve/main/c.gguf"), "Bearer hf_secret");
    const own = ["--header", "Authorization: Bearer own"];
    assert.equal(authorization("https://huggingface.co/a.gguf", ...own), "Bearer own");
    for (const url of ["http://huggingface.co/a.gguf", "https://huggingface.co.example.com/a.gguf", "a.gguf"]) {
      assert.equal(authorization(url), null, url);
    }
  });

  test("a header without a colon is wrong use", async () => {
    const { code, stderr } = await cli.run(["inspect", `${server.origin}/model.gguf`, "--header", "token"]);
    assert.equal(code, 2);
    assert.match(stderr, /A --header has no colon after its name, expected "Name: value"/);
  });

  test("no message and no exported file contains a password, or the query of an address", async (context) => {
    const { url } = await serveFile(context, await modelBytes());
    const secret = `${url}?token=hidden#part`;
    for (const format of ["markdown", "json"]) {
      const { stdout } = await cli.succeed(["export", secret, "--format", format]);
      assert.doesNotMatch(stdout, /hidden/);
    }
    const withPassword = secret.replace("://", "://user:hidden@");
    for (const command of ["inspect", "list", "validate"]) {
      const { code, stderr } = await cli.run([command, withPassword]);
      assert.notEqual(code, 0);
      assert.doesNotMatch(stderr, /hidden/, command);
    }
  });

  test("no message contains the value of a header or a token", async () => {
    const url = `${server.origin}/model.gguf`;
    const wrong = [
      ["--header", "Authorization Bearer hf_secret"],
      ["--header=Authorization Bearer hf_secret"],
      ["--header", "Authorization: Bearer hf_secret\nX: y"],
      ["--header", "Authorization hf_secret: x"],
      ["--header", "Authorization: Bearer hf_secret\u{1F600}"],
      ["--header", "Authorization:", "Bearer", "hf_secret"],
      ["--header", "Authorization:", "hf_secret"],
    ];
    for (const args of wrong) {
      for (const extra of [[], ["--json"]]) {
        const { code, stdout, stderr } = await cli.run(["inspect", url, ...args, ...extra]);
        assert.equal(code, 2, args.join(" "));
        assert.ok(!(stdout + stderr).includes("hf_secret"), stdout + stderr);
        assert.match(stdout + stderr, /header/);
      }
    }
    for (const args of [
      ["inspect", url.replace("://", "://user:hf_secret@")],
      ["validate", url.replace("://", "://hf_secret@")],
      ["inspect", "http://user:hf_secret@no host/"],
    ]) {
      const { code, stdout, stderr } = await cli.run([...args, "--json"]);
      assert.equal(code, 2, stdout + stderr);
      assert.ok(!(stdout + stderr).includes("hf_secret"), stdout + stderr);
    }
    for (const HF_TOKEN of ["hf_secret\nsecond line", "Bearer hf_secret", "hf_secret\u{e9}"]) {
      const env = { HF_TOKEN, HF_ENDPOINT: server.origin };
      for (const args of [
        ["inspect", url],
        ["list", "owner/name"],
      ]) {
        const { code, stdout, stderr } = await cli.run([...args, "--json"], { env });
        assert.equal(code, 2, stdout + stderr);
        assert.ok(!(stdout + stderr).includes("hf_secret"), stdout + stderr);
        assert.match(stdout + stderr, /HF_TOKEN is not a token/);
      }
    }
  });
});

describe("validate", () => {
  test("several files: the exit code is that of the worst", { skip: missing }, async () => {
    const good = pathOf("real/all-MiniLM-L6-v2-Q4_K_M.gguf");
    const fine = await cli.run(["validate", good]);
    assert.equal(fine.code, 0, fine.stdout);
    assert.match(fine.stdout, /0 errors/);
    const bad = await cli.run(["validate", good, pathOf("malformed/align-3.gguf")]);
    assert.equal(bad.code, 1);
    assert.match(bad.stdout, /^error +bad-alignment +general\.alignment: /m);
    const none = await cli.run(["validate", join(folder, "none.gguf"), good]);
    assert.equal(none.code, 3);
    assert.match(none.stdout, /0 errors/, "the other files are checked, too");
  });

  test("a file that is no GGUF file is an answer, with its code and offset", async () => {
    const path = join(folder, "text.gguf");
    await writeFile(path, "This is no model.");
    const { code, stderr } = await cli.run(["validate", path]);
    assert.equal(code, 1);
    assert.match(stderr, /^gguf-wasm: .*text\.gguf: .*\(bad-magic, offset 0\)\n$/);
    const { files } = await cli.json(["validate", path, model], 1);
    assert.equal(files.length, 2);
    assert.deepEqual([files[0].isValid, files[0].error.code, files[0].error.offset], [false, "bad-magic", 0]);
    assert.deepEqual([files[1].file, files[1].error], [model, undefined]);
    assert.ok(files[1].findings.length > 0);
  });

  test("the first line says whether llama.cpp loads the file, and it is part of --json", async () => {
    const whole = join(folder, "whole.gguf");
    const wrong = join(folder, "wrong.gguf");
    const adapter = join(folder, "adapter.gguf");
    await writeFile(whole, llamaModel());
    await writeFile(wrong, llamaModel({ tensors: { "blk.1.attn_q.weight": [64, 65] } }));
    const entries = /** @type {const} */ ([
      ["general.type", text("adapter")],
      ["adapter.type", text("lora")],
    ]);
    await writeFile(
      adapter,
      llamaModel({ entries: entries.map(([...entry]) => entry), without: ["llama.block_count"] }),
    );
    const fine = await cli.run(["validate", whole]);
    assert.equal(fine.code, 0, fine.stdout);
    assert.ok(fine.stdout.startsWith(`${whole}: llama.cpp loads the file.\n`), fine.stdout);
    assert.match(fine.stdout, /; rules of llama\.cpp of [A-Z][a-z]+ \d{4} \(b\d+, /);
    const refused = await cli.run(["validate", wrong]);
    assert.equal(refused.code, 1);
    assert.ok(
      refused.stdout.startsWith(
        `${wrong}: llama.cpp does not load the file, because of the tensor "blk.1.attn_q.weight": `,
      ),
      refused.stdout,
    );
    const other = await cli.run(["validate", adapter]);
    assert.match(
      other.stdout,
      /: llama\.cpp does not load the file: it is not a language model \(kind: Adapter\)\. .* --lora/,
    );
    assert.equal(other.code, 0, "an adapter is no error");
    const { files } = await cli.json(["validate", whole, wrong, adapter], 1);
    assert.deepEqual(
      files.map((/** @type {{ loads: import("gguf-wasm/full").Loads }} */ { loads }) => [
        loads.answer,
        loads.reason?.code,
      ]),
      [
        ["yes", undefined],
        ["no", "tensor-shape"],
        ["no", "not-a-model"],
      ],
    );
  });

  test("--strict also refuses warnings", { skip: missing }, async () => {
    const real = pathOf("real/all-MiniLM-L6-v2-Q4_K_M.gguf");
    const copy = join(folder, "warned.gguf");
    await cli.json(["set", real, "tokenizer.ggml.eos_token_id", "5", "--output", copy]);
    assert.equal((await cli.run(["validate", copy])).code, 0);
    assert.equal((await cli.run(["validate", copy, "--strict"])).code, 1);
  });

  test("a URL", async () => {
    const { code, stdout } = await cli.run(["validate", `${server.origin}/model.gguf`]);
    assert.equal(code, 1);
    assert.match(stdout, /missing-key/);
  });
});

describe("memory", { skip: missing }, () => {
  const path = missing ? "" : pathOf("real/all-MiniLM-L6-v2-Q4_K_M.gguf");

  test("the figures are those of the package", async () => {
    const source = await fileSource(path);
    const gguf = await Gguf.open(source);
    await source.close();
    const json = await cli.json(["memory", path]);
    assert.deepEqual(json, { file: path, ...JSON.parse(JSON.stringify(gguf.memory())) });
    const options = {
      contextLength: 256,
      sequences: 2,
      batch: 1024,
      microBatch: 128,
      gpuLayers: 3,
      flashAttention: false,
    };
    const args = ["-c", "256", "--parallel", "2", "-b", "1024", "--ubatch-size", "128", "--gpu-layers", "3"];
    const set = await cli.json(["memory", path, ...args, "--flash-attn", "off"]);
    assert.deepEqual(set, { file: path, ...JSON.parse(JSON.stringify(gguf.memory(options))) });
  });

  test("the options have the names and the values of llama.cpp's", async () => {
    const estimate = (/** @type {string[]} */ ...args) => cli.json(["memory", path, ...args]);
    const usual = await estimate();
    for (const args of [
      ["-c", "0"],
      ["-fa", "auto"],
      ["--flash-attn", "on"],
      ["-ngl", "all"],
      ["--gpu-layers", "auto"],
      ["--n-gpu-layers", "-1"],
      ["-no-kvu"],
    ]) {
      assert.deepEqual(await estimate(...args), usual, args.join(" "));
    }
    const long = ["--ubatch-size", "128", "--parallel", "2", "--gpu-layers", "3", "--cache-type-k", "Q8_0"];
    const short = ["-ub", "128", "-np", "2", "-ngl", "3", "-ctk", "q8_0", "-ctv=f16", "-ncmoe", "0"];
    assert.deepEqual(await estimate(...short), await estimate(...long));
    assert.deepEqual(await estimate("-fa", "off"), await estimate("--flash-attn", "off"));
    assert.deepEqual(await estimate("-kvu", "-np", "2"), await estimate("--kv-unified", "--parallel", "2"));
    for (const args of [
      ["-cmoe", "-ncmoe", "1"],
      ["-kvu", "-no-kvu"],
      ["-ngl", "some"],
      ["-ts", "1,x"],
      ["-ts", "0,0"],
      ["-ot", "exps"],
      ["-ot", "(=CPU"],
      ["-ot", "blk=GPU"],
      ["-ot", "blk=CUDA1"],
      ["-ts", "1,1", "--fit", "1G"],
      ["--fit", "1G,many"],
      ["--bandwidth", "fast"],
      ["--bandwidth", "1GB/s,2GB/s"],
      ["--ram", "1G"],
    ]) {
      assert.equal((await cli.run(["memory", path, ...args])).code, 2, args.join(" "));
    }
  });

  test("a table, and a context that fits", async () => {
    const { stdout } = await cli.succeed(["memory", path, "--fit", "1G"]);
    assert.match(stdout, /^Longest context +[\d,]+ tokens fit into 953\.7 MiB \(1,000,000,000 bytes\)$/m);
    assert.match(stdout, /^Weights +7\.05 MiB +12\.6 MiB$/m);
  });

  test("no context fits: the exit code is 1", async () => {
    const { code, stdout } = await cli.run(["memory", path, "--fit", "1M"]);
    assert.equal(code, 1);
    assert.match(stdout, /none is known to fit/);
    assert.equal((await cli.json(["memory", path, "--fit", "1M"], 1)).largestContext, null);
  });

  test("another file beside the model, and settings that are refused", async () => {
    const alone = await cli.json(["memory", path]);
    const both = await cli.json(["memory", path, "--beside", path]);
    assert.equal(both.devices[0].weights, 2 * alone.devices[0].weights);
    const wrongType = await cli.run(["memory", path, "--cache-type-k", "FOO"]);
    assert.equal(wrongType.code, 2);
    assert.match(wrongType.stderr, /"FOO"/);
    assert.equal((await cli.run(["memory", path, "--flash-attn", "maybe"])).code, 2);
  });
});

describe("memory --fit", { skip: missing }, () => {
  const shapes = missing ? "" : pathOf("llama-cpp-2026-08/memory");
  const llama = join(shapes, "llama-3.1-8b.gguf");
  const experts = join(shapes, "qwen3-30b-a3b.gguf");
  const GIB = 2 ** 30;
  const ask = async (/** @type {string[]} */ ...args) => {
    const { code, stdout, stderr } = await cli.run(["memory", ...args]);
    assert.equal(stderr, "");
    return { code, stdout };
  };

  /** The arguments of the printed `llama-server` command after the name of the model. @param {string} stdout */
  const commandOf = (stdout) => /^llama-server -m \S+ (.*)$/m.exec(stdout)?.[1];

  test("answers whether a model runs with a context, how, and how fast", async () => {
    const { code, stdout } = await ask(llama, "--fit", "24GiB", "-c", "32768", "--bandwidth", "936GB/s");
    assert.equal(code, 0);
    assert.match(stdout, /^Fits +yes: all 33 layers are on the GPU, the cache is F16$/m);
    assert.match(stdout, /^Speed +at most \d+ tokens in a second when the context is full$/m);
    assert.equal(commandOf(stdout), "-c 32768 -np 1 -ngl 33 -fa on");
    const json = await cli.json(["memory", llama, "--fit", "24GiB", "-c", "32768", "--bandwidth", "936"]);
    const gguf = await Gguf.open(await readFile(llama));
    const bandwidths = [936e9, undefined];
    const { choices } = gguf.fit({ gpuBytes: 24 * GIB, contextLength: 32_768, bandwidths });
    assert.deepEqual(json.choices, JSON.parse(JSON.stringify(choices)));
    assert.equal(json.tokensPerSecond, gguf.memory({ contextLength: 32_768, bandwidths }).tokensPerSecond);
    assert.equal(json.fit, 24 * GIB);
    assert.ok(stdout.includes(json.command));
  });

  test("what does not fit is moved to the CPU: a cache of fewer bits, experts, layers", async () => {
    const { stdout: narrow } = await ask(llama, "--fit", "8GiB", "-c", "32768");
    assert.equal(commandOf(narrow), "-c 32768 -np 1 -ctk q8_0 -ctv q8_0 -ngl 33 -fa on");
    const { stdout: layers } = await ask(llama, "--fit", "4GiB", "-c", "8192", "-ctk", "f16", "-ctv", "f16");
    assert.match(commandOf(layers) ?? "", /^-c 8192 -np 1 -ngl (1\d|2\d) -fa on$/);
    assert.match(layers, /^Fits +yes: \d+ of 33 layers are on the GPU/m);
    const { stdout: moe } = await ask(experts, "--fit", "12GiB", "-c", "32768", "--bandwidth", "360GB/s");
    assert.match(commandOf(moe) ?? "", /-ngl 49 -ncmoe \d+ -fa on$/);
    assert.match(moe, /^Fits +yes: .* the experts of \d+ layers are on the CPU/m);
    assert.match(
      moe,
      /^Speed +not known: it needs --bandwidth and --cpu-bandwidth, because each token reads memory of GPU, CPU$/m,
    );
    const { stdout: both } = await ask(
      experts,
      "--fit",
      "12GiB",
      "-cmoe",
      "--bandwidth",
      "360",
      "--cpu-bandwidth",
      "80GB/s",
    );
    assert.match(both, /^Speed +at most [\d.]+ tokens in a second/m);
    assert.match(commandOf(both) ?? "", /-ncmoe 48 /);
  });

  test("several cards have their shares", async () => {
    const { code, stdout } = await ask(experts, "--fit", "12GiB,8GiB", "-c", "8192", "--bandwidth", "360,288");
    assert.equal(code, 0);
    assert.match(stdout, /^PART +GPU 0 +GPU 1 +CPU$/m);
    const [, first, second] = /-ts (\d+),(\d+)/.exec(commandOf(stdout) ?? "") ?? [];
    assert.equal(Number(first) + Number(second), 49);
    assert.match(stdout, new RegExp(`all 49 layers are on the GPUs \\(${first} \\+ ${second}\\)`));
    const json = await cli.json(["memory", experts, "--fit", "12GiB,8GiB", "-c", "8192", "-ts", "3,2"]);
    assert.deepEqual(
      [json.fit, json.choices[0].tensorSplit],
      [
        [12 * GIB, 8 * GIB],
        [3, 2],
      ],
    );
    // Two cards without --fit.
    const shares = await cli.json(["memory", experts, "-ts", "1,1", "-c", "4096"]);
    assert.deepEqual(
      shares.devices.map((/** @type {any} */ { name }) => name),
      ["GPU 0", "GPU 1", "CPU"],
    );
  });

  test("-ot and -nkvo are those of llama.cpp", async () => {
    const all = await cli.json(["memory", experts, "-c", "4096", "--cpu-moe"]);
    const pattern = ".ffn_.*_exps.=CPU";
    const same = await cli.json(["memory", experts, "-c", "4096", "-ot", pattern]);
    assert.deepEqual(same.devices[0].weights, all.devices[0].weights);
    const { stdout } = await ask(experts, "--fit", "12GiB", "-c", "4096", "--override-tensor", pattern, "-nkvo");
    assert.equal(commandOf(stdout), `-c 4096 -np 1 -ngl 49 -ot '${pattern}' -nkvo -fa on`);
    const onCpu = await cli.json(["memory", experts, "-c", "4096", "--no-kv-offload"]);
    assert.deepEqual([onCpu.devices[0].cache, onCpu.devices[1].cache > 0], [0, true]);
  });

  test("a longest context beyond that of the training is called so", async () => {
    const { stdout } = await ask(llama, "--fit", "48GiB");
    const [, longest = ""] = /^Longest context +([\d,]+) tokens fit/m.exec(stdout) ?? [];
    const tokens = Number(longest.replaceAll(",", ""));
    assert.ok(tokens > 131_072);
    // What is run has the context of the training.
    assert.equal(commandOf(stdout), "-c 131072 -np 1 -ngl 33 -fa on");
    assert.match(
      stdout,
      new RegExp(`^Note: The model was trained with 131072 tokens, fewer than the ${tokens} of a sequence`, "m"),
    );
    assert.doesNotMatch((await ask(llama, "--fit", "12GiB")).stdout, /trained/);
    // As llama.cpp has it, 0 is that context.
    assert.equal(commandOf((await ask(llama, "--fit", "48GiB", "-c", "0")).stdout), "-c 131072 -np 1 -ngl 33 -fa on");
  });

  test("nothing fits: the exit code is 1, and it is said what is missing", async () => {
    const { code, stdout } = await ask(llama, "--fit", "4GiB", "-c", "131072", "--ram", "4GiB");
    assert.equal(code, 1);
    assert.match(stdout, /^Fits +no: [\d.]+ GiB are missing/m);
    assert.equal(commandOf(stdout), undefined);
    const kept = await ask(llama, "--fit", "4GiB", "-c", "4096", "-ngl", "all");
    assert.deepEqual([kept.code, /^Fits +no: /m.test(kept.stdout)], [1, true]);
    // On the CPU it runs, but nothing of it is in the memory of the GPU.
    const none = await ask(llama, "--fit", "100M", "-c", "4096");
    assert.equal(none.code, 1);
    assert.match(none.stdout, /^Fits +not on the GPU: everything is on the CPU/m);
    assert.equal((await ask(llama, "--fit", "0", "-c", "4096", "-ngl", "0")).code, 0);
  });

  test("what is not known is no number", async () => {
    const path = join(folder, "unknown.gguf");
    const tensor = { name: "blk.0.attn_norm.weight", dimensions: [64], type: 0, bytes: 256 };
    await writeFile(
      path,
      ggufBytes(
        [
          ["general.architecture", text("no-such")],
          ["no-such.block_count", uint32(1)],
        ],
        [tensor],
      ),
    );
    const { code, stdout } = await ask(path, "--fit", "24GiB", "-c", "4096");
    assert.equal(code, 1);
    assert.match(stdout, /^Fits +not known, see the notes$/m);
    assert.match(stdout, /^Longest context +not known$/m);
    for (const part of ["Keys and values", "Compute", "Total", "Read for a token"]) {
      assert.match(stdout, new RegExp(`^${part} +not known +not known$`, "m"));
    }
    assert.match(stdout, /^Note: Only the size of the tensors is known/m);
    assert.equal(commandOf(stdout), undefined);
  });
});

describe("tokenize", { skip: missing }, () => {
  const path = missing ? "" : pathOf("files/ggml-vocab-llama-spm.gguf");

  test("the text is an argument, a file or the standard input", async () => {
    const argument = await cli.run(["tokenize", path, "--ids", "Hello world"]);
    assert.equal(argument.stdout, "1 15043 3186\n");
    const file = join(folder, "prompt.txt");
    await writeFile(file, "Hello world");
    assert.equal((await cli.run(["tokenize", path, "--ids", "--text-file", file])).stdout, argument.stdout);
    for (const args of [[], ["--text-file", "-"]]) {
      const { stdout } = await cli.run(["tokenize", path, "--ids", ...args], { input: "Hello world" });
      assert.equal(stdout, argument.stdout);
    }
    assert.equal((await cli.run(["tokenize", path, "a", "--text-file", file])).code, 2);
    const both = await cli.run(["tokenize", path, "a", "--ids", "--count"]);
    assert.equal(both.code, 2);
    assert.match(both.stderr, /--ids and --count cannot be given together/);
  });

  test("a text that no string has room for is refused before it is read", async () => {
    const file = join(folder, "long.txt");
    await writeFile(file, "");
    await truncate(file, constants.MAX_STRING_LENGTH + 1);
    const { code, stderr } = await cli.run(["tokenize", path, "--text-file", file]);
    await rm(file);
    assert.equal(code, 3);
    assert.match(stderr, /long\.txt: the text has more than \d+ bytes, .*\(too-large\)\n$/);
  });

  test("a text that is not UTF-8 is refused with its first such byte", async () => {
    const file = join(folder, "latin-1.txt");
    const bytes = Buffer.concat([Buffer.from("a\uFFFDé "), Buffer.from("caf\xE9 au lait\xE9", "latin1")]);
    await writeFile(file, bytes);
    for (const name of [file, "-"]) {
      const { code, stderr } = await cli.run(["tokenize", path, "--text-file", name], { input: bytes });
      assert.equal(code, 3);
      const shown = name === "-" ? "the standard input" : file;
      assert.ok(
        stderr.startsWith(`gguf-wasm: ${shown}: the text is not UTF-8: found the byte 0xE9 at offset 10, `),
        stderr,
      );
      assert.match(stderr, /iconv -f WINDOWS-1252 -t UTF-8 .* \(invalid-utf8, offset 10\)\n$/);
    }
    await writeFile(file, Buffer.from("\uFEFFhi", "utf16le"));
    const { stdout } = await cli.run(["tokenize", path, "--json", "--text-file", file]);
    const { error } = JSON.parse(stdout);
    assert.deepEqual([error.code, error.offset, error.file], ["invalid-utf8", 0, file]);
    assert.match(error.message, /0xFF at offset 0.*iconv -f UTF-16 /);
  });

  test("tokens for people and for programs", async () => {
    const { stdout } = await cli.run(["tokenize", path, "Hello world"]);
    assert.match(stdout, /^15043 +"▁Hello" +"Hello"$/m);
    const json = await cli.json(["tokenize", path, "Hello world"]);
    assert.deepEqual(json, {
      file: path,
      count: 3,
      ids: [1, 15043, 3186],
      tokens: [
        { id: 1, token: "<s>", text: "" },
        { id: 15043, token: "▁Hello", text: "Hello" },
        { id: 3186, token: "▁world", text: " world" },
      ],
    });
    assert.equal((await cli.run(["tokenize", path, "Hello world", "--count"])).stdout, "3\n");
    assert.equal((await cli.run(["tokenize", path, "Hello world", "--ids", "--no-special"])).stdout, "15043 3186\n");
    assert.equal((await cli.run(["tokenize", path, "</s>", "--ids"])).stdout, "1 2\n");
    assert.notEqual((await cli.run(["tokenize", path, "</s>", "--ids", "--no-parse-special"])).stdout, "1 2\n");
  });

  test("ids become text", async () => {
    const { stdout } = await cli.run(["tokenize", path, "--decode", "1, 15043 3186"]);
    assert.equal(stdout, "<s> Hello world\n");
    const bare = await cli.run(["tokenize", path, "--decode", "--no-special"], { input: "[1,15043,3186]\n" });
    assert.equal(bare.stdout, " Hello world\n");
    assert.equal((await cli.run(["tokenize", path, "--decode", "one"])).code, 2);
    const { code, stderr } = await cli.run(["tokenize", path, "--decode", "99999999"]);
    assert.equal(code, 3);
    assert.match(stderr, /\(out-of-range\)/);
  });

  test("a URL, and a file without a tokenizer", async (context) => {
    const { url } = await serveFile(context, read("files/ggml-vocab-llama-spm.gguf"));
    assert.equal((await cli.run(["tokenize", url, "--ids", "Hello world"])).stdout, "1 15043 3186\n");
    const { code, stderr } = await cli.run(["tokenize", model, "Hello"]);
    assert.equal(code, 3);
    assert.match(stderr, /model\.gguf: .*\(no-tokenizer\)/);
  });
});

describe("sets of shards", { skip: missing }, () => {
  const shard = (/** @type {number} */ number) => `tiny-0000${number}-of-00003.gguf`;

  test("any shard stands for the set, as a path and as a URL", async (context) => {
    const merged = await cli.json(["inspect", pathOf("files/shards/tiny-merged.gguf")]);
    const files = await serveFolder(pathOf("files/shards"));
    context.after(() => files.close());
    for (const name of [pathOf(`files/shards/${shard(2)}`), `${files.origin}/${shard(3)}`]) {
      const { tensors, shards } = await cli.json(["inspect", name]);
      assert.deepEqual(
        tensors.map((/** @type {any} */ { name }) => name),
        merged.tensors.map((/** @type {any} */ { name }) => name),
      );
      assert.deepEqual(
        shards.map((/** @type {any} */ { number, name }) => [number, name]),
        [1, 2, 3].map((number) => [number, shard(number)]),
      );
    }
    const { stdout } = await cli.run(["inspect", "-t", pathOf(`files/shards/${shard(1)}`)]);
    assert.match(stdout, /^Shards +3$/m);
    assert.match(stdout, /OFFSET +SHARD$/m);
    const alone = await cli.json(["inspect", "--one-file", pathOf(`files/shards/${shard(2)}`)]);
    assert.equal(alone.shards, undefined);
    assert.ok(alone.tensors.length < merged.tensors.length);
  });

  test("a missing shard is reported", async () => {
    const set = join(folder, "incomplete");
    await mkdir(set);
    for (const number of [1, 3]) await writeFile(join(set, shard(number)), read(`files/shards/${shard(number)}`));
    const path = join(set, shard(1));
    const inspected = await cli.run(["inspect", path]);
    assert.equal(inspected.code, 0, inspected.stderr);
    assert.match(inspected.stdout, /^Shards +2 of 3$/m);
    assert.match(inspected.stdout, /^ +2 .*The file is missing|^ +2 /m);
    const { code, stdout } = await cli.run(["validate", path]);
    assert.equal(code, 1);
    assert.match(stdout, /missing-shard/);
    assert.match((await cli.run(["memory", path])).stdout, /The tensors of 1 missing shard are not counted\./);
  });
});
