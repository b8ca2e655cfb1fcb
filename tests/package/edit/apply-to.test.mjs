// `EditPlan.applyTo` with handles that behave like those of the File System Access API, and that can fail.

import assert from "node:assert/strict";
import { File as NodeFile } from "node:buffer";
import { openAsBlob } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";

import { Gguf, GgufWriter } from "gguf-wasm/full";
import { temporaryFolder } from "../../support/temporary-folder.mjs";

/** @import { EditPlan } from "gguf-wasm/full" */

/** Node.js 20 exports `File` from node:buffer. TypeScript does not know that it is the same class as in browsers. */
const File = /** @type {typeof globalThis.File} */ (/** @type {unknown} */ (NodeFile));

const DATA = Uint8Array.from({ length: 256 }, (_, i) => i);

/** A file with a name and a tensor. */
function bytesOf(/** @type {string} */ name, data = DATA) {
  const writer = new GgufWriter();
  writer.set("general.architecture", "llama");
  writer.set("general.name", name);
  writer.addTensor("t", { dimensions: [64], type: "F32" });
  return Buffer.concat([writer.headerBytes(), data]);
}

const fileOf = (/** @type {Uint8Array<ArrayBuffer>} */ bytes, name = "model.gguf", lastModified = 1) =>
  new File([bytes], name, { lastModified });

/** A plan that sets the name. A name of the same length can be changed in place. */
async function planOf(/** @type {Blob} */ file, name = "Edited") {
  const editor = (await Gguf.open(file)).edit();
  editor.set("general.name", name);
  return editor.plan();
}

const expected = async (/** @type {EditPlan} */ plan) => Buffer.from(await plan.read(0, plan.size));

/** A handle whose writes replace the file when the stream is closed, like a `FileSystemFileHandle`. */
class Handle {
  /** @type {string[]} */
  log = [];
  /** @param {globalThis.File} file @param {{ failsAt?: number, opening?: Promise<void>, writing?: () => Promise<void> }} [faults] */
  constructor(file, { failsAt = Infinity, opening, writing } = {}) {
    this.file = file;
    this.failsAt = failsAt;
    this.opening = opening;
    this.writing = writing;
  }
  async getFile() {
    return this.file;
  }
  /** @param {{ keepExistingData?: boolean }} [options] */
  async createWritable({ keepExistingData = false } = {}) {
    this.log.push(keepExistingData ? "copy" : "new");
    let bytes = keepExistingData ? Buffer.from(await this.file.arrayBuffer()) : Buffer.alloc(0);
    await this.opening;
    let position = 0;
    let writes = 0;
    const stream = new WritableStream({
      write: async (chunk) => {
        writes += 1;
        await this.writing?.();
        if (writes > this.failsAt) throw new DOMException("no room", "QuotaExceededError");
        const { position: at, data } = chunk instanceof Uint8Array ? { position, data: chunk } : chunk;
        const end = at + data.length;
        if (end > bytes.length) bytes = Buffer.concat([bytes, Buffer.alloc(end - bytes.length)]);
        bytes.set(data, at);
        position = end;
        this.log.push(`write ${at}`);
      },
      close: () => {
        this.file = fileOf(bytes, this.file.name, this.file.lastModified + 1);
        this.log.push("close");
      },
      abort: () => {
        this.log.push("abort");
      },
    });
    return stream;
  }
  async bytes() {
    return Buffer.from(await this.file.arrayBuffer());
  }
}

/** A handle that reads and writes the file directly, like a `FileSystemSyncAccessHandle`. */
class SyncHandle {
  writes = 0;
  /** @param {Uint8Array} bytes @param {(write: number) => boolean} [fails] */
  constructor(bytes, fails = () => false) {
    this.bytes = Buffer.from(bytes);
    this.fails = fails;
  }
  getSize() {
    return this.bytes.length;
  }
  /** @param {Uint8Array} buffer @param {{ at?: number }} [options] */
  read(buffer, { at = 0 } = {}) {
    return this.bytes.copy(buffer, 0, at, at + buffer.length);
  }
  /** @param {Uint8Array} buffer @param {{ at?: number }} [options] */
  write(buffer, { at = 0 } = {}) {
    this.writes += 1;
    if (this.fails(this.writes)) throw new DOMException("no room", "QuotaExceededError");
    this.bytes.set(buffer, at);
    return buffer.length;
  }
  flush() {}
}

