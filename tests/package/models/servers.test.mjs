// Folders of models on servers that have no ranges, or that send their page, or nothing, in place of files.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, before, describe, test } from "node:test";
import { Gguf, GgufSet } from "gguf-wasm/full";
import { openDraft, openImatrix, openLegacy } from "gguf-wasm/convert";
import { convertAdapter, openModel } from "gguf-wasm/models";

/** @typedef {(path: string, range: string | undefined) => { status?: number, type?: string, body?: string | Uint8Array } | undefined} Respond */

const PAGE = "\n<!DOCTYPE html><html><body>An app</body></html>";
/** A safetensors file with one tensor. @param {string} name */
const weightsOf = (name) => {
  const header = JSON.stringify({ [name]: { dtype: "F32", shape: [2], data_offsets: [0, 8] } });
  const bytes = new Uint8Array(8 + header.length + 8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(header.length), true);
  bytes.set(new TextEncoder().encode(header), 8);
  return bytes;
};
const WEIGHTS = weightsOf("weight");

/** @type {Respond} */
let respond = () => undefined;
/** @type {string[]} */
let requests = [];
const server = createServer((request, response) => {
  const path = request.url ?? "";
  requests.push(path);
  const {
    status,
    type = "application/octet-stream",
    body = "",
  } = respond(path, request.headers.range) ?? { status: 404 };
  const bytes = Buffer.from(body);
  const [, start = "0", last = ""] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? "") ?? [];
  const hasRange = status === 206 && request.headers.range !== undefined;
  const part = hasRange ? bytes.subarray(Number(start), last ? Number(last) + 1 : undefined) : bytes;
  const end = Number(start) + part.length - 1;
  const range = hasRange ? { "Content-Range": `bytes ${start}-${end}/${bytes.length}` } : {};
  response.writeHead(hasRange ? 206 : status === 206 ? 200 : (status ?? 200), {
    "Content-Type": type,
    "Content-Length": part.length,
    ...range,
  });
  response.end(part);
});
/** @type {string} */
let origin;
before(async () => {
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
  origin = `http://127.0.0.1:${/** @type {import("node:net").AddressInfo} */ (server.address()).port}`;
});
after(() => {
  server.closeAllConnections();
  server.close();
});

/** @param {Respond} answer */
function serve(answer) {
  respond = answer;
  requests = [];
}

/** All functions that open something at a URL. @type {Record<string, () => Promise<unknown>>} */
const OPENERS = {
  "Gguf.open": () => Gguf.open(`${origin}/m.gguf`),
  "GgufSet.open": () => GgufSet.open(`${origin}/m-00001-of-00002.gguf`),
  openImatrix: () => openImatrix(`${origin}/m.imatrix`),
  "openImatrix of a response": async () => openImatrix(await fetch(`${origin}/m.imatrix`)),
  openLegacy: () => openLegacy(`${origin}/m.bin`),
  openDraft: () => openDraft(`${origin}/m.bin`),
  openModel: () => openModel(`${origin}/m/`),
  "openModel of URLs": () =>
    openModel({ "config.json": `${origin}/c.json`, "model.safetensors": `${origin}/m.safetensors` }),
  convertAdapter: () => convertAdapter(`${origin}/a/`, { base: `${origin}/b/` }),
};

