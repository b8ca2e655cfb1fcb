// How the program ends: exit codes, broken pipes, signals and full disks. No end leaves half a file.

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { asked, range, serveFile } from "../../support/file-server.mjs";
import { llamaModel } from "../../support/llama-model.mjs";
import { imported, installCommandLine, modelBytes, namesIn } from "./command-line.mjs";

const cli = await installCommandLine();
const windows = process.platform === "win32" && "Windows has neither these signals nor these limits";

const original = await modelBytes();

/** A new folder with `model.gguf`. @param {Uint8Array} [bytes] */
const newModel = (bytes = original) => cli.newModel(bytes);

/** A file whose data is larger than any buffer between two programs. */
const large = () => modelBytes({ sizes: [4 << 20, 4 << 20, 4 << 20] });

describe("wrong use: exit code 2", () => {
  test("no command, an unknown command, option and argument", async () => {
    const { folder, path } = await newModel();
    /** @type {[string[], RegExp][]} */
    const cases = [
      [[], /^Usage: gguf-wasm COMMAND/],
      [["frobnicate"], /There is no command "frobnicate"\. The commands are inspect, /],
      [["inspct"], /There is no command "inspct"\. Did you mean inspect\?\n/],
      [["Merge"], /There is no command "Merge"\. Did you mean merge\?\n/],
      [["hlep"], /There is no command "hlep"\. Did you mean help\?\n/],
      [["--hlep"], /There is no option "--hlep" before the command\. Did you mean --help\?\n/],
      [
        ["--json", "inspect"],
        /There is no option "--json" before the command\. Options of a command follow its name\./,
      ],
      [["toString"], /There is no command "toString"/],
      [["help", "inspekt"], /There is no command "inspekt"\. Did you mean inspect\?\n/],
      [["inspect"], /FILE is missing/],
      [["inspect", path, "--tensor"], /There is no option "--tensor"\. Did you mean --tensors\?\n/],
      [["inspect", path, "--hlep"], /There is no option "--hlep"\. Did you mean --help\?\n/],
      [["inspect", path, "--frobnicate=1"], /There is no option "--frobnicate"\.\n/],
      [["memory", path, "--n-gpu-layer", "1"], /There is no option "--n-gpu-layer"\. Did you mean --n-gpu-layers\?\n/],
      [["inspect", path, "extra"], /"extra" is one too many/],
      [["inspect", path, "--key"], /--key/],
      [["inspect", "ftp://example.com/a.gguf"], /scheme ftp/],
      [["inspect", "https://"], /is not a URL/],
      [["split", path, "x", "--max-tensors", "many"], /--max-tensors is "many", expected a whole number/],
      [["split", path, "x", "--max-tensors", "0"], /--max-tensors is 0, expected 1 or more/],
      [["split", path, "x", "--max-size", "0"], /--max-size is 0, expected 1 byte or more/],
      [["split", path, "-"], /PREFIX is "-", but shards cannot be written to the standard output/],
      [["split", path, "."], /PREFIX is "\.", which is a folder\. .* such as \.\/model, or choose another PREFIX\.\n/],
      [["split", path, ".."], /PREFIX is "\.\.", which is a folder/],
      [["split", path, folder, "--dry-run"], /PREFIX is ".*", which is a folder/],
      [["memory", path, "--batch-size", "0"], /--batch-size is 0, expected 1 or more/],
      [["memory", path, "--parallel", "257"], /--parallel is 257, expected 1 to 256/],
      [["memory", path, "--cache-type-k", "f17"], /--cache-type-k is "f17", expected a type such as F16/],
      [["set", path, "k", "v", "--output", "a", "--in-place"], /cannot be given together/],
      [["set", path, "k", "v", "--output", ""], /The path of the new file is empty/],
      [["set", path, "k", "v", "--output", "-"], /"-" cannot be written: .*Give a path, or \.\/-/],
    ];
    for (const [i, [args, message]] of cases.entries()) {
      // The others differ in what they say, not in how they end.
      const { code, stdout, stderr } = await (i < 2 ? cli.runProcess(args) : cli.run(args));
      assert.equal(code, 2, args.join(" "));
      assert.equal(stdout, "");
      assert.match(stderr, message);
    }
  });

  test("with --json, the error is an object on the standard output", async () => {
    const { error } = await cli.json(["inspect"], 2);
    assert.equal(error.code, "usage");
    assert.match(error.message, /FILE is missing/);
  });
});

