// Local files of Node.js: paths, `file:` URLs, FileHandles and streams, with gguf-wasm/node and gguf-wasm/reader/node.

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { createReadStream, createWriteStream, readdirSync } from "node:fs";
import { appendFile, mkdir, open, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import * as main from "gguf-wasm/full/node";
import * as reader from "gguf-wasm/reader/node";
import { fails } from "../../support/expect.mjs";
import { ggufBytes, text } from "../../support/gguf-bytes.mjs";
import { shardFiles } from "../../support/shards.mjs";
import { MODEL, checkHeader, checkValues } from "../../support/source-model.mjs";
import { temporaryFolder } from "../../support/temporary-folder.mjs";
import { run } from "../project.mjs";

const isWindows = process.platform === "win32" && "POSIX only: NOT COVERED";

const folder = await temporaryFolder();
/** @param {string} name */
const at = (name) => join(folder, name);
await writeFile(at("model.gguf"), MODEL);

/**
 * Expects an error of the package that an error of the file system has caused.
 *
 * @param {Promise<unknown>} promise
 * @param {string} code
 * @param {string} cause
 */
const failsBy = (promise, code, cause, message = /./) =>
  assert.rejects(promise, (/** @type {any} */ error) => {
    assert.deepEqual([error.name, error.code, error.cause?.code], ["GgufError", code, cause]);
    assert.match(error.message, message);
    return true;
  });

/** Checks the header of the model, opened from a source that is read once. @param {main.Gguf} gguf */
function checkStream(gguf) {
  assert.equal(gguf.fileSize, undefined);
  assert.equal(gguf.metadata.get("last"), 7);
  return gguf;
}

/** The descriptors of this process that are open files of the folder. */
function descriptors() {
  return execFileSync("ls", ["-l", `/proc/${process.pid}/fd`], { encoding: "utf8" })
    .split("\n")
    .filter((line) => line.includes(folder));
}

for (const [entry, { Gguf }] of /** @type {const} */ ([
  ["gguf-wasm/full/node", main],
  ["gguf-wasm/reader/node", /** @type {any} */ (reader)],
])) {
  describe(entry, () => {
    test("a path, a relative path, and a file: URL as a string and as an object", async () => {
      const url = pathToFileURL(at("model.gguf"));
      for (const source of [at("model.gguf"), relative(process.cwd(), at("model.gguf")), url, url.href]) {
        await checkValues(checkHeader(await Gguf.open(source)));
      }
    });

    test("a FileHandle, which stays open", async () => {
      const handle = await open(at("model.gguf"));
      const gguf = checkHeader(await Gguf.open(handle));
      await checkValues(gguf);
      gguf.free();
      assert.equal((await handle.stat()).size, MODEL.length);
      await handle.close();
    });

    test("a stream of Node.js, which is read up to the end of the header and destroyed", async () => {
      const stream = createReadStream(at("model.gguf"));
      const gguf = checkStream(await Gguf.open(stream));
      assert.ok(stream.destroyed);
      await fails(gguf.readBytes("blocks.weight"), { code: "no-ranges" });
    });

    test("missing files, folders and empty paths", async () => {
      await failsBy(Gguf.open(at("missing.gguf")), "read-failed", "ENOENT", /missing\.gguf/);
      await fails(Gguf.open(folder), { code: "invalid-source", message: /is a folder/ });
      await fails(Gguf.open(""), { code: "invalid-source", message: /empty/ });
      await fails(Gguf.open("a\0b"), { code: "read-failed" });
    });
  });
}

const { Gguf, GgufSet } = main;

describe("paths", () => {
  for (const name of [
    "a b.gguf",
    "100%25.gguf",
    "#1?.gguf",
    "модель 模型.gguf",
    "llama3:8b.gguf",
    "hub:x.gguf",
    "%2e.gguf",
  ]) {
    test(name, { skip: isWindows }, async () => {
      await writeFile(at(name), MODEL);
      checkHeader(await Gguf.open(at(name)));
      checkHeader(await Gguf.open(pathToFileURL(at(name)).href));
    });
  }

  test("a relative path with a colon, and a drive of Windows, are no URLs", { skip: isWindows }, async () => {
    for (const name of ["llama3:8b.gguf", "C:\\models\\x.gguf", "c:/models/x.gguf"]) {
      await failsBy(Gguf.open(name), "read-failed", "ENOENT");
    }
  });

  test("a file: URL with a host", { skip: isWindows }, () =>
    fails(Gguf.open("file://host/model.gguf"), { code: "invalid-source", message: /file:\/\/host\/model\.gguf/ }),
  );

  test("a URL of HTTP is requested", async () => {
    /** @type {string[]} */
    const seen = [];
    const fetch = async (/** @type {string} */ url) => {
      seen.push(url);
      return new Response(MODEL);
    };
    checkStream(await Gguf.open("HTTPS://example.com/model.gguf", { fetch }));
    assert.deepEqual(seen, ["https://example.com/model.gguf"]);
  });

  test("a FIFO is read as a stream", { skip: isWindows }, async () => {
    execFileSync("mkfifo", [at("fifo")]);
    const opened = Gguf.open(at("fifo"));
    const writer = createWriteStream(at("fifo"));
    // The reader closes the pipe after the header.
    writer.on("error", () => {});
    writer.end(MODEL);
    const gguf = checkStream(await opened);
    await fails(gguf.readBytes("blocks.weight"), { code: "no-ranges" });
  });

  test("a file that has been changed, replaced or removed is not read further", async () => {
    const path = at("changing.gguf");
    for (const change of [
      () => appendFile(path, "more"),
      async () => {
        await writeFile(at("other"), MODEL);
        await rename(at("other"), path);
      },
      () => rm(path),
    ]) {
      await rm(path, { force: true });
      await writeFile(path, MODEL);
      const gguf = await Gguf.open(path);
      await change();
      await fails(gguf.readBytes("blocks.weight"), { code: "changed" });
    }
  });

  test("the current folder may change", async () => {
    const before = process.cwd();
    process.chdir(folder);
    try {
      const gguf = await Gguf.open("model.gguf");
      process.chdir(before);
      await checkValues(gguf);
    } finally {
      process.chdir(before);
    }
  });

  test(
    "3,000 files are opened and never freed",
    { skip: process.platform !== "linux" && "needs /proc: NOT COVERED" },
    async () => {
      await writeFile(at("small.gguf"), ggufBytes([["general.architecture", text("llama")]]));
      const opened = [];
      for (let i = 0; i < 100; i += 1) opened.push(await Gguf.open(at("small.gguf")));
      await new Promise((resolve) => setTimeout(resolve, 50));
      assert.deepEqual(descriptors(), []);
      for (const gguf of opened) gguf.free();
    },
  );
});

describe("other entries say where local files are opened", () => {
  test("gguf-wasm and gguf-wasm/reader", async () => {
    const script = `
      import { Readable } from "node:stream";
      import { open } from "node:fs/promises";
      for (const [entry, from] of [["gguf-wasm/full", "gguf-wasm/full/node"], ["gguf-wasm/reader", "gguf-wasm/reader/node"]]) {
        const { Gguf } = await import(entry);
        const handle = await open(process.argv[1]);
        const sources = ["./model.gguf", "model.gguf", "C:\\\\m.gguf", "/m.gguf", "", "file:///m.gguf", new URL("file:///m.gguf"),
          handle, Readable.from([])];
        for (const source of sources) {
          const error = await Gguf.open(source).then(() => "opened", (error) => error);
          if (error.code !== "invalid-source" || !error.message.includes('"' + from + '"')) console.log(entry, source, error);
        }
        await handle.close();
      }
      const { GgufWriter } = await import("gguf-wasm/full");
      const gguf = await (await import("gguf-wasm/full")).Gguf.open(new GgufWriter().headerBytes());
      const error = await gguf.edit().plan().writeTo("x.gguf").then(() => "written", (error) => error);
      if (error.code !== "invalid-argument" || !error.message.includes('"gguf-wasm/full/node"')) console.log(error);
    `;
    const args = ["--no-warnings", "--input-type=module", "-e", script, at("model.gguf")];
    assert.equal(await run(process.execPath, args, import.meta.dirname), "");
  });
});

describe("GgufSet.open finds the other shards beside a path", () => {
  const files = shardFiles(3);
  /** @type {string[]} */
  const names = Object.keys(files);

  test("of any shard, as a path and as a URL", async () => {
    await mkdir(at("a #1 100%"));
    for (const [name, bytes] of Object.entries(files)) await writeFile(join(at("a #1 100%"), name), bytes);
    for (const name of names) {
      const path = join(at("a #1 100%"), name);
      for (const source of [path, pathToFileURL(path), pathToFileURL(path).href]) {
        const set = await GgufSet.open(source);
        assert.deepEqual(
          set.shards.map(({ name, path }) => [name, path]),
          names.map((name) => [name, join(at("a #1 100%"), name)]),
        );
        assert.deepEqual(set.findings, []);
        assert.deepEqual([...(await set.read("t3", { start: 1023 }))], [3]);
      }
    }
    const set = await GgufSet.open(names.map((name) => join(at("a #1 100%"), name)).toReversed());
    assert.deepEqual(set.findings, []);
  });

  test("a missing shard is a finding", async () => {
    await mkdir(at("incomplete"));
    for (const name of names.slice(1)) await writeFile(join(at("incomplete"), name), /** @type {any} */ (files)[name]);
    const set = await GgufSet.open(join(at("incomplete"), String(names[1])));
    assert.deepEqual(
      set.findings.map(({ code, shard }) => [code, shard]),
      [["missing-shard", 1]],
    );
    assert.equal(set.isComplete, false);
  });
});

describe("plan.writeTo", () => {
  /** @param {string} path @param {string} name */
  async function planOf(path, name) {
    const gguf = await Gguf.open(path);
    const editor = gguf.edit();
    editor.set("general.name", name);
    return { gguf, plan: editor.plan() };
  }

  /** @param {string} path */
  const nameOf = async (path) => (await Gguf.open(path)).metadata.get("general.name");

  /** @param {string} path */
  const unfinished = (path) => readdirSync(path).filter((name) => name.endsWith(".part"));

  test("a new file, as a path and as a URL", async () => {
    const { plan } = await planOf(at("model.gguf"), "new");
    const progress = /** @type {number[]} */ ([]);
    await plan.writeTo(at("new.gguf"), { onProgress: ({ bytesWritten }) => progress.push(bytesWritten) });
    assert.equal(await nameOf(at("new.gguf")), "new");
    assert.equal(progress.at(-1), plan.size);
    await plan.writeTo(pathToFileURL(at("url.gguf")));
    assert.equal(await nameOf(at("url.gguf")), "new");
    assert.deepEqual(unfinished(folder), []);
  });

  test("an existing file is replaced only with overwrite: true", async () => {
    const { plan } = await planOf(at("model.gguf"), "replaced");
    await writeFile(at("old.gguf"), "old");
    await failsBy(plan.writeTo(at("old.gguf")), "write-failed", "EEXIST", /overwrite/);
    await plan.writeTo(at("old.gguf"), { overwrite: true });
    assert.equal(await nameOf(at("old.gguf")), "replaced");
    await failsBy(plan.writeTo(folder, { overwrite: true }), "write-failed", "EISDIR");
    await failsBy(plan.writeTo(join(at("nowhere"), "x")), "write-failed", "ENOENT");
    await fails(plan.writeTo("https://example.com/x"), { code: "invalid-argument" });
    await fails(plan.writeTo(/** @type {any} */ (5)), { code: "invalid-argument" });
  });

  test("the original file is replaced safely, also by a link to it", { skip: isWindows }, async () => {
    await writeFile(at("own.gguf"), MODEL);
    await symlink(at("own.gguf"), at("link.gguf"));
    const { gguf, plan } = await planOf(at("own.gguf"), "edited");
    await failsBy(plan.writeTo(at("link.gguf")), "write-failed", "EEXIST");
    await plan.writeTo(at("link.gguf"), { overwrite: true });
    const written = await Gguf.open(at("own.gguf"));
    assert.equal(written.metadata.get("general.name"), "edited");
    assert.deepEqual(
      await written.readBytes("output.weight"),
      await (await Gguf.open(MODEL)).readBytes("output.weight"),
    );
    await fails(gguf.readBytes("output.weight"), { code: "changed" });
    await fails(plan.writeTo(at("again.gguf")), { code: "changed" });
  });

  test("an original file that has changed since it was opened is not overwritten", async () => {
    const bytes = ggufBytes([["general.architecture", text("llama")]]);
    await writeFile(at("raced.gguf"), bytes);
    const { plan } = await planOf(at("raced.gguf"), "second");
    const { plan: first } = await planOf(at("raced.gguf"), "first");
    await first.writeTo(at("raced.gguf"), { overwrite: true });
    await fails(plan.writeTo(at("raced.gguf"), { overwrite: true }), { code: "changed" });
    assert.equal(await nameOf(at("raced.gguf")), "first");
    assert.deepEqual(unfinished(folder), []);
  });

  test(
    "what a killed process has left is removed, and names can be as long as the system allows",
    { skip: isWindows },
    async () => {
      // 253 bytes. Letters of three bytes are not cut.
      const target = at(`${"日".repeat(83)}.g`);
      // The process is killed when the file is complete, and is to be moved to its place.
      const script = `import fs from "node:fs";
        import { syncBuiltinESMExports } from "node:module";
        fs.linkSync = () => process.kill(process.pid, "SIGKILL");
        syncBuiltinESMExports();
        const { Gguf } = await import("gguf-wasm/full/node");
        const [from, to] = process.argv.slice(1);
        await (await Gguf.open(from)).edit().plan().writeTo(to);`;
      const child = spawn(process.execPath, ["--input-type=module", "-e", script, at("model.gguf"), target]);
      const [, signal] = await once(child, "exit");
      assert.equal(signal, "SIGKILL");
      assert.equal(unfinished(folder).length, 1);
      // A file of a process that runs, and files of others.
      const [own = ""] = unfinished(folder);
      const kept = [
        own.replace(`.${child.pid}-`, `.${process.pid}-`),
        own.replace(/[0-9a-f]{14}\.part/, "0a0b0c0d.part"),
      ];
      for (const name of kept) await writeFile(at(name), "");
      const { plan } = await planOf(at("model.gguf"), "long");
      await plan.writeTo(target);
      assert.equal(await nameOf(target), "long");
      assert.deepEqual(unfinished(folder).sort(), kept.sort());
      for (const name of kept) await rm(at(name));
    },
  );

  test("an abort leaves nothing", async () => {
    const { plan } = await planOf(at("model.gguf"), "aborted");
    const controller = new AbortController();
    const writing = plan.writeTo(at("aborted.gguf"), {
      signal: controller.signal,
      onProgress: () => controller.abort(new Error("enough")),
    });
    await assert.rejects(writing, { message: "enough" });
    assert.ok(!readdirSync(folder).some((name) => name.includes("aborted")));
  });

  test("a source that fails leaves nothing", async () => {
    const read = async (/** @type {number} */ start, /** @type {number} */ end) => {
      if (start > 2.2e6) throw new Error("cut");
      return MODEL.slice(start, end);
    };
    const editor = (await Gguf.open({ size: MODEL.length, read })).edit();
    editor.set("general.name", "x");
    await fails(editor.plan().writeTo(at("failing.gguf")), { code: "read-failed" });
    assert.ok(!readdirSync(folder).some((name) => name.includes("failing")));
  });
});
