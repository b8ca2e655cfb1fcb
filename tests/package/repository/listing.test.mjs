// Listing a repository: its files, pages, shards, and the facts that the hub tells.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Gguf, GgufSet, listRepository, parseRepository } from "gguf-wasm/full";
import { abortSoon, fails } from "../../support/expect.mjs";
import { ggufBytes, text } from "../../support/gguf-bytes.mjs";
import { FORTY, json, refuse, serveHub, statedSha256 } from "../../support/hub-server.mjs";
import { shardFiles } from "../../support/shards.mjs";

const MODEL = ggufBytes([["general.architecture", text("llama")]], []);

describe("a repository", () => {
  test("its files have URLs, sizes, roles, encodings, hashes and bits per weight", async (t) => {
    const { origin: hub, requests } = await serveHub(t, {
      "owner/name": {
        files: { "README.md": 5, "m-Q4_0.gguf": MODEL, "a b/mmproj-m ü-F16.gguf": 7 },
        gguf: { total: MODEL.length, architecture: "llama" },
        gated: "manual",
      },
    });
    const repository = await listRepository("owner/name", { hub });
    const [model, projector] = repository.files;
    assert.deepEqual(
      { ...repository, files: repository.files.length },
      {
        id: "owner/name",
        revision: "main",
        url: `${hub}/owner/name`,
        folder: "",
        parameterCount: MODEL.length,
        architecture: "llama",
        isGated: true,
        files: 2,
      },
    );
    const sha256 = model?.parts[0]?.sha256;
    assert.match(sha256 ?? "", /^[\da-f]{64}$/);
    const url = `${hub}/owner/name/resolve/main/m-Q4_0.gguf`;
    assert.deepEqual(model, {
      name: "m-Q4_0.gguf",
      url,
      size: MODEL.length,
      role: "model",
      encoding: "Q4_0",
      bitsPerWeight: 8,
      parts: [{ name: "m-Q4_0.gguf", url, size: MODEL.length, sha256 }],
    });
    assert.equal(projector?.role, "projector");
    assert.equal(projector?.bitsPerWeight, undefined);
    assert.equal(projector?.url, `${hub}/owner/name/resolve/main/a%20b/mmproj-m%20%C3%BC-F16.gguf`);
    assert.equal(requests.length, 2);
    const gguf = await Gguf.open(url);
    assert.equal((await gguf.hash({ algorithms: [], file: true })).fileSha256, sha256);
  });

  test("forty files: sets are one row, and what is not a model comes after the models", async (t) => {
    const { origin: hub } = await serveHub(t, { "owner/name": FORTY });
    const { files } = await listRepository("owner/name", { hub });
    assert.equal(files.length, 40);
    assert.deepEqual(
      files.slice(36).map(({ role }) => role),
      ["projector", "projector", "draft", "imatrix"],
    );
    assert.ok(files.slice(0, 36).every(({ role }) => role === "model"));
    const [bf16, f32] = files;
    assert.deepEqual(bf16?.shards, { count: 2, present: 2 });
    assert.deepEqual([bf16?.size, bf16?.encoding], [16_060_000_000, "BF16"]);
    assert.equal(bf16?.bitsPerWeight?.toFixed(2), "16.00");
    assert.deepEqual(f32?.shards, { count: 4, present: 3 });
    assert.equal(f32?.bitsPerWeight, undefined);
    assert.equal(f32?.parts[2]?.name, "F32/Sample-8B-Instruct-F32-00004-of-00004.gguf");
    assert.equal(f32?.parts[2]?.sha256, statedSha256("F32/Sample-8B-Instruct-F32-00004-of-00004.gguf"));
  });

  test("all pages are read", async (t) => {
    const files = Object.fromEntries(Array.from({ length: 2500 }, (_, index) => [`m${index}.gguf`, index]));
    const { origin: hub, requests } = await serveHub(t, { "owner/name": { files } });
    const repository = await listRepository("owner/name", { hub });
    assert.equal(repository.files.length, 2500);
    assert.equal(requests.filter(({ path }) => path.includes("/tree/")).length, 3);
  });

  test("shards on different pages are one file, which GgufSet opens", async (t) => {
    const files = Object.fromEntries(Object.entries(shardFiles(3)).map(([name, bytes]) => [`Q4/${name}`, bytes]));
    const { origin: hub } = await serveHub(t, { "owner/name": { files } }, { pageSize: 1 });
    const { files: listed } = await listRepository("owner/name", { hub });
    assert.equal(listed.length, 1);
    const set = await GgufSet.open(listed[0]?.url ?? "");
    assert.equal(set.shards.length, 3);
  });

  test("a folder, and the folder of a file", async (t) => {
    const { origin: hub, requests } = await serveHub(t, {
      "owner/name": { files: { "a/b/m.gguf": 1, "a/n.gguf": 2, "o.gguf": 3 }, revisions: ["main", "refs/pr/1"] },
    });
    for (const place of [`${hub}/owner/name/tree/refs%2Fpr%2F1/a`, `${hub}/owner/name/blob/refs%2Fpr%2F1/a/n.gguf`]) {
      const { files, folder, revision, url } = await listRepository(place, { hub });
      assert.deepEqual([folder, revision, url], ["a", "refs/pr/1", `${hub}/owner/name/tree/refs%2Fpr%2F1/a`]);
      assert.deepEqual(
        files.map(({ name }) => name),
        ["a/b/m.gguf", "a/n.gguf"],
      );
      assert.equal(files[0]?.url, `${hub}/owner/name/resolve/refs%2Fpr%2F1/a/b/m.gguf`);
    }
    assert.ok(requests.some(({ path }) => path === "/api/models/owner/name/tree/refs%2Fpr%2F1/a"));
    const { files } = await listRepository("hub:owner/name/a/b", { hub, revision: "main" });
    assert.equal(files.length, 1);
  });

  test("datasets and spaces", async (t) => {
    const { origin: hub, requests } = await serveHub(t, {
      "datasets/owner/name": { files: { "m.gguf": 1 }, gated: "auto" },
      "spaces/owner/name": { files: { "m.gguf": 1 } },
    });
    const dataset = await listRepository("datasets/owner/name", { hub });
    assert.deepEqual([dataset.url, dataset.isGated], [`${hub}/datasets/owner/name`, true]);
    assert.equal(dataset.files[0]?.url, `${hub}/datasets/owner/name/resolve/main/m.gguf`);
    await listRepository(`${hub}/spaces/owner/name`, { hub });
    assert.deepEqual(requests.map(({ path }) => path).sort(), [
      "/api/datasets/owner/name",
      "/api/datasets/owner/name/tree/main",
      "/api/spaces/owner/name/tree/main",
    ]);
  });

  test("without the facts about the model, the files are listed", async (t) => {
    for (const answer of [
      (/** @type {any} */ response) => refuse(response, 500),
      (/** @type {any} */ response) => refuse(response, 429, undefined, { "Retry-After": "1" }),
      (/** @type {any} */ response) => void response.end("<!doctype html>"),
      (/** @type {any} */ response) => response.destroy(),
      (/** @type {any} */ response) => json(response, null),
      (/** @type {any} */ response) => json(response, { gguf: { total: "8B", architecture: ["llama"] }, gated: 0 }),
    ]) {
      const { origin: hub, requests } = await serveHub(
        t,
        { "owner/name": { files: { "m-Q4_0.gguf": 5 } } },
        {
          answer: (request, response) => {
            if (request.url?.includes("/tree/")) return false;
            answer(response);
            return true;
          },
        },
      );
      const { files, parameterCount, architecture, isGated } = await listRepository("owner/name", { hub });
      assert.deepEqual([files.length, parameterCount, architecture, isGated], [1, undefined, undefined, false]);
      assert.equal(requests.length, 2);
    }
  });

  test("facts that never come do not hide the files", async (t) => {
    const { origin: hub } = await serveHub(
      t,
      { "owner/name": { files: { "m.gguf": 5 } } },
      { answer: (request) => !request.url?.includes("/tree/") },
    );
    assert.equal((await listRepository("owner/name", { hub })).files.length, 1);
  });

  test("an abort ends the requests", async (t) => {
    const { origin: hub } = await serveHub(t, {}, { answer: () => true });
    await assert.rejects(listRepository("owner/name", { hub, signal: abortSoon() }), { name: "AbortError" });
    const signal = AbortSignal.abort("enough");
    await assert.rejects(listRepository("owner/name", { hub, signal }), (error) => error === "enough");
  });
});

