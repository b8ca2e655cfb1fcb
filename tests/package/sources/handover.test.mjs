// Opened files that are passed to another entry of the package, and to worker threads.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Worker } from "node:worker_threads";
import * as editor from "gguf-wasm/editor";
import * as main from "gguf-wasm/full";
import * as reader from "gguf-wasm/reader";
import { fails } from "../../support/expect.mjs";
import { serveFile, serveFiles } from "../../support/file-server.mjs";
import { ggufBytes, text } from "../../support/gguf-bytes.mjs";
import { shardFiles } from "../../support/shards.mjs";
import { checkHeader, MODEL } from "../../support/source-model.mjs";

/** @typedef {import("gguf-wasm/full").GgufSource} GgufSource */

/** @param {GgufSource} source */
const open = (source) => reader.Gguf.open(source);

const DATA = await (await main.Gguf.open(MODEL)).readBytes("output.weight");

/** @param {{ readBytes: main.Gguf["readBytes"] }} gguf */
async function checkData(gguf) {
  assert.deepEqual(await gguf.readBytes("output.weight"), DATA);
}

/** A source of the caller that counts its reads. */
function countingSource() {
  const source = {
    reads: 0,
    size: MODEL.length,
    /** @param {number} start @param {number} end */
    async read(start, end) {
      source.reads++;
      return MODEL.slice(start, end);
    },
  };
  return source;
}

describe("Gguf.from", () => {
  test("goes on with the main entry after the reader, without a request", async (t) => {
    const server = await serveFile(t, MODEL);
    const opened = await open(server.url);
    const before = server.requests.length;
    const gguf = checkHeader(main.Gguf.from(opened), MODEL.length);
    assert.ok(gguf instanceof main.Gguf);
    assert.deepEqual(gguf.headerBytes(), opened.headerBytes());
    assert.equal(gguf.validate().length, (await main.Gguf.open(MODEL)).validate().length);
    assert.equal(server.requests.length, before);
    await checkData(gguf);
    assert.equal(server.requests.length, before + 1);
  });

  test("the findings are the same for a file whose version field says 1", async () => {
    const file = ggufBytes([["general.architecture", text("llama")]]);
    file[4] = 1;
    const codes = (/** @type {main.Gguf} */ gguf) => gguf.validate().map(({ code }) => code);
    const direct = codes(await main.Gguf.open(file));
    assert.ok(direct.includes("wrong-version"));
    assert.deepEqual(codes(main.Gguf.from(await open(file))), direct);
  });

  for (const [name, source] of /** @type {[string, () => GgufSource][]} */ ([
    ["bytes", () => MODEL],
    ["a Blob", () => new Blob([MODEL])],
    ["an object with read", countingSource],
  ])) {
    test(`reads the same source: ${name}`, async () => {
      const opened = await open(source());
      const gguf = checkHeader(main.Gguf.from(opened), MODEL.length);
      opened.free();
      await checkData(gguf);
      await checkData(reader.Gguf.from(editor.Gguf.from(gguf)));
    });
  }

  test("makes no read of an object", async () => {
    const source = countingSource();
    const opened = await open(source);
    const before = source.reads;
    checkHeader(main.Gguf.from(opened), MODEL.length);
    assert.equal(source.reads, before);
  });

  test("of a stream knows the header, and cannot read data", async () => {
    const gguf = main.Gguf.from(await open(new Blob([MODEL]).stream()));
    assert.equal(gguf.metadata.get("last"), 7);
    await fails(gguf.readBytes("output.weight"), { code: "no-ranges" });
  });

  test("of an edited file reads the plan of the other entry", async () => {
    const edit = (await editor.Gguf.open(MODEL)).edit();
    edit.set("general.name", "Changed");
    const gguf = main.Gguf.from(await editor.Gguf.open(edit.plan()));
    assert.equal(gguf.metadata.get("general.name"), "Changed");
    await checkData(gguf);
  });

  test("refuses a freed file and everything else", async () => {
    const opened = await open(MODEL);
    opened.free();
    assert.throws(() => main.Gguf.from(opened), { name: "GgufError", code: "freed" });
    for (const other of [undefined, null, 1, "model.gguf", {}, { gguf: 2 }, MODEL, { gguf: 1, header: 1 }]) {
      assert.throws(() => main.Gguf.from(/** @type {any} */ (other)), {
        name: "GgufError",
        code: "invalid-argument",
        message: /Gguf/,
      });
    }
  });

  test("the errors of all entries are of one class", async () => {
    assert.equal(reader.GgufError, main.GgufError);
    assert.equal(editor.GgufError, main.GgufError);
  });
});

describe("GgufSet.from", () => {
  test("takes a set, with its missing shards, without a request", async (t) => {
    const files = shardFiles(3);
    const names = Object.keys(files);
    const server = await serveFiles(t, {
      [String(names[0])]: /** @type {Uint8Array<ArrayBuffer>} */ (files[String(names[0])]),
      [String(names[2])]: /** @type {Uint8Array<ArrayBuffer>} */ (files[String(names[2])]),
    });
    const opened = await main.GgufSet.open(`${server.origin}/${names[0]}`);
    const before = server.requests.length;
    const set = main.GgufSet.from(opened);
    assert.equal(server.requests.length, before);
    assert.notEqual(set, opened);
    assert.deepEqual(
      set.shards.map(({ number, name, url, gguf }) => [number, name, url, gguf?.tensors.length]),
      opened.shards.map(({ number, name, url, gguf }) => [number, name, url, gguf?.tensors.length]),
    );
    assert.deepEqual(set.findings, opened.findings);
    assert.deepEqual([...(await set.read("t3", { end: 2 }))], [...(await opened.read("t3", { end: 2 }))]);
    assert.equal(main.Gguf.from(set).tensors.length, opened.merged.tensors.length);
  });

  test("refuses everything that has no shards", () => {
    for (const other of [undefined, {}, MODEL]) {
      assert.throws(() => main.GgufSet.from(/** @type {any} */ (other)), {
        name: "GgufError",
        code: "invalid-argument",
      });
    }
  });
});