describe("a file handle", () => {
  test("of the opened file: a copy is patched, and the other bytes do not change", async () => {
    const file = fileOf(bytesOf("Before"));
    const plan = await planOf(file);
    const handle = new Handle(file);
    const whole = await expected(plan);
    /** @type {number[]} */
    const progress = [];
    await plan.applyTo(handle, {
      onProgress: ({ bytesWritten, totalBytes }) => progress.push(bytesWritten / totalBytes),
    });
    assert.equal(handle.log[0], "copy");
    assert.equal(handle.log.at(-1), "close");
    assert.equal(progress.at(-1), 1);
    assert.deepEqual(await handle.bytes(), whole);
  });

  test("of the opened file whose data moves: it becomes a new file", async () => {
    const file = fileOf(bytesOf("Before"));
    const plan = await planOf(file, "a name that is longer than all the padding there can be before the data");
    assert.equal(plan.inPlace, false);
    const handle = new Handle(file);
    await plan.applyTo(handle);
    assert.equal(handle.log[0], "new");
    assert.deepEqual(await handle.bytes(), await expected(plan));
  });

  test("of a file with the same header and other data: the whole edited file is written", async () => {
    const file = fileOf(bytesOf("Before"));
    const plan = await planOf(file);
    const sibling = bytesOf(
      "Before",
      DATA.map((byte) => 255 - byte),
    );
    for (const other of [fileOf(sibling, "other.gguf"), fileOf(sibling, "model.gguf", 2)]) {
      const handle = new Handle(other);
      await plan.applyTo(handle);
      assert.equal(handle.log[0], "new");
      assert.deepEqual(await handle.bytes(), await expected(plan));
    }
  });

  test("that fails leaves the file unchanged", async () => {
    for (const name of ["Edited", "a name that is longer than all the padding there can be before the data"]) {
      const before = bytesOf("Before");
      const file = fileOf(before);
      const handle = new Handle(file, { failsAt: 0 });
      const plan = await planOf(file, name);
      await assert.rejects(plan.applyTo(handle), { name: "GgufError", code: "write-failed" });
      assert.ok(!handle.log.includes("close"));
      assert.deepEqual(await handle.bytes(), Buffer.from(before));
    }
  });

  test("that is aborted closes its stream before the promise rejects, also while the stream is being opened", async () => {
    const before = bytesOf("Before");
    const file = fileOf(before);
    const plan = await planOf(file);
    /** @type {() => void} */
    let opened = () => {};
    const opening = new Promise((/** @type {(value: void) => void} */ resolve) => (opened = resolve));
    const handle = new Handle(file, { opening });
    const controller = new AbortController();
    const applied = plan.applyTo(handle, { signal: controller.signal });
    while (handle.log.length === 0) await new Promise((resolve) => setTimeout(resolve));
    controller.abort();
    opened();
    await assert.rejects(applied, { name: "AbortError" });
    assert.deepEqual(handle.log, ["copy", "abort"]);
    assert.deepEqual(await handle.bytes(), Buffer.from(before));

    const at = new Handle(file);
    const later = new AbortController();
    const written = plan.applyTo(at, { signal: later.signal, onProgress: () => later.abort() });
    await assert.rejects(written, { name: "AbortError" });
    assert.equal(at.log.at(-1), "abort");
    assert.deepEqual(await at.bytes(), Buffer.from(before));
  });

  test("whose file is changed by another program while it is being opened is not written", async () => {
    const file = fileOf(bytesOf("Before"));
    const others = bytesOf("Of another program");
    const plan = await planOf(file);
    assert.equal(plan.inPlace, true);
    const handle = new Handle(file, { opening: Promise.resolve() });
    const createWritable = handle.createWritable.bind(handle);
    handle.createWritable = (options) => {
      handle.file = fileOf(others, "model.gguf", 2);
      return createWritable(options);
    };
    await assert.rejects(plan.applyTo(handle), { name: "GgufError", code: "changed" });
    assert.deepEqual(handle.log, ["copy", "abort"]);
    assert.deepEqual(await handle.bytes(), others);
  });

  test("that is aborted while the last byte is written leaves the file unchanged", async () => {
    const before = bytesOf("Before");
    const file = fileOf(before);
    for (const name of ["Edited", "a name that is longer than all the padding there can be before the data"]) {
      const plan = await planOf(file, name);
      const pieces = plan.patches()?.length ?? 1;
      const controller = new AbortController();
      let writes = 0;
      const writing = async () => {
        writes += 1;
        // The stream has ended, so no more bytes are written.
        await new Promise((resolve) => setTimeout(resolve, 20));
        if (writes === pieces) controller.abort();
      };
      const handle = new Handle(file, { writing });
      await assert.rejects(plan.applyTo(handle, { signal: controller.signal }), { name: "AbortError" });
      assert.equal(handle.log.at(-1), "abort");
      assert.deepEqual(await handle.bytes(), Buffer.from(before));
    }
  });
});