test("parseRepository requests nothing", () => {
  const hub = "https://huggingface.co";
  assert.deepEqual(parseRepository("owner/name"), { id: "owner/name", url: `${hub}/owner/name` });
  assert.deepEqual(parseRepository("hub:owner/name@refs%2Fpr%2F1/a b/m.gguf"), {
    id: "owner/name",
    revision: "refs/pr/1",
    path: "a b/m.gguf",
    url: `${hub}/owner/name/resolve/refs%2Fpr%2F1/a%20b/m.gguf`,
  });
  assert.deepEqual(parseRepository("https://hf.co/owner/name/tree/main/a"), {
    id: "owner/name",
    revision: "main",
    path: "a",
    url: `${hub}/owner/name/tree/main/a`,
  });
  const mirror = parseRepository("http://mirror/x/owner/name", { hub: "http://mirror/x/", revision: "v1" });
  assert.deepEqual(mirror, { id: "owner/name", url: "http://mirror/x/owner/name/tree/v1" });
  // @ts-expect-error: not a string.
  assert.throws(() => parseRepository("owner/name", { hub: 5 }), { code: "invalid-argument" });
  for (const text of ["", "sample.gguf", "models/x.gguf", "https://example.com/a/b"])
    assert.equal(parseRepository(text), undefined);
  // @ts-expect-error: not a string.
  assert.throws(() => parseRepository(5), { code: "invalid-argument" });
});

