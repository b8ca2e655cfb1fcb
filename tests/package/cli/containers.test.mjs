// Files that are opened from others: the GGUF file in a llamafile or a ZIP archive, and files that were cut into raw parts.

import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import { Gguf } from "gguf-wasm/full";
import { serveFile, serveFiles } from "../../support/file-server.mjs";
import { PROGRAM, zipBytes } from "../../support/zip-bytes.mjs";
import { installCommandLine, modelBytes } from "./command-line.mjs";

const cli = await installCommandLine();
const model = await modelBytes();
const small = await modelBytes({ name: "Small", sizes: [8] });

/** @type {typeof import("../../../pkg-template/common/contained-gguf.js")} */
const { containedGguf } = await import(cli.module("../common/contained-gguf.js"));
/** @type {typeof import("../../../pkg-template/common/raw-parts.js")} */
const { missingParts, rawPart, rawSets } = await import(cli.module("../common/raw-parts.js"));

const files = [
  { name: ".args", bytes: Buffer.from("-m\nmodel.gguf\n") },
  { name: "mmproj.gguf", bytes: small },
  { name: "models/model.gguf", bytes: model, padding: 37 },
];

describe("a GGUF file inside another one", () => {
  for (const [title, options] of /** @type {const} */ ([
    ["a ZIP archive", {}],
    ["a llamafile", { before: PROGRAM }],
    ["an archive behind a program that its offsets do not count", { before: PROGRAM, countsBefore: false }],
    ["an archive with 64-bit numbers", { before: PROGRAM, isLarge: true }],
    [
      "an archive with 64-bit numbers that do not count what is before",
      { before: PROGRAM, isLarge: true, countsBefore: false },
    ],
    ["an archive with a comment", { comment: "PK\x05\x06 is no end here" }],
  ])) {
    test(`of ${title} is found by its list`, async () => {
      const bytes = zipBytes(files, options);
      let read = 0;
      const source = {
        size: bytes.length,
        read: async (/** @type {number} */ start, /** @type {number} */ end) => {
          read += 1;
          return new Uint8Array(bytes.subarray(start, end));
        },
      };
      for (const given of [new Blob([bytes]), source]) {
        const inside = await containedGguf(given);
        assert.deepEqual([inside?.name, inside?.others], ["model.gguf", ["mmproj.gguf"]]);
        const gguf = await Gguf.open(/** @type {NonNullable<typeof inside>} */ (inside).source);
        assert.equal(gguf.name, "A model");
        assert.equal(gguf.fileSize, model.length);
        const [tensor] = gguf.tensors;
        assert.deepEqual(await gguf.read(tensor?.name ?? ""), new Float32Array(256).fill(1));
      }
      assert.ok(read <= 6, `${read} reads`);
    });
  }

  test("is not found where it is compressed, cut off, or not there", async () => {
    const whole = zipBytes(files);
    for (const bytes of [
      zipBytes([{ name: "model.gguf", bytes: model, isCompressed: true }]),
      zipBytes([{ name: "readme.txt", bytes: small }]),
      whole.subarray(0, whole.length - 30),
      whole.subarray(60),
      new Uint8Array(100),
      new Uint8Array(),
    ]) {
      assert.equal(await containedGguf(new Blob([Uint8Array.from(bytes)])), undefined);
    }
  });

  test("is opened by the commands, and never changed in place", async (context) => {
    const path = join(await cli.folder(), "model.llamafile");
    const bytes = zipBytes(files, { before: PROGRAM });
    await writeFile(path, bytes);
    const { stdout, stderr } = await cli.succeed(["inspect", path]);
    assert.match(stdout, /A model/);
    assert.match(stderr, /llamafile: the GGUF file inside is opened, model\.gguf\. It also has mmproj\.gguf\./);
    const { container, fileSize } = await cli.json(["inspect", path]);
    assert.deepEqual([container, fileSize], ["llamafile", model.length]);
    const refused = await cli.run(["set", path, "general.name", "Other"]);
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /model\.gguf is inside a llamafile.*--output PATH/);
    assert.deepEqual(await readFile(path), bytes);
    const output = join(await cli.folder(), "out.gguf");
    await cli.succeed(["set", path, "general.name", "Other", "--output", output]);
    assert.equal((await Gguf.open(new Blob([Uint8Array.from(await readFile(output))]))).name, "Other");
    const server = await serveFile(context, bytes);
    assert.match((await cli.succeed(["inspect", server.url])).stdout, /A model/);
  });
});

