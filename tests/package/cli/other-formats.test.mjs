// Files that are not GGUF are named, with what to do.

import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import { serveFile } from "../../support/file-server.mjs";
import { installCommandLine } from "./command-line.mjs";

const cli = await installCommandLine();

/** @type {typeof import("../../../pkg-template/common/other-formats.js")} */
const { recogniseFormat } = await import(cli.module("../common/other-formats.js"));
/** @type {typeof import("../../../pkg-template/cli/explain-format.js")} */
const { OTHER_FORMATS } = await import(cli.module("explain-format.js"));

/** @type {{ head: string, format: import("../../../pkg-template/common/other-formats.js").OtherFormat | null }[]} */
const cases = JSON.parse(await readFile(new URL("../../fixtures/other-formats.json", import.meta.url), "utf8"));

describe("a file that is not GGUF", () => {
  for (const { head, format } of cases) {
    const bytes = Uint8Array.from(head, (char) => char.charCodeAt(0));
    test(`that begins with ${JSON.stringify(head.slice(0, 24))} is ${format ?? "nothing known"}`, async () => {
      assert.equal(recogniseFormat(bytes), format ?? undefined);
      if (format === null || format === "ggml") return;
      const path = join(await cli.folder(), "model.gguf");
      await writeFile(path, bytes);
      for (const args of [
        ["inspect", path],
        ["set", path, "general.name", "x"],
      ]) {
        const { code, stderr } = await cli.run(args);
        assert.equal(code, 3);
        assert.ok(stderr.includes(`. ${OTHER_FORMATS[format]} (`) || stderr.includes(OTHER_FORMATS[format]), stderr);
        assert.doesNotMatch(stderr, /Check that it is a GGUF file|\. Download the file again/);
      }
      const { files } = await cli.json(["validate", path], 1);
      assert.ok(files[0].error.message.endsWith(OTHER_FORMATS[format]));
    });
  }

  test("is named from a pipe and from a server, too", async (context) => {
    const page = Buffer.from("<!DOCTYPE html><html><body>Log in</body></html>");
    const piped = await cli.runProcess(["inspect", "-"], { input: page });
    assert.match(piped.stderr, /It is a web page.*\/resolve\/\. \(bad-magic, offset 0\)/);
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