describe("every function that opens a URL fails with a code and few requests", () => {
  /** @type {Record<string, Respond>} */
  const servers = {
    "without ranges": () => ({ body: new Uint8Array(200_000).fill(65) }),
    "that sends a page for every address": () => ({ type: "text/html; charset=utf-8", body: PAGE }),
    "that sends a page of another type": () => ({ body: PAGE }),
    "that sends nothing": () => ({ body: "" }),
    "that sends nothing, with ranges": () => ({ status: 206, body: "" }),
  };
  for (const [title, answer] of Object.entries(servers)) {
    for (const [name, open] of Object.entries(OPENERS)) {
      test(`a server ${title}: ${name}`, async () => {
        serve(answer);
        await assert.rejects(open(), (error) => {
          assert.equal(/** @type {any} */ (error).name, "GgufError", String(error));
          assert.notEqual(/** @type {any} */ (error).code, "internal");
          return true;
        });
        // A model has up to 21 small files, which are asked for by their names.
        assert.ok(requests.length <= 25, `${requests.length} requests`);
      });
    }
  }

  test("an importance matrix on a server without ranges: no-ranges", async () => {
    serve(() => ({ body: new Uint8Array(200_000) }));
    await assert.rejects(openImatrix(`${origin}/m.imatrix`), { code: "no-ranges" });
  });

  test("a file without bytes ends too early", async () => {
    serve(() => ({ body: "" }));
    await assert.rejects(openImatrix(`${origin}/m.imatrix`), { code: "unexpected-eof" });
    assert.equal(requests.length, 1);
  });
});

describe("a server that sends its page for files that it does not have", () => {
  /** @param {Record<string, string | Uint8Array>} files @returns {Respond} */
  const withPage = (files) => (path) => {
    const body = files[path.slice(1)];
    return body === undefined ? { type: "text/html", body: PAGE } : { status: 206, body };
  };
  const config = JSON.stringify({ architectures: ["LlamaForCausalLM"], vocab_size: 2 });

  test("optional files are missing", async () => {
    serve(withPage({ "m/config.json": config, "m/model.safetensors": WEIGHTS }));
    const model = await openModel(`${origin}/m`);
    assert.deepEqual([model.className, model.files, model.tensors.length], ["LlamaForCausalLM", ["config.json"], 1]);
  });

  test("the configuration, and files with tensors: the error says that there is a page", async () => {
    for (const [name, bytes] of /** @type {const} */ ([
      ["m/model.safetensors", WEIGHTS],
      ["m/config.json", config],
    ])) {
      serve(withPage({ [name]: bytes }));
      await assert.rejects(openModel(`${origin}/m`), {
        code: "bad-response",
        message: /sent a web page in place of the file/,
      });
    }
    serve(withPage({}));
    await assert.rejects(convertAdapter(`${origin}/a`, { base: `${origin}/b` }), {
      code: "bad-response",
      message: /web page.*adapter_config\.json/,
    });
  });

  test("a page that was saved as a file is named", async () => {
    const files = { "config.json": new Blob([PAGE]), "model.safetensors": new Blob([WEIGHTS]) };
    const model = await openModel(files);
    assert.match(model.obstacles.map(({ message }) => message).join("\n"), /config\.json is not JSON, but a web page/);
  });
});

describe("an index that names many files", () => {
  const names = Array.from({ length: 10_000 }, (_, i) => `part-${String(i).padStart(5, "0")}.safetensors`);
  const index = JSON.stringify({ weight_map: Object.fromEntries(names.map((name, i) => [`t${i}`, name])) });

  test("is not asked for them after the first missing ones", async () => {
    serve((path) => (path.endsWith("model.safetensors.index.json") ? { body: index } : undefined));
    const model = await openModel(`${origin}/m`);
    const parts = requests.filter((path) => path.includes("/part-"));
    assert.ok(parts.length <= 32, `${parts.length} requests`);
    const message = model.obstacles.map((obstacle) => obstacle.message).join("\n");
    assert.match(
      message,
      /at least 16 of the files .* are missing: part-00000\.safetensors, .*9984 others were not asked for/s,
    );
  });

  test("is read whole if it has the files", async () => {
    const tensors = Object.fromEntries(names.slice(0, 40).map((name, i) => [name, `t${i}`]));
    const body = JSON.stringify({
      weight_map: Object.fromEntries(Object.entries(tensors).map(([name, of]) => [of, name])),
    });
    serve((path) => {
      if (path.endsWith("model.safetensors.index.json")) return { body };
      const tensor = tensors[path.slice("/m/".length)];
      return tensor === undefined ? undefined : { status: 206, body: weightsOf(tensor) };
    });
    assert.equal((await openModel(`${origin}/m`)).parts.length, 40);
  });
});