describe("the name of a raw part", () => {
  for (const [name, base, index, count, next] of /** @type {const} */ ([
    ["m.Q8_0.gguf.part1of2", "m.Q8_0.gguf", 1, 2, "m.Q8_0.gguf.part2of2"],
    ["m.gguf.part-01-of-12", "m.gguf", 1, 12, "m.gguf.part-02-of-12"],
    ["m.part1of2.gguf", "m.gguf", 1, 2, "m.part2of2.gguf"],
    ["m.gguf-split-a", "m.gguf", 0, undefined, "m.gguf-split-b"],
    ["m.GGUF.001", "m.GGUF", 1, undefined, "m.GGUF.002"],
    ["m.gguf.00", "m.gguf", 0, undefined, "m.gguf.01"],
    ["m.gguf.part9", "m.gguf", 9, undefined, "m.gguf.part10"],
    ["m.gguf.partaz", "m.gguf", 25, undefined, "m.gguf.partba"],
    ["m.ggufaa", "m.gguf", 0, undefined, "m.ggufab"],
  ])) {
    test(`${name} says which part it is`, () => {
      const part = rawPart(name);
      assert.deepEqual([part?.base, part?.index, part?.count], [base, index, count]);
      assert.equal(part?.nameAt(index), name);
      assert.equal(part?.nameAt(index + 1), next);
      assert.equal(rawPart(next)?.set, part?.set);
    });
  }

  test("is not that of other files", () => {
    for (const name of [
      "m.gguf",
      "m-00001-of-00002.gguf",
      "m.gguf.gz",
      "m.gguf.part",
      "m.gguf.1",
      "m.gguf.tar",
      "part1of2",
      "m.gguf.part3of2",
    ]) {
      assert.equal(rawPart(name), undefined, name);
    }
  });

  test("tells which parts are missing", () => {
    const missing = (/** @type {string[]} */ ...names) =>
      rawSets(names, (name) => name).map((set) => [set.isBeginning, set.missing]);
    assert.deepEqual(missing("a.gguf.part2of2", "a.gguf.part1of2"), [[true, []]]);
    assert.deepEqual(missing("a.gguf.part1of3"), [[true, ["a.gguf.part2of3", "a.gguf.part3of3"]]]);
    assert.deepEqual(missing("a.gguf-split-b"), [[false, ["a.gguf-split-a"]]]);
    assert.deepEqual(missing("a.gguf.000", "a.gguf.002", "b.gguf.002"), [
      [false, ["a.gguf.001"]],
      [false, ["b.gguf.001"]],
    ]);
    assert.match(String(missingParts({ base: "a.gguf", missing: ["x"] })), /a part of a\.gguf.*missing beside it: x\./);
  });
});

