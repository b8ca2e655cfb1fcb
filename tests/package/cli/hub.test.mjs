// Names of the hub as files, and the command `list`, against a server that answers like the hub.

import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, test } from "node:test";
import { FORTY, serveHub } from "../../support/hub-server.mjs";
import { serveFile } from "../../support/file-server.mjs";
import { shardFiles } from "../../support/shards.mjs";
import { installCommandLine, modelBytes, namesIn } from "./command-line.mjs";

const cli = await installCommandLine();

const model = await modelBytes();

/** A hub with a repository, and a function that runs the program with it. @param {any} t @param {{ token?: string }} [options] */
async function hubOf(t, { token = "", ...options } = {}) {
  const hub = await serveHub(t, {
    "owner/name": {
      files: {
        "m-Q4_K_M.gguf": model,
        "a b/m-Q8_0.gguf": model,
        "c/m-Q8_0.gguf": model,
        "mmproj-m-F16.gguf": model,
        ...Object.fromEntries(Object.entries(shardFiles(3)).map(([name, bytes]) => [`BF16/${name}`, bytes])),
      },
      revisions: ["main", "refs/pr/1"],
      gguf: { total: 1000, architecture: "llama" },
      ...options,
    },
    "owner/one": { files: { "README.md": 5, "only.gguf": model } },
    "owner/forty": FORTY,
    "owner/none": { files: { "README.md": 5 } },
  });
  const run = (/** @type {string[]} */ ...args) =>
    cli.run(args, { env: { HF_ENDPOINT: `${hub.origin}/`, HF_TOKEN: token } });
  const json = async (/** @type {string[]} */ ...args) => JSON.parse((await run(...args, "--json")).stdout);
  return { ...hub, run, json };
}

describe("names of the hub", { concurrency: true }, () => {
  test("a file by its path needs no list", async (t) => {
    const { run, requests } = await hubOf(t);
    const { code, stdout, stderr } = await run("inspect", "hub:owner/name@refs%2Fpr%2F1/a b/m-Q8_0.gguf");
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^general\.name +STRING +A model$/m);
    assert.ok(requests.every(({ path }) => path === "/owner/name/resolve/refs%2Fpr%2F1/a%20b/m-Q8_0.gguf"));
  });

  test("a model by its encoding, in small letters too", async (t) => {
    const { run, requests } = await hubOf(t);
    const { code, stderr } = await run("validate", "hub:owner/name:q4_k_m");
    assert.notEqual(code, 2, stderr);
    assert.ok(requests.some(({ path }) => path === "/owner/name/resolve/main/m-Q4_K_M.gguf"));
  });

  test("the shards of a set", async (t) => {
    const { json } = await hubOf(t);
    const { tensors } = await json("inspect", "hub:owner/name:BF16");
    const { tensors: ofFile } = await json("inspect", "hub:owner/name/BF16/m-00002-of-00003.gguf", "--one-file");
    assert.ok(tensors.length > ofFile.length);
  });

  test("the only model of a repository, and of a folder", async (t) => {
    const { run } = await hubOf(t);
    assert.equal((await run("inspect", "hub:owner/one")).code, 0);
    assert.equal((await run("inspect", "hub:owner/name/c")).code, 0);
  });

  test("an ambiguous and a missing encoding list the choices", async (t) => {
    const { run, json } = await hubOf(t);
    const ambiguous = await run("inspect", "hub:owner/name:Q8_0");
    assert.equal(ambiguous.code, 3);
    assert.match(
      ambiguous.stderr,
      /there are 2 models with the encoding Q8_0. Name one of a b\/m-Q8_0.gguf, c\/m-Q8_0.gguf/,
    );
    const missing = await run("inspect", "hub:owner/forty:Q4_K_X");
    assert.match(missing.stderr, /no model with the encoding Q4_K_X. It has BF16, F32, IQ1_M/);
    const none = await run("inspect", "hub:owner/name");
    assert.match(none.stderr, /there are 4 models. Name one of /);
    assert.equal((await json("inspect", "hub:owner/name:Q9")).error.code, "no-such-file");
  });

  test("the other commands take them, and edits need --output", async (t) => {
    const { run } = await hubOf(t);
    const folder = await cli.folder();
    for (const args of [
      ["hash", "hub:owner/one", "--file"],
      ["memory", "hub:owner/one"],
      ["split", "hub:owner/one", join(folder, "part"), "--max-tensors", "1"],
      ["merge", "hub:owner/name:BF16", join(folder, "merged.gguf")],
      ["set", "hub:owner/one", "general.name", "B", "--output", join(folder, "b.gguf")],
    ]) {
      const { code, stderr } = await run(...args);
      assert.equal(code, 0, `${args[0]}: ${stderr}`);
    }
    assert.ok(namesIn(folder).includes("merged.gguf") && namesIn(folder).includes("b.gguf"));
    const { code, stderr } = await run("set", "hub:owner/one", "general.name", "B");
    assert.equal(code, 2);
    assert.match(stderr, /hub:owner\/one cannot be changed itself/);
  });

  test("wrong names are wrong use", async (t) => {
    const { run, requests } = await hubOf(t);
    for (const name of [
      "hub:",
      "hub:owner",
      "hub:owner/name:",
      "hub:owner/../x.gguf",
      "hub:o/n@../m.gguf",
      "hub:o/n/%2e%2e/m.gguf",
    ]) {
      const { code, stderr } = await run("inspect", name);
      assert.equal(code, 2, name);
      assert.match(stderr, /is not a name of the hub, expected hub:OWNER/);
    }
    assert.equal(requests.length, 0);
    const { code, stderr } = await cli.run(["inspect", "hub:owner/name"], { env: { HF_ENDPOINT: "nowhere" } });
    assert.equal(code, 2);
    assert.match(stderr, /HF_ENDPOINT is "nowhere"/);
  });
});