describe("failures: exit code 3", () => {
  test("a missing file, a folder, and a file that is no GGUF file", async () => {
    const { folder } = await newModel();
    const text = join(folder, "text.gguf");
    await writeFile(text, "PK, not GGUF");
    /** @type {[string, string, RegExp][]} */
    const cases = [
      [join(folder, "none.gguf"), "ENOENT", /there is no such file or folder\. Check the path\. \(ENOENT\)/],
      [join(text, "below.gguf"), "ENOTDIR", /a part of the path is a file/],
      [folder, "EISDIR", /it is a folder\. Give the path of a file\. \(EISDIR\)/],
      [text, "bad-magic", /text\.gguf: .*\(bad-magic, offset 0\)/],
    ];
    for (const [path, expected, message] of cases) {
      for (const command of [
        ["inspect", path],
        ["memory", path],
        ["hash", path],
        ["tokenize", path, "x"],
        ["remove", path, "k"],
      ]) {
        const { code, stdout, stderr } = await (command[0] === "inspect" ? cli.runProcess(command) : cli.run(command));
        assert.equal(code, 3, command.join(" "));
        assert.equal(stdout, "");
        assert.match(stderr, message);
        assert.match(stderr, /^gguf-wasm: .*\n$/, "one line");
      }
      const { error } = await cli.json(["inspect", path], 3);
      assert.equal(error.code, expected);
      assert.equal(error.file, path);
    }
    assert.deepEqual(namesIn(folder), ["model.gguf", "text.gguf"]);
  });

  test("the data of a file from a pipe", async () => {
    const { folder } = await newModel();
    for (const args of [
      ["hash", "-"],
      ["split", "-", join(folder, "x")],
      ["set", "-", "general.name", "x", "-o", join(folder, "y")],
    ]) {
      const { code, stderr } = await cli.runProcess(args, { input: original });
      assert.equal(code, 3);
      assert.match(
        stderr,
        /-: the data of the tensors cannot be read from a pipe\. Save it in a file first.*\(no-ranges\)/,
      );
    }
    assert.deepEqual(namesIn(folder), ["model.gguf"]);
  });

  test("an output that is a folder, or is in none", async () => {
    const { folder, path } = await newModel();
    await mkdir(join(folder, "sub"));
    /** @type {[string, RegExp][]} */
    const cases = [
      [join(folder, "sub"), /sub: it is a folder\. Add the name of the new file\. \(EISDIR\)/],
      [`${join(folder, "new")}/`, /new\/: it is a folder\./],
      [join(folder, "none", "new.gguf"), /new\.gguf: there is no folder .*none\. Create it.*\(ENOENT\)/],
      [join(path, "new.gguf"), /\(ENOTDIR\)/],
    ];
    for (const [output, message] of cases) {
      for (const force of [[], ["--force"]]) {
        const { code, stderr } = await cli.run(["set", path, "general.name", "x", "-o", output, ...force]);
        assert.equal(code, 3, output);
        assert.match(stderr, message);
      }
    }
    assert.deepEqual(namesIn(folder), ["model.gguf", "sub"]);
    assert.deepEqual(namesIn(join(folder, "sub")), []);
  });

  test("what the system says about a path is explained", { skip: windows }, async () => {
    const { folder, path } = await newModel();
    const loop = join(folder, "loop");
    await symlink(loop, loop);
    /** @type {[string[], RegExp][]} */
    const cases = [
      [["inspect", loop], /symbolic links, or they lead in a circle\. Check the path\. \(ELOOP\)/],
      [["set", path, "k", "v", "-o", join(loop, "x")], /\(ELOOP\)/],
      [["quantize", path, loop, "COPY"], /\(ELOOP\)/],
      [["split", path, join(path, "x")], /a part of the path is a file, not a folder\. .*\(ENOTDIR\)/],
      [["hash", path, "--check", folder], /it is a folder\. Give the path of a file\. \(EISDIR\)/],
      [["set", path, "k", "--from-file", folder], /it is a folder\. .*\(EISDIR\)/],
      [["quantize", path, join(folder, "q"), "COPY", "--tensor-type-file", folder], /it is a folder\. .*\(EISDIR\)/],
      [["migrate", folder, join(folder, "q")], /it is a folder\. .*\(EISDIR\)/],
    ];
    for (const [args, message] of cases) {
      const { code, stderr } = await cli.run(args);
      assert.equal(code, 3, args.join(" "));
      assert.match(stderr, message);
      assert.doesNotMatch(stderr, /the system reported|internal/);
    }
    assert.deepEqual(namesIn(folder), ["loop", "model.gguf"]);
  });

  test("an error of the disk names the file that is read, not the new one", async () => {
    const { folder, path } = await newModel(llamaModel());
    // The header is read, and then the disk fails.
    const script = `import { open } from "node:fs/promises";
      const handle = await open(${JSON.stringify(path)});
      const { read } = Object.getPrototypeOf(handle);
      Object.getPrototypeOf(handle).read = function (bytes, offset, length, position) {
        if (position === 0) return read.call(this, bytes, offset, length, position);
        return Promise.reject(Object.assign(new Error("EIO: i/o error, read"), { code: "EIO", syscall: "read" }));
      };
      await handle.close();`;
    const output = join(folder, "new.gguf");
    for (const args of [
      ["set", path, "general.name", "x", "-o", output],
      ["split", path, join(folder, "x")],
      ["quantize", path, output, "COPY", "--threads", "0"],
    ]) {
      const { code, stderr } = await cli.run(args, { env: { NODE_OPTIONS: imported(script) } });
      assert.equal(code, 3, stderr);
      assert.match(
        stderr,
        /gguf-wasm: \S*model\.gguf: the file could not be read: the disk reported an error\. .*\(read-failed\)\n$/,
      );
    }
  });

  // Root may read every file.
  test("a file that cannot be read", { skip: windows }, async () => {
    const { path } = await newModel();
    await chmod(path, 0);
    const { code, stderr } =
      process.getuid?.() === 0
        ? await cli.shell(
            `chmod -R a+rX "$(dirname "$(dirname "${path}")")"; chmod 0 "${path}"; setpriv --reuid 65534 --clear-groups gguf-wasm inspect "${path}"`,
          )
        : await cli.runProcess(["inspect", path]);
    assert.equal(code, 3, stderr);
    assert.match(stderr, /access is denied\. Check the permissions\. \(EACCES\)/);
  });

  test("a server without the file, and no server", async (context) => {
    const { url } = await serveFile(context, original, (_, response) => void response.writeHead(404).end());
    const { code, stderr } = await cli.runProcess(["inspect", url]);
    assert.equal(code, 3);
    assert.match(stderr, /\(http\)\n$/);
    const { error } = await cli.json(["inspect", url], 3);
    assert.deepEqual([error.code, error.status, error.url], ["http", 404, url]);
  });

  test("the source fails while it is copied: the old file stays, and no other", async (context) => {
    const bytes = await large();
    const folder = await cli.folder();
    const { url } = await serveFile(context, bytes, (request, response, file, number) => {
      if (asked(request, file).start < 1 << 20) return range(request, response, file, number);
      response.writeHead(number > 1 ? 404 : 403).end();
    });
    const { code, stderr } = await cli.runProcess(["set", url, "general.name", "x", "-o", join(folder, "new.gguf")]);
    assert.equal(code, 3);
    assert.match(stderr, /\(http\)/);
    assert.deepEqual(namesIn(folder), []);
  });
});

