// A model gives the same file from every kind of source: files, handles, records, URLs of a folder, and a repository of a hub.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import * as main from "gguf-wasm/full";
import { requantize } from "gguf-wasm/convert/node";
import { openModel } from "gguf-wasm/models";
import * as node from "gguf-wasm/models/node";
import { range, serveFiles, whole } from "../../support/file-server.mjs";
import { serveHub } from "../../support/hub-server.mjs";
import { missing } from "../corpus.mjs";
import { bytesOf, filesOf, folderOf, model, optionsOf, run, sha256 } from "./corpus.mjs";

/** @import { HubModel } from "gguf-wasm/models" */
/** @import { Answer } from "../../support/file-server.mjs" */

/** Models with one part and with several, and of all kinds of vocabularies. */
const NAMES = [
  "Tiny-Llama-0.1M-Chat-v1.0",
  "llama3-style",
  "Mixtral-4x0.1M-Instruct",
  "DeepSeek-V2-Lite-tiny",
  "bge-tiny-en-v1.5",
  "multilingual-e5-tiny",
  "gpt2-odd-rows",
  "gpt-oss-tiny",
];

/** Asserts that a model gives the file of a run. @param {HubModel} opened @param {string} name @param {string} [id] */
async function assertGives(opened, name, id = "f16") {
  const found = model(name);
  const expected = run(found, id);
  const plan = await opened.convert(optionsOf(expected, found.pre));
  assert.equal(sha256(await bytesOf(plan)), expected.output.sha256, `${name} ${id}`);
}

/** The files of a model as a person chooses a folder. @param {string} name */
function chosen(name) {
  return Object.entries(filesOf(`models/${name}`)).map(([path, bytes]) => {
    const file = new File([bytes], path.split("/").at(-1) ?? "");
    return Object.defineProperty(file, "webkitRelativePath", { value: `${name}/${path}` });
  });
}

/** A folder of a model as a handle. @param {string} name @param {Record<string, Uint8Array<ArrayBuffer>>} files */
function handleOf(name, files) {
  return {
    kind: /** @type {const} */ ("directory"),
    name,
    async *entries() {
      const folders = new Set();
      for (const [path, bytes] of Object.entries(files)) {
        const [first = "", ...rest] = path.split("/");
        if (rest.length === 0) {
          yield /** @type {[string, any]} */ ([first, { kind: "file", getFile: async () => new File([bytes], first) }]);
        } else if (!folders.has(first)) {
          folders.add(first);
          const inside = Object.entries(files).filter(([other]) => other.startsWith(`${first}/`));
          const inner = Object.fromEntries(inside.map(([other, bytes]) => [other.slice(first.length + 1), bytes]));
          yield /** @type {[string, any]} */ ([first, handleOf(first, inner)]);
        }
      }
    },
  };
}

/** Answers with ranges to those who ask for them. @type {Answer} */
const either = (request, ...rest) => (request.headers.range ? range : whole)(request, ...rest);