describe("the token", () => {
  test("HF_TOKEN goes to HF_ENDPOINT, and --header comes first", async (t) => {
    const { run, requests } = await hubOf(t, { token: "hf_secret" });
    assert.equal((await run("inspect", "hub:owner/name:Q4_K_M")).code, 0);
    assert.ok(requests.length > 2);
    assert.ok(requests.every(({ headers }) => headers.authorization === "Bearer hf_secret"));
    requests.length = 0;
    await run("list", "hub:owner/one", "--header", "Authorization: Bearer own", "--header", "X-Mine: 1");
    assert.ok(requests.every(({ headers }) => headers.authorization === "Bearer own" && headers["x-mine"] === "1"));
  });

  test("it goes to no other server, and is never printed", async (t) => {
    const { run, origin, requests } = await hubOf(t, { token: "hf_secret" });
    const other = await serveFile(t, model);
    await run("inspect", other.url);
    assert.ok(other.requests.every(({ headers }) => headers.authorization === undefined));
    assert.equal(requests.length, 0);
    for (const args of [
      ["list", "hub:owner/missing"],
      ["inspect", "hub:owner/name:Q9", "--json"],
      ["inspect", `${origin}/owner/name/resolve/main/none.gguf`],
    ]) {
      const { stdout, stderr } = await run(...args);
      assert.doesNotMatch(stdout + stderr, /hf_secret/);
    }
  });
});

describe("list", { concurrency: true }, () => {
  test("a name with an encoding is refused, because of the encoding", async (t) => {
    const { run, requests } = await hubOf(t);
    const { code, stderr } = await run("list", "hub:owner/name:Q4_K_M");
    assert.equal(code, 2);
    assert.match(stderr, /names one model by :Q4_K_M, expected a repository or a folder. Give hub:owner\/name/);
    assert.equal(requests.length, 0);
  });

  test("a table of the files", async (t) => {
    const { run, origin } = await hubOf(t);
    const { code, stdout, stderr } = await run("list", "hub:owner/forty");
    assert.equal(code, 0, stderr);
    const lines = stdout.split("\n");
    assert.match(lines[0] ?? "", /^owner\/forty: 40 files, \d+\.\d GB, llama, 8,030,261,248 parameters$/);
    assert.equal(lines[1], `${origin}/owner/forty`);
    assert.match(lines[3] ?? "", /^Name +Kind +Size +Encoding +Bits per weight +Shards$/);
    assert.match(stdout, /^BF16\/Sample-8B-Instruct-BF16-00001-of-00002\.gguf +model +16\.1 GB +BF16 +16\.00 +2$/m);
    assert.match(stdout, /^F32\/.* +model +23\.0 GB +F32 +3 of 4$/m);
    assert.match(stdout, /^mmproj-Sample-8B-Instruct-F16\.gguf +projector +\d+\.\d MB +F16$/m);
  });

  test("names without `hub:`, addresses and folders; JSON", async (t) => {
    const { json, origin } = await hubOf(t);
    for (const name of ["owner/one", `${origin}/owner/one/tree/main`]) {
      const { id, files } = await json("list", name);
      assert.deepEqual(
        [id, files.length, files[0].url],
        ["owner/one", 1, `${origin}/owner/one/resolve/main/only.gguf`],
      );
      assert.match(files[0].parts[0].sha256, /^[\da-f]{64}$/);
    }
    assert.equal((await json("list", "hub:owner/name/BF16")).files[0].shards.count, 3);
  });

  test("what the hub refuses is an error with its code", async (t) => {
    const { run, json } = await hubOf(t);
    const { code, stderr } = await run("list", "hub:owner/missing");
    assert.equal(code, 3);
    assert.match(stderr, /no repository owner\/missing, or it is private.* \(repository-not-found\)/);
    assert.equal((await json("list", "hub:owner/none")).error.code, "no-gguf-files");
    assert.equal((await json("list", "hub:owner/one@v9")).error.code, "revision-not-found");
    assert.equal((await run("list", "sample.gguf")).code, 2);
  });
});
