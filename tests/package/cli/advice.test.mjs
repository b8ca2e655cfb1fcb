// What the program says if a person has nearly typed what it needs.

import assert from "node:assert/strict";
import { chmod, cp, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { missing, pathOf } from "../corpus.mjs";
import { completeModel, installCommandLine } from "./command-line.mjs";

const cli = await installCommandLine(["models"]);

const { folder, path } = await cli.newModel(await completeModel());

test("names that are nearly right, and arguments in the wrong form", async () => {
  /** @type {[string[], number, RegExp][]} */
  const cases = [
    [["inspect", path, "general.name"], 2, /--key KEY prints the value of one entry/],
    [["inspect", path, "--key", "general.nmae"], 3, /Did you mean "general\.name"\? \(unknown-key\)/],
    [["inspect", join(folder, "modle.gguf")], 3, /Check the path\. Did you mean .*model\.gguf\? \(ENOENT\)/],
    [["set", path, "general.name=x"], 2, /two arguments: "general\.name" "x"\. KEY=VALUE is for `edit --set`/],
    [["set", path, "general.tags", "a", "b"], 2, /An array is one argument: '\["a", "b"\]'/],
    [["set", path, "general.tags", "a,b"], 2, /Expected a JSON array such as \["a", "b"\]/],
    [["remove", path, "general.nmae"], 3, /Did you mean "general\.name"\?/],
    [["remove", path, "output_norm.weight"], 3, /It is the name of a tensor: give --tensor\./],
    [
      ["remove", path, "output_nrom.weight"],
      3,
      /Did you mean a tensor, "output_norm\.weight"\? For it, give --tensor\./,
    ],
    [["export", path, "--tensor", "output_nrom.weight"], 3, /Did you mean "output_norm\.weight"\?/],
    [["memory", path, "--fit", "24"], 2, /--fit is "24", which is 24 bytes\. Give the unit, such as 24GiB\./],
    [["memory", path, "-ot", `${"(".repeat(50_000)}=CPU`], 2, /^.{1,300}$/m],
    [["set", path, "my.number", "1e400"], 3, /the number 1e400 is larger than a FLOAT64 can be/],
    [["remove", path, "--tensor", "general.name"], 3, /It is the name of an entry: leave out --tensor\./],
    [["rename", path, "blk.0.attn_q.weight", "x"], 3, /It is the name of a tensor: give --tensor\./],
    [["edit", path, "--remove", "output_norm.weight"], 3, /give --remove-tensor\./],
    [["edit", path, "--rename-tensor", "output_nrom.weight=x"], 3, /Did you mean "output_norm\.weight"\?/],
    [["hash", path, "manifest"], 2, /--check MANIFEST compares with a manifest/],
    [["tokenize", path, "hello", "world"], 2, /Put the text in quotes\./],
  ];
  for (const [args, expected, message] of cases) {
    const { code, stderr } = await cli.run(args);
    assert.equal(code, expected, args.join(" "));
    assert.match(stderr, message);
  }
});

test("a model that was cloned without Git LFS", { skip: missing }, async () => {
  const model = await cli.folder();
  await cp(pathOf("convert/models/DeepSeek-V2-Lite-tiny"), model, { recursive: true });
  // The folders of the corpus are write-protected.
  await chmod(model, 0o755);
  for (const name of (await readdir(model)).filter((name) => name.endsWith(".safetensors"))) {
    const pointed = join(model, name);
    await rm(pointed, { force: true });
    await writeFile(pointed, "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n");
  }
  const { code, stderr } = await cli.run(["convert", model, join(folder, "out.gguf")]);
  assert.equal(code, 3);
  assert.match(stderr, /This is about model-00001-of-00002\.safetensors\. It is a Git LFS pointer.*`git lfs pull`/);
});
