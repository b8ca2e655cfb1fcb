// Why a server refuses a file, and the size of a file that ranges do not tell.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Gguf } from "gguf-wasm/full";
import { serveFile } from "../../support/file-server.mjs";
import { smallModel } from "../../support/gguf-bytes.mjs";

const model = smallModel();

/** The error of opening a file that a server refuses. @param {any} t @param {number} status @param {Record<string, string>} [headers] */
async function refused(t, status, headers = {}) {
  const { url } = await serveFile(t, model, (_request, response) => void response.writeHead(status, headers).end());
  const error = await Gguf.open(url, { retries: 0 }).catch((/** @type {any} */ error) => error);
  assert.deepEqual([error.code, error.status], ["http", status]);
  return error;
}

describe("a refusal says what to do", () => {
  for (const [status, code, message] of /** @type {const} */ ([
    [
      401,
      "GatedRepo",
      /status 401 GatedRepo, expected.*gated: accept its conditions on its page, and give an access token/,
    ],
    [403, "GatedRepo", /gated: accept its conditions/],
    [401, "RepoNotFound", /no repository of this name, or it is private.*may have been renamed/],
    [404, "EntryNotFound", /no file of this name/],
    [404, "RevisionNotFound", /no such revision/],
    [401, undefined, /status 401, expected.*not public, or the access token is wrong/],
    [404, undefined, /no file at this address/],
    [429, undefined, /too many requests.*Wait some minutes/],
  ])) {
    test(`${status} ${code ?? ""}`, async (t) => {
      const error = await refused(t, status, code === undefined ? {} : { "X-Error-Code": code });
      assert.match(error.message, message);
      assert.match(error.stack, message);
    });
  }

  test("if anything is known of it", async (t) => {
    const { message } = await refused(t, 418, { "X-Error-Code": "constructor" });
    assert.match(message, /status 418 constructor, expected 206 or 200 \(http\S+\)$/);
  });
});

describe("a server that sends ranges without the size of the file", () => {
  for (const tellsSize of [true, false]) {
    test(`is asked for it by a range beyond the end${tellsSize ? "" : ", and may not tell it"}`, async (t) => {
      const { url, requests } = await serveFile(t, model, (request, response) => {
        const [, first = "", last = ""] = /bytes=(\d+)-(\d*)/.exec(request.headers.range ?? "") ?? [];
        const end = Math.min(Number(last || Infinity) + 1, model.length);
        if (Number(first) >= model.length) {
          response.writeHead(416, tellsSize ? { "Content-Range": `bytes */${model.length}` } : {}).end();
          return;
        }
        response.writeHead(206, { "Content-Range": `bytes ${first}-${end - 1}/*` });
        response.end(model.subarray(Number(first), end));
      });
      const gguf = await Gguf.open(url);
      assert.equal(gguf.fileSize, tellsSize ? model.length : undefined);
      assert.equal(requests.at(-1)?.range, `bytes=${2 ** 53 - 1}-${2 ** 53 - 1}`);
      assert.ok((await gguf.readBytes(String(gguf.tensors.at(-1)?.name))).length > 0);
    });
  }
});
