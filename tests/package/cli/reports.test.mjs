// Small inputs after public bug reports: the command line names the cause, and no advice would damage the file.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import { missing, pathOf } from "../corpus.mjs";
import { installCommandLine } from "./command-line.mjs";

const cli = await installCommandLine();
const report = (/** @type {string} */ name) => pathOf(`reports/${name}`);

/** All that the command line says of a file. @param {...string} args */
async function said(...args) {
  const { stdout, stderr } = await cli.run(args);
  return stdout + stderr;
}

describe("inputs of reports", { skip: missing }, () => {
  test("raw parts are named, opened by any of them, listed, and joined", async () => {
    for (const names of [
      ["model.Q8_0.gguf.part1of2", "model.Q8_0.gguf.part2of2"],
      ["model.Q6_K.gguf-split-a", "model.Q6_K.gguf-split-b"],
    ]) {
      const paths = names.map((name) => report(`raw/${name}`));
      for (const path of paths) {
        assert.match(await said("inspect", path), /Architecture +llama/);
        assert.doesNotMatch(await said("validate", path), /truncated|Download/);
      }
      assert.ok((await said("list", report("raw"))).includes(names[0] ?? ""));
      const output = join(await cli.folder(), "joined.gguf");
      await cli.succeed(["merge", ...paths, output]);
      const parts = await Promise.all(paths.map((path) => readFile(path)));
      const sum = (/** @type {Uint8Array} */ bytes) => createHash("sha256").update(bytes).digest("hex");
      assert.equal(sum(await readFile(output)), sum(Buffer.concat(parts)));
    }
  });

  test("a type of BitNet is named, and the bits are those of all data", async () => {
    const text = await said("inspect", report("bitnet-i2_s.gguf"));
    assert.match(text, /I2_S/);
    assert.doesNotMatch(text, /16\.28/);
    assert.match(text, /bitnet\.cpp loads it; llama\.cpp does not/);
    assert.doesNotMatch(await said("memory", report("bitnet-i2_s.gguf")), /for this architecture/);
  });

  test("Infinity and NaN in a configuration are read", async () => {
    const output = join(await cli.folder(), "new.gguf");
    await cli.succeed(["convert", report("config-with-infinity"), output, "--type", "F32", "--pre", "default"]);
    assert.match(await said("inspect", output), /Architecture +llama/);
  });

  test("a pointer of Git LFS and a page are named", async () => {
    assert.match(await said("inspect", report("lfs-pointer.gguf")), /Git LFS/);
    assert.match(await said("inspect", report("login-page.gguf")), /web page.*(token|log in)/is);
  });
});