/** A worker that opens messages and answers with what it has read. */
const WORKER = `
  import { parentPort } from "node:worker_threads";
  import { Gguf } from "gguf-wasm/full";

  parentPort.on("message", async (message) => {
    try {
      const gguf = Gguf.from(message);
      parentPort.postMessage({ last: gguf.metadata.get("last"), data: await gguf.readBytes("output.weight") });
    } catch (error) {
      const { name, code, message, status } = error;
      parentPort.postMessage({ error: { name, code, message, status } });
    }
  });
`;

/**
 * Posts a file to a worker, and returns its answer.
 *
 * @param {import("node:test").TestContext} t
 * @param {{ toMessage: main.Gguf["toMessage"] }} gguf
 * @returns {Promise<any>}
 */
async function answerTo(t, gguf) {
  const script = new URL(
    `data:text/javascript,${encodeURIComponent(WORKER.replace('"gguf-wasm/full"', JSON.stringify(import.meta.resolve("gguf-wasm/full"))))}`,
  );
  const worker = new Worker(script);
  t.after(() => worker.terminate());
  const message = gguf.toMessage();
  worker.postMessage(message, message.transfer);
  return new Promise((resolve, reject) => worker.once("message", resolve).once("error", reject));
}

describe("toMessage", () => {
  for (const [name, source] of /** @type {[string, () => GgufSource][]} */ ([
    ["bytes", () => MODEL],
    ["an object with read", countingSource],
  ])) {
    test(`a worker reads ${name}`, async (t) => {
      const opened = await open(source());
      const { last, data } = await answerTo(t, opened);
      assert.equal(last, 7);
      assert.deepEqual(new Uint8Array(data), DATA);
    });
  }

  test("a worker reads a URL through this thread, and its header is not requested again", async (t) => {
    const server = await serveFile(t, MODEL);
    const opened = await open(server.url);
    const before = server.requests.length;
    const { data } = await answerTo(t, opened);
    assert.deepEqual(new Uint8Array(data), DATA);
    assert.equal(server.requests.length, before + 1);
  });

  test("errors of the source keep their code, and other errors become read-failed", async (t) => {
    for (const [thrown, code] of /** @type {[Error, string][]} */ ([
      [new main.GgufError("changed", "the file has changed"), "changed"],
      [new RangeError("no such bytes"), "read-failed"],
    ])) {
      const source = countingSource();
      const opened = await open(source);
      source.read = async () => {
        throw thrown;
      };
      const { error } = await answerTo(t, opened);
      assert.equal(error.name, "GgufError");
      assert.equal(error.code, code);
      assert.match(error.message, new RegExp(thrown.message));
    }
  });

  test("what a source throws may be anything, and the read rejects", async () => {
    const revoked = Proxy.revocable({}, {});
    revoked.revoke();
    const getter = () => {
      throw new Error("a getter");
    };
    for (const [thrown, code] of /** @type {[unknown, string][]} */ ([
      [new Proxy({}, { get: getter }), "read-failed"],
      [revoked.proxy, "read-failed"],
      [undefined, "read-failed"],
      [Object.assign(new main.GgufError("http", "no"), { status: () => 1 }), "http"],
      [Object.defineProperty(new main.GgufError("changed", "no"), "message", { get: getter }), "changed"],
    ])) {
      const source = countingSource();
      const opened = await open(source);
      const gguf = main.Gguf.from(opened.toMessage());
      source.read = async () => {
        throw thrown;
      };
      await fails(gguf.readBytes("output.weight"), { code });
    }
  });

  test("ignores messages that are no objects", async () => {
    const opened = await open(countingSource());
    const message = /** @type {any} */ (opened.toMessage());
    message.source.postMessage(null);
    await checkData(main.Gguf.from(message));
  });

  test("a message whose source is a port can be used once, by all entries together", async () => {
    const opened = await open(countingSource());
    const message = opened.toMessage();
    const gguf = main.Gguf.from(message);
    for (const { Gguf } of [main, editor, reader]) {
      assert.throws(() => Gguf.from(message), {
        name: "GgufError",
        code: "invalid-argument",
        message: /an unused message/,
      });
    }
    await checkData(gguf);
  });

  test("a message with another port or size is refused", async () => {
    const opened = await open(countingSource());
    const message = opened.toMessage();
    const wrong = [undefined, null, 1, {}, { postMessage() {} }].map((source) => ({ ...message, source }));
    const sizes = [-5, 1.5, Number.NaN, "9", null].map((size) => ({ ...message, size }));
    for (const other of [...wrong, ...sizes]) {
      assert.throws(() => main.Gguf.from(/** @type {any} */ (other)), { name: "GgufError", code: "invalid-argument" });
    }
    await checkData(main.Gguf.from(message));
  });

  test("a freed file has no message", async () => {
    const opened = await open(MODEL);
    opened.free();
    assert.throws(() => opened.toMessage(), { name: "GgufError", code: "freed" });
  });
});