/** A handle of a file on the disk. Like a browser, Node.js refuses to read its `Blob` when the file has been written again. */
class DiskHandle extends Handle {
  /** @type {globalThis.File | undefined} */
  #written;
  #path = join(dir, `${(files += 1)}.gguf`);
  async getFile() {
    const { file } = this;
    if (file !== this.#written) await writeFile(this.#path, await this.bytes());
    this.#written = file;
    const members = { name: { value: file.name }, lastModified: { value: file.lastModified } };
    return /** @type {globalThis.File} */ (Object.defineProperties(await openAsBlob(this.#path), members));
  }
}
let files = 0;
const dir = await temporaryFolder();

describe("after a save to the handle of the original file", () => {
  const LONG = "a name that is longer than all the padding there can be before the data";
  const dataOf = async (/** @type {Gguf} */ gguf) => gguf.readBytes("t");

  for (const [title, ...names] of [
    ["in place, then in place", "Edited", "Others"],
    [
      "moved, then moved again, then back",
      LONG,
      `${LONG} and longer still, so that the data moves once more`,
      "Before",
    ],
    ["in place, then moved", "Edited", LONG],
  ]) {
    test(`the editor goes on with the new file: ${title}`, async () => {
      const handle = new DiskHandle(fileOf(bytesOf("Before")));
      const gguf = await Gguf.open(await handle.getFile());
      const editor = gguf.edit();
      for (const name of names) {
        editor.set("general.name", String(name));
        const plan = editor.plan();
        await plan.applyTo(handle);
        assert.deepEqual(await handle.bytes(), Buffer.from(bytesOf(String(name))), name);
        // What was opened is still the original: its plans and its data.
        assert.deepEqual(await dataOf(gguf), DATA);
        assert.deepEqual(await expected(plan), Buffer.from(bytesOf(String(name))));
        assert.equal((await Gguf.open(await handle.getFile())).name, name);
      }
    });
  }

  test("data that the new file lacks is changed, and says what to do", async () => {
    const handle = new DiskHandle(fileOf(bytesOf("Before")));
    const gguf = await Gguf.open(await handle.getFile());
    const editor = gguf.edit();
    editor.removeTensor("t");
    await editor.plan().applyTo(handle);
    editor.undo();
    const before = await handle.bytes();
    await assert.rejects(editor.plan().applyTo(handle), { code: "changed", message: /Open the new file/ });
    await assert.rejects(dataOf(gguf), { code: "changed" });
    assert.deepEqual(await handle.bytes(), before);
  });

  test("another object of the old file is changed, and says what to do", async () => {
    const handle = new DiskHandle(fileOf(bytesOf("Before")));
    const [gguf, other] = [await Gguf.open(await handle.getFile()), await Gguf.open(await handle.getFile())];
    const editor = gguf.edit();
    editor.set("general.name", LONG);
    await editor.plan().applyTo(handle);
    await assert.rejects(dataOf(other), { code: "changed", message: /Open it again/ });
  });

  test("a change by another program is changed, and the file stays as that program left it", async () => {
    const handle = new DiskHandle(fileOf(bytesOf("Before")));
    const editor = (await Gguf.open(await handle.getFile())).edit();
    editor.set("general.name", LONG);
    await editor.plan().applyTo(handle);
    const others = bytesOf("Of another program");
    handle.file = fileOf(others, "model.gguf", 77);
    editor.set("general.name", "Again");
    await assert.rejects(editor.plan().applyTo(handle), { code: "changed" });
    assert.deepEqual(await handle.bytes(), Buffer.from(others));
  });
});

describe("a sync access handle", () => {
  test("is patched in place", async () => {
    const before = bytesOf("Before");
    const plan = await planOf(fileOf(before));
    const handle = new SyncHandle(before);
    await plan.applyTo(handle);
    assert.deepEqual(handle.bytes, await expected(plan));
    assert.equal(handle.writes, plan.patches()?.length);
  });

  test("of another file is not written", async () => {
    const plan = await planOf(fileOf(bytesOf("Before")));
    for (const other of [bytesOf("Befora"), bytesOf("Before the other"), new Uint8Array()]) {
      const handle = new SyncHandle(other);
      await assert.rejects(plan.applyTo(handle), { name: "GgufError", code: "changed" });
      assert.equal(handle.writes, 0);
    }
  });

  test("of a file whose data would move is not written", async () => {
    const before = bytesOf("Before");
    const plan = await planOf(
      fileOf(before),
      "a name that is longer than all the padding there can be before the data",
    );
    const handle = new SyncHandle(before);
    await assert.rejects(plan.applyTo(handle), { name: "GgufError", code: "not-in-place" });
    assert.equal(handle.writes, 0);
  });

  test("that returns too few bytes is not written", async () => {
    const before = bytesOf("Before");
    const plan = await planOf(fileOf(before));
    for (const least of [100, Infinity]) {
      const handle = new SyncHandle(before);
      const read = handle.read.bind(handle);
      handle.read = (buffer, options) => (buffer.length < least ? 0 : read(buffer, options));
      await assert.rejects(plan.applyTo(handle), { name: "GgufError", code: "read-failed" });
      assert.equal(handle.writes, 0);
    }
  });

  test("that fails once restores the old bytes; one that keeps failing reports the damage", async () => {
    const before = bytesOf("Before");
    const plan = await planOf(fileOf(before));
    const once = new SyncHandle(before, (write) => write === 1);
    await assert.rejects(plan.applyTo(once), { name: "GgufError", code: "write-failed" });
    assert.deepEqual(once.bytes, Buffer.from(before));
    const never = new SyncHandle(before, () => true);
    await assert.rejects(plan.applyTo(never), { name: "GgufError", code: "interrupted", message: /damaged/ });
  });
});

test("an object that is not a handle is refused", async () => {
  const plan = await planOf(fileOf(bytesOf("Before")));
  for (const target of [{}, null, "file", 1]) {
    await assert.rejects(plan.applyTo(/** @type {any} */ (target)), { name: "GgufError", code: "invalid-argument" });
  }
});
