// Edits of files of more than 4 GiB: little memory is used, and the result is streamed completely, in part, or not to its end.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Gguf, fileSource } from "gguf-wasm/full/node";
import { llama3 } from "../../support/llama3.mjs";
import { temporaryFolder } from "../../support/temporary-folder.mjs";
import { collect } from "./outcome.mjs";

const MIB = 1 << 20;
const EDIT_STREAM = fileURLToPath(new URL("stream-edit.mjs", import.meta.url));
const I8 = 24;
/** The size of a tensor of 4096 × 4096 I8, and the number of tensors. */
const [TENSOR, TENSORS] = [4096 * 4096, 291];

/**
 * Writes a sparse file with a header like that of Llama 3. The data are zeros, except for the number of each tensor at its
 * start and at its end. Returns the size, or undefined if the file system has no sparse files.
 *
 * @param {string} path
 */
async function writeBig(path) {
  const header = llama3({ type: I8, bytes: TENSOR });
  const size = header.length + TENSORS * TENSOR;
  const file = await open(path, "w");
  try {
    await file.truncate(size);
    await file.write(header, 0, header.length, 0);
    for (let tensor = 0; tensor < TENSORS; tensor += 1) {
      const mark = Buffer.from(`tensor ${tensor}`);
      const start = header.length + tensor * TENSOR;
      await file.write(mark, 0, mark.length, start);
      await file.write(mark, 0, mark.length, start + TENSOR - mark.length);
    }
    const { blocks } = await file.stat();
    return blocks * 512 < size / 4 ? size : undefined;
  } finally {
    await file.close();
  }
}

const path = join(await temporaryFolder(), "big.gguf");

describe("a file of more than 4 GiB", () => {
  /** @type {number | undefined} */
  let size;
  before(async () => {
    size = await writeBig(path);
  });

  /**
   * Runs a test with the file as a source and a plan that moves its data.
   *
   * @param {string} name
   * @param {(with_: { plan: import("gguf-wasm/full").EditPlan, reads: number[], from: number }) => Promise<void>} run `reads` has
   *   the start of each read, and `from` is the old position of the first byte of the data.
   */
  function withPlan(name, run) {
    test(name, async (t) => {
      if (!size) return t.skip("the file system of the temporary folder has no sparse files of 5 GB: NOT COVERED");
      const source = await fileSource(path);
      /** @type {number[]} */
      const reads = [];
      const gguf = await Gguf.open({
        size,
        read(start, end, options) {
          reads.push(start);
          return source.read(start, end, options);
        },
      });
      const editor = gguf.edit();
      editor.set("general.architecture", "an architecture with a longer name");
      editor.setElement("tokenizer.ggml.tokens", 5, "a longer token");
      reads.length = 0;
      await run({ plan: editor.plan(), reads, from: gguf.dataOffset });
      await source.close();
    });
  }

  test("is streamed with header × 1.15 + 32 MiB of WebAssembly memory, and every byte is right", async (t) => {
    if (!size) return t.skip("the file system of the temporary folder has no sparse files of 5 GB: NOT COVERED");
    const { stdout } = await promisify(execFile)(process.execPath, [EDIT_STREAM, path]);
    /** @type {import("./stream-edit.mjs").StreamUse} */
    const use = JSON.parse(stdout);
    t.diagnostic(stdout.trim());
    assert.ok(use.size > 2 ** 32);
    assert.deepEqual([use.streamed, use.lastProgress, use.wrong], [use.size, use.size, -1]);
    assert.ok(use.wasm <= use.header * 1.15 + 32 * MIB, `${use.wasm} bytes of WebAssembly memory`);
  });

  withPlan("is planned without a read, and read where it is asked for", async ({ plan, reads }) => {
    assert.deepEqual(reads, []);
    const first = Buffer.from("tensor 0");
    assert.deepEqual(Buffer.from(await plan.read(plan.dataOffset, plan.dataOffset + first.length)), first);
    const last = Buffer.from(`tensor ${TENSORS - 1}`);
    assert.deepEqual(Buffer.from(await plan.read(plan.size - last.length, plan.size)), last);
    const far = plan.dataOffset + 270 * TENSOR;
    assert.ok(far > 2 ** 32);
    assert.equal(Buffer.from(await plan.read(far - 10, far + 10)).toString(), "tensor 269tensor 270".slice(0, 20));
    assert.equal(reads.length, 3);
  });

  withPlan("is streamed from where it broke off", async ({ plan, reads, from }) => {
    const start = plan.dataOffset + 289 * TENSOR - 10;
    /** @type {{ bytesWritten: number, totalBytes: number }[]} */
    const progress = [];
    const parts = [];
    for await (const part of plan.stream({ start, onProgress: (now) => progress.push(now) })) parts.push(part);
    const rest = Buffer.concat(parts);
    assert.equal(rest.length, 2 * TENSOR + 10);
    assert.equal(rest.toString("latin1", 0, 20), "tensor 288tensor 289");
    assert.equal(rest.toString("latin1", rest.length - 10), "tensor 290");
    assert.ok(Math.min(...reads) === start - plan.dataOffset + from, "it reads what need not be read");
    assert.deepEqual({ ...progress.at(-1) }, { bytesWritten: plan.size, totalBytes: plan.size });
    assert.equal((await collect(plan.stream({ start: plan.size }))).length, 0);
    assert.throws(() => plan.stream({ start: plan.size + 1 }), { name: "GgufError", code: "out-of-range" });
  });

  withPlan("is no longer read when the stream is aborted", async ({ plan, reads }) => {
    const controller = new AbortController();
    const reader = plan.stream({ signal: controller.signal }).getReader();
    await reader.read();
    const pending = reader.read().then(() => reader.read());
    controller.abort();
    await assert.rejects(pending, { name: "AbortError" });
    await settled(reads);
    assert.ok(reads.length < 20, `${reads.length} reads`);
  });

  withPlan("is no longer read when the stream is left", async ({ plan, reads }) => {
    for await (const part of plan.stream()) {
      assert.ok(part.length > 0);
      break;
    }
    await settled(reads);
    assert.ok(reads.length < 20, `${reads.length} reads`);
    await assert.rejects(collect(plan.stream({ signal: AbortSignal.abort() })), { name: "AbortError" });
  });
});

/** Waits until no more reads start. @param {number[]} reads */
async function settled(reads) {
  for (let before = -1; before < reads.length;) {
    before = reads.length;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