describe("raw parts", () => {
  const cut = 700;
  const parts = [model.subarray(0, cut), model.subarray(cut)];

  /** A folder with parts. @param {readonly string[]} names */
  async function folderOf(...names) {
    const folder = await cli.folder();
    for (const [i, name] of names.entries()) await writeFile(join(folder, name), parts[i] ?? "");
    return (/** @type {string} */ name) => join(folder, name);
  }

  for (const names of [
    ["m.gguf.part1of2", "m.gguf.part2of2"],
    ["m.gguf-split-a", "m.gguf-split-b"],
    ["m.gguf.000", "m.gguf.001"],
  ]) {
    test(`${names.join(" and ")} are one file for every command, and merged as cat joins them`, async () => {
      const at = await folderOf(...names);
      const [first = "", second = ""] = names;
      for (const name of names) {
        const { stdout, stderr } = await cli.succeed(["inspect", at(name)]);
        assert.match(stdout, /A model[^]*complete/);
        assert.doesNotMatch(stdout, /not complete/);
        assert.match(stderr, /2 raw parts are read as one file, m\.gguf\./);
      }
      const { files: listed } = await cli.json(["list", at(".")]);
      assert.deepEqual(
        listed.map((/** @type {any} */ { name, size, container }) => [name, size, container]),
        [[first, model.length, "raw parts"]],
      );
      const before = await readFile(at(first));
      assert.equal((await cli.run(["set", at(first), "general.name", "x"])).code, 1);
      assert.deepEqual(await readFile(at(first)), before);
      for (const given of [[at(second)], [at(first), at(second)]]) {
        await cli.succeed(["merge", ...given, at("out.gguf"), "--force"]);
        assert.deepEqual(await readFile(at("out.gguf")), Buffer.from(model));
      }
      // The parts are inputs.
      const overwriting = await cli.run(["merge", at(first), at(second), "--force"]);
      assert.notEqual(overwriting.code, 0);
      assert.deepEqual(await readFile(at(second)), Buffer.from(parts[1] ?? ""));
    });
  }

  test("that are not all there are named", async () => {
    const at = await folderOf("m.gguf.part1of2", "other.gguf.part2of2");
    const { stdout, stderr } = await cli.succeed(["inspect", at("m.gguf.part1of2")]);
    assert.match(stdout, /not complete/);
    assert.match(stderr, /a part of m\.gguf.*missing beside it: m\.gguf\.part2of2\. Put all parts into one folder\./);
    const merged = await cli.run(["merge", at("m.gguf.part1of2"), at("out.gguf")]);
    assert.equal(merged.code, 1);
    assert.match(merged.stdout, /nothing was written: the last parts are missing/);
    const alone = await cli.run(["inspect", at("other.gguf.part2of2")]);
    assert.equal(alone.code, 3);
    assert.match(alone.stderr, /a part of other\.gguf.*missing beside it: other\.gguf\.part1of2.*\(missing-parts\)/);
    assert.doesNotMatch(alone.stderr, /Check that it is a GGUF file|Download/);
  });

  test("of a server are found by their names", async (context) => {
    for (const names of [
      ["m.gguf.part1of2", "m.gguf.part2of2"],
      ["m.gguf.part-aa", "m.gguf.part-ab"],
      ["m.gguf.000", "m.gguf.001"],
    ]) {
      const served = await serveFiles(context, Object.fromEntries(names.map((name, i) => [name, parts[i] ?? model])));
      for (const name of names) {
        const { fileSize, dataComplete } = await cli.json(["inspect", `${served.origin}/${name}?download=true`]);
        assert.deepEqual([fileSize, dataComplete], [model.length, true]);
      }
    }
  });
});