describe("a model gives the same file", { skip: missing }, () => {
  test("from the files that a person has chosen", async () => {
    for (const name of NAMES) {
      const opened = await openModel(chosen(name));
      assert.equal(opened.name, name);
      await assertGives(opened, name);
    }
  });

  test("from a handle of a folder", async () => {
    for (const name of NAMES.slice(0, 5)) {
      const opened = await openModel(handleOf(name, filesOf(`models/${name}`)));
      assert.equal(opened.name, name);
      await assertGives(opened, name);
    }
  });

  test("from an object of sources", async () => {
    for (const name of NAMES) {
      const kinds = [
        (/** @type {Uint8Array<ArrayBuffer>} */ bytes) => bytes,
        (/** @type {Uint8Array<ArrayBuffer>} */ bytes) => new Blob([bytes]),
        (/** @type {Uint8Array} */ bytes) => ({
          size: bytes.length,
          read: async (/** @type {number} */ start, /** @type {number} */ end) => bytes.slice(start, end),
        }),
        (/** @type {Uint8Array} */ bytes) => ({
          read: async (/** @type {number} */ start, /** @type {number} */ end) => bytes.slice(start, end),
        }),
      ];
      const sources = Object.entries(filesOf(`models/${name}`)).map(([path, bytes], i) => [
        path,
        kinds[i % 4]?.(bytes),
      ]);
      const opened = await openModel(Object.fromEntries(sources), { folderName: name });
      await assertGives(opened, name);
    }
  });

  test("from the URL of a folder, whose files are asked for by their names", async (t) => {
    for (const name of NAMES) {
      const files = Object.entries(filesOf(`models/${name}`));
      const served = Object.fromEntries(files.map(([path, bytes]) => [`${name}/${path}`, bytes]));
      const { origin, requests } = await serveFiles(t, served, either);
      const opened = await openModel(`${origin}/${name}/?version=1`);
      assert.equal(opened.name, name);
      // A server does not tell which templates there are.
      const listed = (await openModel(chosen(name))).files.filter(
        (path) => !path.startsWith("additional_chat_templates/"),
      );
      assert.deepEqual(opened.files, listed);
      assert.ok(requests.every(({ query }) => query === "?version=1"));
      await assertGives(opened, name);
    }
  });

  test("from a repository of a hub, with the token of its owner", async (t) => {
    const repositories = NAMES.map((name) => [
      `owner/${name}`,
      { files: filesOf(`models/${name}`), token: "hf_test", revisions: ["main", "v1"] },
    ]);
    const { origin: hub, requests } = await serveHub(t, Object.fromEntries(repositories));
    const headers = { Authorization: "Bearer hf_test" };
    for (const name of NAMES) {
      const opened = await openModel({ repository: `owner/${name}`, revision: "v1", hub }, { headers });
      assert.equal(opened.name, name);
      await assertGives(opened, name);
    }
    assert.ok(requests.every(({ headers }) => headers.authorization === "Bearer hf_test"));
    assert.ok(requests.some(({ path }) => path.includes("/resolve/v1/")));
    await assert.rejects(openModel({ repository: `owner/${NAMES[0]}`, hub }), { code: "repository-not-found" });
    await assert.rejects(openModel({ repository: `owner/${NAMES[0]}`, revision: "v2", hub }, { headers }), {
      code: "revision-not-found",
    });
  });

  test("from a folder of a repository", async (t) => {
    const [name = ""] = NAMES;
    const files = Object.entries(filesOf(`models/${name}`)).map(([path, bytes]) => [`sub/${name}/${path}`, bytes]);
    const { origin: hub } = await serveHub(t, { "owner/all": { files: Object.fromEntries(files) } });
    const opened = await openModel({ repository: `hub:owner/all/sub/${name}`, hub });
    assert.equal(opened.name, name);
    await assertGives(opened, name);
  });

  test("from a path with a slash, and from a file: URL", async () => {
    const [name = ""] = NAMES;
    const path = folderOf(`models/${name}`);
    for (const source of [`${path}/`, new URL(`file://${path}/`)]) {
      const opened = await node.openModel(source);
      assert.equal(opened.name, name);
      await assertGives(opened, name, "bf16");
    }
  });

  test("in all types, also if it is quantized while it is read", async () => {
    const name = "Qwen3-0.2M-Base";
    const opened = await node.openModel(folderOf(`models/${name}`));
    const { pre } = model(name);
    const plan = await opened.convert({ type: "f32", pre: pre ?? undefined });
    const inTwoSteps = await requantize(await main.Gguf.open(await bytesOf(plan)), { type: "Q8_0", pure: true });
    const expected = await bytesOf(inTwoSteps);
    for (const gguf of [plan.gguf, await main.Gguf.open(plan), main.Gguf.from(plan.gguf)]) {
      assert.ok(expected.equals(await bytesOf(await requantize(gguf, { type: "Q8_0", pure: true }))));
    }
  });
});

describe("what is no folder of a model", { skip: missing }, () => {
  test("is refused with a code", async (t) => {
    const file = new File(["{}"], "config.json");
    for (const source of [undefined, 1, {}, new Blob([]), [{}], [file, file], new Uint8Array(8)]) {
      await assert.rejects(openModel(/** @type {any} */ (source)), { name: "GgufError", code: "invalid-source" });
    }
    await assert.rejects(openModel("hub:name"), { code: "invalid-source" });
    await assert.rejects(openModel({ repository: "name" }), { code: "invalid-argument" });
    await assert.rejects(openModel({ "config.json": file }, /** @type {any} */ ({ nam: "x" })), {
      code: "invalid-argument",
    });
    await assert.rejects(node.openModel("no/such/folder"), (error) => {
      const { code, cause } = /** @type {import("gguf-wasm/full").GgufError} */ (error);
      return code === "read-failed" && Object(cause).code === "ENOENT";
    });
    await assert.rejects(node.openModel(`${folderOf("models/llama3-style")}/config.json`), { code: "invalid-source" });
    const { origin } = await serveFiles(t, {}, either);
    const model = await openModel(`${origin}/nothing`);
    assert.deepEqual(
      model.obstacles.map(({ code }) => code),
      ["incomplete-model", "incomplete-model"],
    );
  });

  test("a file of the model cannot name a file outside of its folder", async (t) => {
    const files = filesOf("models/bge-tiny-en-v1.5");
    const modules = JSON.stringify([{ type: "sentence_transformers.models.Pooling", path: "../secret" }]);
    const served = Object.entries({ ...files, "modules.json": Buffer.from(modules) });
    const { origin, requests } = await serveFiles(
      t,
      Object.fromEntries([
        ...served.map(([path, bytes]) => [`m/${path}`, bytes]),
        ["secret/config.json", files["config.json"]],
      ]),
      either,
    );
    const model = await openModel(`${origin}/m`);
    await assert.rejects(model.convert({ pre: "jina-v2-en" }), { code: "incomplete-model" });
    assert.ok(requests.every(({ name }) => name.startsWith("m/")));
  });
});