describe("broken pipes", { skip: windows }, () => {
  test("a reader that ends early is no failure", async () => {
    const { path } = await newModel();
    // The value is larger than the buffer of a pipe.
    await writeFile(path, await modelBytes({ name: "x".repeat(4 << 20) }));
    const line = `gguf-wasm inspect "${path}" --json | head -1; echo "\${PIPESTATUS[@]}"`;
    const { stdout, stderr } = await cli.shell(line);
    assert.equal(stdout, "{\n0 0\n");
    assert.equal(stderr, "");
  });

  test(
    "output that cannot be written is a failure",
    { skip: process.platform !== "linux" && "no /dev/full" },
    async () => {
      const { path } = await newModel();
      const { code, stderr } = await cli.shell(`gguf-wasm inspect "${path}" > /dev/full`);
      assert.equal(code, 3);
      assert.match(stderr, /the output cannot be written: .*\(ENOSPC\)/);
    },
  );
});

describe("signals while a file is written", { skip: windows }, () => {
  /** @type {[NodeJS.Signals, number][]} */
  const signals = [
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ];
  for (const [signal, expected] of signals) {
    test(`${signal}: exit code ${expected}, and nothing is left`, async (context) => {
      const bytes = await large();
      const folder = await cli.folder();
      // The signal comes while the file is written.
      const { url } = await serveFile(context, bytes, stalled);
      const existing = join(folder, "new.gguf");
      await writeFile(existing, "mine");
      const child = spawn(cli.program(), ["set", url, "general.name", "x", "-o", existing, "--force"]);
      const closed = once(child, "close");
      while (!namesIn(folder).some((name) => name.endsWith(".part"))) await wait(20);
      child.kill(signal);
      const [code] = await closed;
      assert.equal(code, expected);
      assert.deepEqual(namesIn(folder), ["new.gguf"]);
      assert.equal(await readFile(existing, "utf8"), "mine");
    });
  }
});