describe("bytes behind the data", () => {
  /** @param {...Uint8Array} pieces */
  const validated = async (...pieces) => {
    const path = join(await cli.folder(), "m.gguf");
    await writeFile(path, Buffer.concat(pieces));
    return (await cli.json(["validate", path], 1)).files[0].findings;
  };

  test("are named: shards that were joined, and a web page", async () => {
    const [shards] = (await validated(model, small)).filter((/** @type {any} */ { code }) => code === "trailing-bytes");
    assert.equal(shards.severity, "warning");
    assert.match(shards.message, new RegExp(`Another GGUF file begins at offset ${model.length}.*joined with cat`));
    assert.doesNotMatch(shards.message, /Remove them/);
    const page = Buffer.from("<!doctype html><html><body>502 Bad Gateway</body></html>\n");
    const [after] = (await validated(model, page)).filter((/** @type {any} */ { code }) => code === "trailing-bytes");
    assert.match(after.message, /ends with a web page/);
    const [other] = (await validated(model, Buffer.alloc(64))).filter(
      (/** @type {any} */ { code }) => code === "trailing-bytes",
    );
    assert.match(other.message, /Remove them, unless/);
  });

  test("that are shards are a set, and are merged properly", async (context) => {
    const { folder, path } = await cli.newModel(await modelBytes({ sizes: [8, 8, 8] }));
    await cli.succeed(["split", path, join(folder, "part"), "--max-tensors", "1"]);
    const shards = [1, 2, 3].map((number) => join(folder, `part-0000${number}-of-00003.gguf`));
    const pieces = await Promise.all(shards.map((shard) => readFile(shard)));
    const joined = join(folder, "joined.gguf");
    await writeFile(joined, Buffer.concat(pieces));
    const { stdout, stderr } = await cli.succeed(["inspect", joined]);
    assert.match(stderr, /3 shards that were joined with cat are opened as a set/);
    assert.match(stdout, /Shards +3\n/);
    assert.equal((await cli.json(["inspect", joined])).container, "joined shards");
    const merged = join(folder, "merged.gguf");
    await cli.succeed(["merge", joined, merged]);
    assert.deepEqual(await readFile(merged), await readFile(path));
    const server = await serveFile(context, await readFile(joined));
    await cli.succeed(["merge", server.url, merged, "--force"]);
    assert.deepEqual(await readFile(merged), await readFile(path));
    const { files: checked } = await cli.json(["validate", joined], 1);
    const codes = checked[0].findings.map((/** @type {any} */ { code }) => code);
    assert.ok(codes.includes("trailing-bytes"), codes.join());
    assert.ok(!codes.includes("shard-name"), codes.join());
    const broken = Buffer.concat(pieces);
    broken.fill(0xff, (pieces[0]?.length ?? 0) + 30, (pieces[0]?.length ?? 0) + 60);
    await writeFile(joined, broken);
    const { stderr: problem } = await cli.run(["merge", joined, merged, "--force"]);
    assert.match(problem, /shard 2 of the joined file begins at offset \d+, and is broken/);
    const { code, stderr: refused } = await cli.run(["merge", path, merged]);
    assert.equal(code, 3);
    assert.match(refused, /the name is not that of a shard/);
  });

  test("that were never written are named", async () => {
    const sizes = [64, 64, 64, 64].map((rows) => [128, rows]);
    const whole = await modelBytes({ sizes: sizes.map(([columns = 0, rows = 0]) => columns * rows), columns: 128 });
    const path = join(await cli.folder(), "m.gguf");
    const tensor = 128 * 64;
    await writeFile(
      path,
      Buffer.concat([whole.subarray(0, whole.length - 2 * tensor - 100), Buffer.alloc(2 * tensor + 100)]),
    );
    const { files: found } = await cli.json(["validate", path], 1);
    const [zeros] = found[0].findings.filter((/** @type {any} */ { code }) => code === "truncated");
    assert.equal(zeros.offset, whole.length - 2 * tensor);
    assert.match(zeros.message, /hold only zeros: their data was never written/);
    await writeFile(path, whole);
    const { files: good } = await cli.json(["validate", path], 1);
    assert.ok(good[0].findings.every((/** @type {any} */ { code }) => code !== "truncated"));
  });

  test("in place of the end of the data are named", async () => {
    const path = join(await cli.folder(), "m.gguf");
    await writeFile(path, Buffer.concat([model.subarray(0, model.length - 200), Buffer.from("<html>busy</html>")]));
    const { files: found } = await cli.json(["validate", path], 1);
    const [cut] = found[0].findings.filter((/** @type {any} */ { code }) => code === "truncated");
    assert.match(cut.message, /ends with a web page: a server or a proxy/);
  });
});
