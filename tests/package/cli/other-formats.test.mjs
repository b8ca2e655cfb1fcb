// Files that are not GGUF are named, with what to do.

import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import { Gguf } from "gguf-wasm/full";
import { serveFile } from "../../support/file-server.mjs";
import { installCommandLine } from "./command-line.mjs";

const cli = await installCommandLine();

/** @type {typeof import("../../../pkg-template/common/other-formats.js")} */
const { formatText, recogniseFormat } = await import(cli.module("../common/other-formats.js"));
/** @type {{ head: string, format: import("../../../pkg-template/common/other-formats.js").OtherFormat | null }[]} */
const cases = JSON.parse(await readFile(new URL("../../fixtures/other-formats.json", import.meta.url), "utf8"));

/** Formats that commands open with another module. */
const IS_LEGACY = new Set(["ggml", "session", "whisper"]);

describe("a file that is not GGUF", () => {
  for (const { head, format } of cases) {
    const bytes = Uint8Array.from(head, (char) => char.charCodeAt(0));
    test(`that begins with ${JSON.stringify(head.slice(0, 24))} is ${format ?? "nothing known"}`, async () => {
      assert.equal(recogniseFormat(bytes), format ?? undefined);
      if (format === null) return;
      const { what, next, onCommandLine } = formatText(format);
      // The package says it, too, and has the name of the format.
      const error = await Gguf.open(bytes).catch((/** @type {any} */ error) => error);
      assert.equal(error.format, format);
      assert.ok(error.message.endsWith([what, ...next].join(" ")), error.message);
      assert.ok(error.stack.includes(what));
      if (IS_LEGACY.has(format)) return;
      const advice = onCommandLine ?? next.join(" ");
      const path = join(await cli.folder(), "model.gguf");
      await writeFile(path, bytes);
      for (const args of [
        ["inspect", path],
        ["set", path, "general.name", "x"],
      ]) {
        const { code, stderr } = await cli.run(args);
        assert.equal(code, 3);
        assert.ok(stderr.includes(`${what} ${advice} (`), stderr);
        assert.doesNotMatch(stderr, /Check that it is a GGUF file|\. Download the file again/);
      }
      const { files } = await cli.json(["validate", path], 1);
      assert.ok(files[0].error.message.endsWith(`${what} ${advice}`));
      assert.equal(files[0].error.format, format);
    });
  }

  test("is named from a pipe and from a server, too", async (context) => {
    const page = Buffer.from("<!DOCTYPE html><html><body>Log in</body></html>");
    const piped = await cli.runProcess(["inspect", "-"], { input: page });
    assert.match(piped.stderr, /It is a web page.*\/resolve\/\..* \(bad-magic, offset 0\)/);
    const pointer = Buffer.from("version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n");
    assert.match(
      (await cli.runProcess(["inspect", "-"], { input: pointer })).stderr,
      /Git LFS pointer.*`git lfs pull`/,
    );
    /** @type {[Buffer, RegExp][]} */
    const served = [
      [page, /It is a web page/],
      [pointer, /It is a Git LFS pointer/],
      [Buffer.from('{"error": "x"}'), /It is JSON text/],
    ];
    for (const [body, message] of served) {
      const server = await serveFile(context, body);
      assert.match((await cli.run(["inspect", server.url])).stderr, message);
    }
  });
});
