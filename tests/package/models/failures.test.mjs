// What ends a conversion: files that are missing, change, or are damaged, and callers who abort. Progress, and streams that continue.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { appendFile, cp, link, mkdtemp, readdir, readFile, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import process from "node:process";
import { before, describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import { openModel } from "gguf-wasm/models/node";
import { range, serveFiles, whole } from "../../support/file-server.mjs";
import { temporaryFolder } from "../../support/temporary-folder.mjs";
import { missing } from "../corpus.mjs";
import { bytesOf, filesOf, folderOf, model, pathsOf, run, sha256 } from "./corpus.mjs";

/** @import { ModelPlan } from "gguf-wasm/models" */
/** @import { Answer } from "../../support/file-server.mjs" */

/** A model of three parts with an index. */
const NAME = "Mixtral-4x0.1M-Instruct";
const PART = "model-00002-of-00003.safetensors";

const windows = process.platform === "win32" && "Windows has no named pipes in folders";

const dir = await temporaryFolder();

/** A copy of the model. @param {string} name */
async function copy(name) {
  const folder = join(dir, name);
  await cp(folderOf(`models/${NAME}`), folder, { recursive: true });
  return folder;
}

/** Answers with ranges to those who ask for them. @type {Answer} */
const either = (request, ...rest) => (request.headers.range ? range : whole)(request, ...rest);

/** The model at a server. @param {{ after(close: () => Promise<void>): void }} t @param {Answer} [answer] */
async function served(t, answer = either) {
  const files = Object.entries(filesOf(`models/${NAME}`)).map(([path, bytes]) => [`${NAME}/${path}`, bytes]);
  const { origin } = await serveFiles(t, Object.fromEntries(files), answer);
  return `${origin}/${NAME}/`;
}

describe("a file of a model", { skip: missing }, () => {
  test("that is missing is named", async (t) => {
    const folder = await copy("missing");
    await rm(join(folder, PART));
    const { [`${PART}`]: _, ...rest } = filesOf(`models/${NAME}`);
    const files = Object.entries(rest).map(([path, bytes]) => [`m/${path}`, bytes]);
    const { origin } = await serveFiles(t, Object.fromEntries(files), either);
    for (const source of [folder, rest, `${origin}/m`]) {
      const opened = await openModel(source);
      assert.equal(opened.parts.length, 2);
      await assert.rejects(opened.convert(), { code: "incomplete-model", message: new RegExp(PART) });
    }
  });

  test("that changes after the model was opened ends the stream, also when it is written", async () => {
    const folder = await copy("changed");
    const plan = await (await openModel(folder)).convert();
    await appendFile(join(folder, PART), "more");
    await assert.rejects(bytesOf(plan), { code: "changed" });
    const target = join(dir, "changed.gguf");
    await assert.rejects(plan.writeTo(target), { code: "changed" });
    assert.ok(!(await readdir(dir)).some((name) => name.startsWith("changed.gguf")));
  });

  test("that changes on its server ends the stream", async (t) => {
    let version = 1;
    const url = await served(t, (request, response, file, number) => {
      response.setHeader("ETag", `"${version}"`);
      return either(request, response, file, number);
    });
    const plan = await (await openModel(url)).convert();
    version = 2;
    await assert.rejects(bytesOf(plan), { code: "changed" });
  });

  test("that is truncated is refused when it is opened, or when it is read", async () => {
    const folder = await copy("truncated");
    const { size = 0 } = (await openModel(folder)).parts[1] ?? {};
    await truncate(join(folder, PART), size - 1000);
    await assert.rejects(openModel(folder), { code: "truncated" });
    await truncate(join(folder, PART), 5);
    await assert.rejects(openModel(folder), { code: "unexpected-eof" });

    // A source that does not know its size.
    const files = filesOf(`models/${NAME}`);
    const bytes = files[PART];
    assert.ok(bytes);
    const read = async (/** @type {number} */ start, /** @type {number} */ end) =>
      bytes.slice(0, size - 1000).slice(start, end);
    const plan = await (await openModel({ ...files, [PART]: { read } })).convert();
    await assert.rejects(bytesOf(plan), { code: "unexpected-eof" });
  });

  test("at a server that breaks down, or ignores ranges, gives its error", async (t) => {
    const broken = await served(t, (request, response, file, number) => {
      if (request.url?.endsWith(PART) && request.headers.range) return void response.writeHead(500).end();
      return either(request, response, file, number);
    });
    await assert.rejects(openModel(broken, { retries: 0 }), { code: "http", status: 500 });
    const denied = await served(t, (_request, response) => void response.writeHead(403).end());
    await assert.rejects(openModel(denied), { code: "http", status: 403 });
    const wholeOnly = await served(t, whole);
    await assert.rejects(openModel(wholeOnly), { code: "no-ranges" });
  });

  test("that is a pipe is refused, and nobody waits for its writer", { skip: windows }, async () => {
    const folder = await copy("pipes");
    for (const name of [PART, "config.json", "tokenizer.model"]) {
      await rm(join(folder, name));
      execFileSync("mkfifo", [join(folder, name)]);
      const refused = { code: "no-ranges", message: new RegExp(`the file ${name} is a stream, a pipe or a device`) };
      await assert.rejects(openModel(folder), refused);
      await rm(join(folder, name));
      await symlink("/dev/zero", join(folder, name));
      await assert.rejects(openModel(folder), refused);
      await rm(join(folder, name));
      await cp(join(folderOf(`models/${NAME}`), name), join(folder, name));
    }
  });

  test("that has more bytes than files of its name may have is refused", async () => {
    const files = filesOf(`models/${NAME}`);
    for (const [name, limit] of /** @type {const} */ ([
      ["config.json", 4 << 20],
      ["tokenizer.json", 64 << 20],
    ])) {
      const long = new Blob([/** @type {any} */ (files[name]), " ".repeat(limit)]);
      await assert.rejects(openModel({ ...files, [name]: long }), {
        code: "limit-exceeded",
        message: new RegExp(`the file ${name} has more than ${limit} bytes`),
      });
    }
    const many = new TextEncoder().encode(`[${"0,".repeat(9 << 20)}0]`);
    const opened = await openModel({ ...files, "tokenizer.json": many });
    await assert.rejects(opened.convert(), {
      code: "too-large",
      message: /^tokenizer\.json: .*takes more than 536870912 bytes of memory/,
    });
  });

  test("whose bytes a source does not give ends in the error of the source", async () => {
    const files = filesOf(`models/${NAME}`);
    const cause = new Error("the disk was pulled out");
    const source = { ...files, [PART]: { size: 5, read: () => Promise.reject(cause) } };
    await assert.rejects(openModel(source), { code: "read-failed", cause });
  });
});

describe("a plan", { skip: missing }, () => {
  /** @type {ModelPlan} */
  let plan;
  /** @type {Buffer} */
  let expected;
  before(async () => {
    plan = await (await openModel(folderOf(`models/${NAME}`))).convert({ type: "q8_0" });
    expected = await bytesOf(plan);
    assert.equal(sha256(expected), run(model(NAME), "q8_0").output.sha256);
  });

  test("tells how many bytes have been passed on", async () => {
    /** @type {[number, number][]} */
    const seen = [];
    const onProgress = (/** @type {{ bytesWritten: number, totalBytes: number }} */ { bytesWritten, totalBytes }) =>
      seen.push([bytesWritten, totalBytes]);
    const reader = plan.stream({ start: 100, onProgress }).getReader();
    while (!(await reader.read()).done);
    assert.ok(seen.length > 0 && seen.every(([, total]) => total === plan.size));
    assert.equal(seen.at(-1)?.[0], plan.size);
  });

  test("continues a stream at any position", async () => {
    const [tensor] = plan.gguf.tensors;
    for (const start of [0, 1, 1000, (tensor?.fileOffset ?? 0) + 17, plan.size - 3, plan.size]) {
      const chunks = [];
      for await (const chunk of plan.stream({ start })) chunks.push(chunk);
      assert.ok(expected.subarray(start).equals(Buffer.concat(chunks)), `${start}`);
    }
    for (const start of [-1, 0.5, plan.size + 1, NaN]) {
      assert.throws(() => plan.stream({ start }), { code: "out-of-range" });
    }
  });

  test("reads any range", async () => {
    for (const [start, end] of /** @type {const} */ ([
      [0, 4],
      [5, 5],
      [plan.size - 5, plan.size + 5],
      [1000, 70_001],
    ])) {
      assert.ok(expected.subarray(start, end).equals(await plan.read(start, end)), `${start} to ${end}`);
    }
    await assert.rejects(plan.read(5, 4), { code: "out-of-range" });
  });

  test("is written complete or not at all, and replaces nothing unless it is told to", async () => {
    const target = join(dir, "new.gguf");
    await plan.writeTo(target);
    assert.ok(expected.equals(await readFile(target)));
    await writeFile(target, "precious");
    await assert.rejects(plan.writeTo(target), (error) => {
      const { code, cause } = /** @type {import("gguf-wasm/full").GgufError} */ (error);
      return code === "write-failed" && Object(cause).code === "EEXIST";
    });
    assert.equal(await readFile(target, "utf8"), "precious");
    await plan.writeTo(target, { overwrite: true });
    assert.ok(expected.equals(await readFile(target)));
  });

  test("replaces no file that it is made from, under any name", async () => {
    const folder = await copy("inputs");
    const own = await (await openModel(folder)).convert();
    const beside = await mkdtemp(join(dir, "names-"));
    await symlink(join(folder, PART), join(beside, "symbolic.gguf"));
    await link(join(folder, PART), join(beside, "hard.gguf"));
    await symlink(folder, join(beside, "folder"));
    const index = "model.safetensors.index.json";
    const before = await Promise.all([PART, "config.json", index].map((name) => readFile(join(folder, name))));
    for (const target of [
      join(folder, PART),
      join(folder, "config.json"),
      join(folder, "tokenizer.model"),
      join(folder, index),
      `${folder}/../inputs/./${PART}`,
      relative(process.cwd(), join(folder, PART)),
      pathToFileURL(join(folder, PART)),
      join(beside, "symbolic.gguf"),
      join(beside, "hard.gguf"),
      join(beside, "folder", "config.json"),
    ]) {
      const refused = { name: "GgufError", code: "invalid-argument", message: /made from this file/ };
      await assert.rejects(own.writeTo(target, { overwrite: true }), refused, String(target));
    }
    const after = await Promise.all([PART, "config.json", index].map((name) => readFile(join(folder, name))));
    assert.deepEqual(after, before);
    // Other files of the folder are not read.
    await own.writeTo(join(folder, "new.gguf"));
    await own.writeTo(join(folder, "new.gguf"), { overwrite: true });

    // A handle, by its method.
    const handle = (/** @type {string} */ name) => ({
      kind: "file",
      name,
      getFile: async () => new Blob([await readFile(join(folder, name))]),
      isSameEntry: async (/** @type {any} */ other) => other.name === name,
      createWritable: () => assert.fail("it is written"),
    });
    const handles = pathsOf(`models/${NAME}`).map((name) => [name, handle(name)]);
    const plan = await (await openModel(Object.fromEntries(handles))).convert();
    await assert.rejects(plan.writeTo(handle(PART)), { code: "invalid-argument", message: /made from this file/ });
    await assert.rejects(plan.writeTo(handle("config.json")), { code: "invalid-argument" });
  });

  test("is written to a path or a handle, and says so", async () => {
    for (const target of [5, null, undefined, {}, []]) {
      await assert.rejects(plan.writeTo(/** @type {any} */ (target)), {
        code: "invalid-argument",
        message: /^the target is .*, expected a path, a file: URL, or a FileSystemFileHandle/,
      });
    }
    await assert.rejects(plan.writeTo("https://example.com/x.gguf"), {
      code: "invalid-argument",
      message: /not a path/,
    });
  });

  test("takes no options that are no object", async () => {
    /** @type {any} */
    const wrong = 5;
    const refused = { code: "invalid-argument", message: /^the options are 5, expected an object/ };
    await assert.rejects(openModel(folderOf(`models/${NAME}`), wrong), refused);
    await assert.rejects((await openModel(folderOf(`models/${NAME}`))).convert(wrong), refused);
    await assert.rejects(plan.writeTo(join(dir, "never.gguf"), wrong), refused);
    await assert.rejects(plan.read(0, 4, wrong), refused);
    assert.throws(() => plan.stream(wrong), refused);
    const opened = await openModel(folderOf(`models/${NAME}`));
    /** @type {any} */
    const circular = {};
    circular.self = circular;
    for (const metadata of [circular, { "general.author": 5n }]) {
      await assert.rejects(opened.convert({ metadata }), {
        code: "invalid-argument",
        message: /^options\.metadata has a value that JSON does not have/,
      });
    }
    for (const metadata of /** @type {any[]} */ ([5, ["x"]])) {
      await assert.rejects(opened.convert({ metadata }), {
        code: "invalid-argument",
        message: /^options\.metadata is .*, expected an object of keys and values/,
      });
    }
  });

  test("stops when its caller aborts", async () => {
    const reason = new Error("enough");
    const aborted = AbortSignal.abort(reason);
    await assert.rejects(openModel(folderOf(`models/${NAME}`), { signal: aborted }), reason);
    const opened = await openModel(folderOf(`models/${NAME}`));
    await assert.rejects(opened.convert({ signal: aborted }), reason);
    await assert.rejects(plan.read(0, 4, { signal: aborted }), reason);
    await assert.rejects(plan.writeTo(join(dir, "aborted.gguf"), { signal: aborted }), reason);
    assert.ok(!(await readdir(dir)).some((name) => name.startsWith("aborted")));

    const files = filesOf(`models/${NAME}`);
    const controller = new AbortController();
    let isOpen = false;
    const read = async (/** @type {number} */ start, /** @type {number} */ end) => {
      if (isOpen) controller.abort(reason);
      return (files[PART] ?? new Uint8Array()).slice(start, end);
    };
    const slow = await (await openModel({ ...files, [PART]: { read } })).convert();
    isOpen = true;
    const reader = slow.stream({ signal: controller.signal }).getReader();
    await assert.rejects(async () => {
      while (!(await reader.read()).done);
    }, reason);
  });

  test("stays usable after its model was freed", async () => {
    const opened = await openModel(folderOf(`models/${NAME}`));
    const own = await opened.convert({ type: "q8_0" });
    opened.free();
    assert.ok(expected.equals(await bytesOf(own)));
  });
});