test("no name and no address leads out of its repository", async (t) => {
  const { origin: hub, requests } = await serveHub(t, {});
  const refused = { code: "invalid-argument" };
  for (const part of ["..", ".", "a//b", "a?b", "a#b", "a\\b", "a/..", "../../whoami-v2", "%2e%2e", "..%2fx", "%5c"]) {
    await fails(listRepository("owner/name", { hub, revision: part }), refused);
    await fails(listRepository(`hub:owner/name@${part}/m.gguf`, { hub }), refused);
    await fails(listRepository(`hub:owner/name/${part}/m.gguf`, { hub }), refused);
    assert.equal(parseRepository(`hub:owner/name@${part}/m.gguf`), undefined);
    const inAddress = encodeURIComponent(part);
    for (const place of [`${inAddress}/a`, `main/${inAddress}`, `main/${inAddress}/m.gguf`]) {
      await fails(listRepository(`${hub}/owner/name/tree/${place}`, { hub }), refused);
      assert.equal(parseRepository(`https://huggingface.co/owner/name/resolve/${place}`), undefined, place);
    }
  }
  await fails(listRepository(`${hub}/o/n/tree/main/..%2f..%2fwhoami-v2`, { hub }), refused);
  assert.equal(requests.length, 0);
});

test("arguments of no use are refused before a request", async () => {
  const refused = { code: "invalid-argument" };
  await fails(listRepository("sample.gguf"), refused);
  await fails(listRepository("https://example.com/owner/name"), refused);
  // @ts-expect-error: not a string.
  await fails(listRepository(undefined), refused);
  for (const hub of ["", "huggingface.co", "ftp://x", "https://user:password@x", 5])
    // @ts-expect-error: some are no strings.
    await fails(listRepository("owner/name", { hub }), refused);
  // @ts-expect-error: no string.
  for (const revision of ["", 5]) await fails(listRepository("owner/name", { revision }), refused);
  // @ts-expect-error: no number.
  await fails(listRepository("owner/name", { retries: "x" }), refused);
});