/** Answers with the beginning of the data, and then waits. @type {import("../../support/file-server.mjs").Answer} */
function stalled(request, response, file, number) {
  const { start, end } = asked(request, file);
  if (end < 6 << 20) return range(request, response, file, number);
  response.writeHead(206, {
    "Content-Range": `bytes ${start}-${end - 1}/${file.length}`,
    "Content-Length": end - start,
  });
  response.write(file.subarray(start, Math.max(start, 6 << 20)));
}

/**
 * Runs a command that waits for its server, and kills it when it has begun to write.
 *
 * @param {string} folder
 * @param {readonly string[]} args
 */
async function killed(folder, args) {
  const child = spawn(cli.program(), args);
  const closed = once(child, "close");
  while (!namesIn(folder).some((name) => /^\..*\.part$/.test(name))) {
    assert.equal(child.exitCode, null, args.join(" "));
    await wait(20);
  }
  child.kill("SIGKILL");
  await closed;
}

describe("what a killed command leaves", { skip: windows }, () => {
  test("is removed by the next command that writes the same files", async (context) => {
    const bytes = await large();
    const { path } = await newModel(bytes);
    const { url } = await serveFile(context, bytes, stalled);
    /** @type {[name: string, args: (folder: string, source: string) => string[], written: string[]][]} */
    const commands = [
      ["set", (folder, source) => ["set", source, "general.name", "x", "-o", join(folder, "a.gguf")], ["a.gguf"]],
      [
        "split",
        (folder, source) => ["split", source, join(folder, "日本"), "--max-tensors", "1"],
        [1, 2, 3].map((number) => `日本-0000${number}-of-00003.gguf`),
      ],
      [
        "export",
        (folder, source) => [
          ...["export", source, "--tensor", "blk.2.attn_q.weight", "--stored"],
          ...["-o", join(folder, `${"t".repeat(251)}.npy`)],
        ],
        [`${"t".repeat(251)}.npy`],
      ],
    ];
    for (const [name, args, written] of commands) {
      const folder = await cli.folder();
      await killed(folder, args(folder, url));
      await cli.succeed(args(folder, path));
      assert.deepEqual(namesIn(folder), written, name);
    }
  });

  test("is removed by a split into other shards, too", async (context) => {
    const bytes = await large();
    const { path } = await newModel(bytes);
    const { url } = await serveFile(context, bytes, stalled);
    const folder = await cli.folder();
    await killed(folder, ["split", url, join(folder, "x"), "--max-tensors", "1"]);
    // The locks of others stay.
    await writeFile(join(folder, "x-00001-of-00007.gguf.lock"), "1 another-host\n");
    await writeFile(join(folder, ".y.gguf.1-0000000a0b0c0d.part"), "of another host");
    assert.equal((await cli.run(["split", path, join(folder, "x"), "--max-tensors", "2"])).code, 0);
    assert.deepEqual(namesIn(folder), [
      ".y.gguf.1-0000000a0b0c0d.part",
      "x-00001-of-00002.gguf",
      "x-00001-of-00007.gguf.lock",
      "x-00002-of-00002.gguf",
    ]);
  });
});

describe("a second command beside one that writes the same file", { skip: windows }, () => {
  test("says which process writes it, before all that --force would help against", async (context) => {
    const bytes = await large();
    const { path } = await newModel(bytes);
    const { url } = await serveFile(context, bytes, stalled);
    const folder = await cli.folder();
    const output = join(folder, "x-00001-of-00001.gguf");
    await writeFile(output, bytes);
    const child = spawn(cli.program(), ["set", url, "general.name", "x", "-o", output, "--force"]);
    const closed = once(child, "close");
    while (!namesIn(folder).some((name) => name.endsWith(".part"))) await wait(20);
    for (const args of [
      ["set", path, "general.name", "x", "-o", output],
      ["set", path, "general.name", "x", "-o", output, "--force"],
      ["set", output, "general.name", "x"],
      ["split", path, join(folder, "x"), "--max-size", "1G", "--force"],
      ["quantize", path, output, "COPY"],
      ["quantize", path, output, "COPY", "--force"],
      ["quantize", path, join(folder, "x"), "COPY", "--keep-split"],
      ["export", path, "-o", output, "--force"],
    ]) {
      const { code, stderr } = await cli.run(args);
      assert.equal(code, 1, args.join(" "));
      const owner = `the process ${child.pid} on ${hostname()} changes the file now. Wait until it has ended`;
      assert.ok(stderr.includes(owner), stderr);
      assert.match(stderr, /remove \S*x-00001-of-00001\.gguf\.lock \(locked\)\n$/);
      assert.doesNotMatch(stderr, /--force/);
    }
    child.kill("SIGINT");
    await closed;
    assert.deepEqual(namesIn(folder), ["x-00001-of-00001.gguf"]);
    assert.deepEqual(new Uint8Array(await readFile(output)), bytes);
  });
});

describe("long names", { skip: windows }, () => {
  const LONGEST = 255;

  test("as long as the file system allows: every command can write and change them", async () => {
    const { path } = await newModel(llamaModel());
    // Letters of one and of three bytes, and emojis of four.
    for (const letter of ["n", "日", "🦙"]) {
      const count = Math.floor((LONGEST - 5) / Buffer.byteLength(letter));
      const folder = await cli.folder();
      const output = join(folder, `${letter.repeat(count)}.gguf`);
      for (const args of [
        ["set", path, "general.name", "x", "-o", output],
        ["set", output, "general.name", `A longer name${" of words".repeat(20)}`],
        ["quantize", output, output.replace(/gguf$/, "q"), "COPY", "--threads", "0"],
        ["quantize", path, output, "COPY", "--threads", "0", "--force"],
      ]) {
        await cli.succeed(args);
      }
      assert.equal(namesIn(folder).length, 2);
      await cli.leavePart(["quantize", path, output, "COPY", "--threads", "0", "--force"]);
      const resumed = await cli.run(["quantize", path, output, "COPY", "--threads", "0", "--resume", "--force"]);
      assert.equal(resumed.code, 0, resumed.stderr);
      const prefix = join(folder, letter.repeat(Math.floor((LONGEST - 20) / Buffer.byteLength(letter))));
      assert.equal((await cli.run(["split", path, prefix])).code, 0);
      assert.equal(namesIn(folder).length, 3);
    }
  });

  test("longer ones are refused before anything is created", async () => {
    const { folder, path } = await newModel();
    const output = join(folder, `${"n".repeat(LONGEST - 4)}.gguf`);
    for (const args of [
      ["set", path, "general.name", "x", "-o", output],
      ["quantize", path, output, "COPY"],
      ["split", path, join(folder, "n".repeat(LONGEST - 19))],
      ["quantize", path, join(folder, "n".repeat(LONGEST - 19)), "COPY", "--keep-split"],
      ["export", path, "-o", output],
      ["inspect", output],
    ]) {
      const { code, stderr } = await cli.run(args);
      assert.equal(code, 3, args[0]);
      assert.match(stderr, /longer than the file system allows\. Choose a shorter one\. \(ENAMETOOLONG\)\n$/);
    }
    assert.deepEqual(namesIn(folder), ["model.gguf"]);
  });
});

describe("a full disk", { skip: windows }, () => {
  test("a limit of the size of files: the old file stays, and no other", async () => {
    const { folder, path } = await newModel(await large());
    for (const command of [`set "${path}" general.name x`, `split "${path}" "${folder}/part" --max-tensors 1`]) {
      // 2048 blocks of 1024 bytes. Without the trap, the system would end the program.
      const { code, stderr } = await cli.shell(`trap "" XFSZ; ulimit -f 2048; gguf-wasm ${command}`);
      assert.equal(code, 3, stderr);
      assert.match(stderr, /\(EFBIG\)/);
      assert.deepEqual(namesIn(folder), ["model.gguf"]);
      assert.equal((await readFile(path)).length, (await large()).length);
    }
  });

  test("a file system without room", { skip: !canMount() && "no tmpfs can be mounted" }, async () => {
    const { folder, path } = await newModel(await large());
    const disk = join(folder, "disk");
    await mkdir(disk);
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=6m", "tmpfs", disk]);
    try {
      for (const command of [
        ["set", path, "general.name", "x", "-o", join(disk, "new.gguf")],
        ["split", path, join(disk, "part"), "--max-tensors", "1"],
      ]) {
        const { code, stderr } = await cli.runProcess(command);
        assert.equal(code, 3);
        assert.match(stderr, /the disk is full\. Free some space\. \(ENOSPC\)/);
        assert.deepEqual(namesIn(disk), []);
      }
    } finally {
      execFileSync("umount", [disk]);
    }
  });
});

/** Whether this process may mount a file system. */
function canMount() {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return false;
  try {
    execFileSync("unshare", ["-m", "mount", "-t", "tmpfs", "tmpfs", "/mnt"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

describe("progress", () => {
  /** @param {boolean} isTTY */
  async function written(isTTY) {
    /** @type {{ Progress: new (title: string, stream: object) => { update(bytes: number, total?: number): void, clear(): void } }} */
    const { Progress } = await import(cli.module("progress.js"));
    let text = "";
    const progress = new Progress("Writing a.gguf", {
      isTTY,
      columns: 60,
      write: (/** @type {string} */ part) => (text += part),
    });
    progress.update(3 << 20, 12 << 20);
    progress.clear();
    return text;
  }

  test("is shown on a terminal, and removed at the end", async () => {
    assert.equal(await written(true), "\rWriting a.gguf: 25 %, 3.15 MB of 12.6 MB\x1b[K\r\x1b[K");
  });

  test("is not shown elsewhere", async () => {
    assert.equal(await written(false), "");
    const { path } = await newModel(await large());
    assert.equal((await cli.runProcess(["hash", path, "--sha256"])).stderr, "");
  });
});
