// What reaches a terminal: no control character of a file, of a server or of a name of a file; and the line of the progress.

import assert from "node:assert/strict";
import { EventEmitter, once } from "node:events";
import { mkdir, readFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import { range, serveFile } from "../../support/file-server.mjs";
import { serveHub } from "../../support/hub-server.mjs";
import { shardFiles } from "../../support/shards.mjs";
import { installCommandLine, modelBytes } from "./command-line.mjs";

const cli = await installCommandLine();
const windows = process.platform === "win32" && "Windows does not allow such names of files";

/**
 * A control character that clears a terminal, one of the range C1, one that reverses text, a separator, a byte order mark, a letter of a
 * tag, a joiner between letters of Latin, and a filler.
 */
const HOSTILE = "a\u001b[2J\u009b1mb\u202ec\u2028d\ufeffe\u{e0041}f\u200dg\u3164h";

/** Makes a program believe that its outputs are terminals. */
const TERMINAL = {
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent("for(const s of[process.stdout,process.stderr])s.isTTY=true")}`,
};

/** Shortens the time after which a silent server is named. */
const IMPATIENT = {
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent("const s=setTimeout;globalThis.setTimeout=(f,t,...a)=>s(f,t===10000?50:t,...a)")}`,
};

const model = await modelBytes();

/**
 * Checks that a terminal shows the text and obeys nothing in it, except for the line of the progress.
 *
 * @param {{ stdout: string, stderr: string }} outcome
 */
function assertSafe({ stdout, stderr }) {
  const text = stdout + stderr.replaceAll("\r", "").replaceAll("\u001b[K", "");
  assert.doesNotMatch(text, /[^\P{Cc}\n\t]|[\u2028\u2029\p{Cf}\p{DI}]/u);
}

describe("names of files", { skip: windows }, () => {
  test("every command that prints one", async () => {
    const folder = await cli.folder();
    const path = join(folder, `${HOSTILE}.gguf`);
    await writeFile(path, model);
    const output = (/** @type {string} */ name) => join(folder, `${HOSTILE}-${name}`);
    const commands = [
      ["inspect", path],
      ["validate", path],
      ["memory", path],
      ["hash", path],
      ["hash", path, "--check", output("manifest")],
      ["compare", path, path],
      ["split", path, output("split")],
      ["export", path, "-o", output("json")],
      ["set", path, "general.name", HOSTILE, "-o", output("set")],
      ["rename", path, "general.name", HOSTILE, "-o", output("rename")],
      ["remove", path, HOSTILE],
      ["inspect", `${path}-missing`],
      ["inspect", path, HOSTILE],
      ["inspect", path, `--${HOSTILE}`],
      ["list", `hub:${HOSTILE}`],
    ];
    for (const args of commands) {
      const outcome = await cli.runProcess(args, { env: TERMINAL });
      assertSafe(outcome);
      assert.match(outcome.stdout + outcome.stderr, /a\\u\{1b\}\[2J\\u\{9b\}1mb\\u\{202e\}c\\u\{2028\}d/, args[0]);
    }
  });

  test("merge, with the line of its progress", async () => {
    const folder = await cli.folder();
    const shards = join(folder, HOSTILE);
    await mkdir(shards);
    for (const [name, bytes] of Object.entries(shardFiles(2))) await writeFile(join(shards, name), bytes);
    const [first = ""] = await readdir(shards);
    const outcome = await cli.runProcess(["merge", join(shards, first), join(folder, `${HOSTILE}.gguf`)], {
      env: TERMINAL,
    });
    assert.equal(outcome.code, 0, outcome.stderr);
    assertSafe(outcome);
    assert.match(outcome.stderr, /\rMerging into /);
  });
});

describe("answers of servers", () => {
  test("names in the list of a hub, and names in a URL", async (t) => {
    const hub = await serveHub(t, { "owner/name": { files: { [`${HOSTILE}.gguf`]: model, "b.gguf": model } } });
    const env = { ...TERMINAL, HF_ENDPOINT: hub.origin };
    const list = await cli.runProcess(["list", "hub:owner/name"], { env });
    assert.equal(list.code, 0, list.stderr);
    assertSafe(list);
    assert.match(list.stdout, /a\\u\{1b\}\[2J/);
    const ambiguous = await cli.runProcess(["inspect", "hub:owner/name"], { env });
    assert.equal(ambiguous.code, 3);
    assertSafe(ambiguous);
    assert.match(ambiguous.stderr, /a\\u\{1b\}\[2J/);
    const one = await serveHub(t, { "owner/one": { files: { [`${HOSTILE}.gguf`]: model } } });
    const inspect = await cli.runProcess(["inspect", "hub:owner/one"], { env: { ...env, HF_ENDPOINT: one.origin } });
    assert.equal(inspect.code, 0, inspect.stderr);
    assertSafe(inspect);
    assert.match(inspect.stderr, /\rReading a\\u\{1b\}\[2J/);
  });

  test("a silent server is named, also without a terminal", async (t) => {
    // The servers answer when the program has said that it waits.
    const program = () => {
      const ears = new EventEmitter();
      const heard = (/** @type {string} */ stderr) => stderr.includes("waiting for") && ears.emit("waiting");
      return { heard, waiting: once(ears, "waiting") };
    };
    const [file, list] = [program(), program()];
    const { url } = await serveFile(t, model, (request, response, bytes, number) => {
      void file.waiting.then(() => range(request, response, bytes, number));
    });
    const { code, stderr } = await cli.runProcess(["inspect", url], { env: IMPATIENT, heard: file.heard });
    assert.equal(code, 0);
    assert.match(stderr, new RegExp(`^gguf-wasm: waiting for ${new URL(url).host}, which does not answer.*\n$`));
    const hub = await serveHub(
      t,
      {},
      {
        answer: (_, response) => {
          void list.waiting.then(() => response.writeHead(404).end());
          return true;
        },
      },
    );
    const env = { ...IMPATIENT, HF_ENDPOINT: hub.origin };
    const listed = await cli.runProcess(["list", "hub:owner/none"], { env, heard: list.heard });
    assert.match(
      listed.stderr,
      new RegExp(`^gguf-wasm: waiting for ${new URL(hub.origin).host}, which does not answer`),
    );
    assert.equal(listed.code, 3);
  });
});

describe("values", () => {
  test("--key is exact for programs, and escaped on a terminal", async () => {
    const path = join(await cli.folder(), "model.gguf");
    await writeFile(path, await modelBytes({ name: HOSTILE }));
    const args = ["inspect", path, "--key", "general.name"];
    assert.equal((await cli.runProcess(args)).stdout, `${HOSTILE}\n`);
    const shown = await cli.runProcess(args, { env: TERMINAL });
    assertSafe(shown);
    assert.equal(shown.stdout, "a\\u{1b}[2J\\u{9b}1mb\\u{202e}c\\u{2028}d\\u{feff}e\\u{e0041}f\\u{200d}g\\u{3164}h\n");
  });

  test("JSON has escapes in place of characters that a terminal obeys", async () => {
    const path = join(await cli.folder(), "model.gguf");
    const name = `${HOSTILE}\u007f\u061c\u2069 ä 😀 \ufeff`;
    await writeFile(path, await modelBytes({ name }));
    const commands = [
      ["inspect", path, "--json"],
      ["inspect", path, "--json", "--key", "general.name"],
      ["export", path],
      ["set", path, "general.name", `${name}!`, "--dry-run", "--json"],
      ["inspect", `${path}-${HOSTILE}`, "--json"],
    ];
    for (const args of commands) {
      const outcome = await cli.runProcess(args);
      assertSafe({ ...outcome, stderr: "" });
      assert.match(outcome.stdout, /a\\u001b\[2J\\u009b1mb\\u202ec\\u2028d/, args.join(" "));
      JSON.parse(outcome.stdout);
    }
    const { metadata } = await cli.json(["inspect", path]);
    assert.equal(metadata.find((/** @type {any} */ { key }) => key === "general.name").value, name);
    const [output] = [join(await cli.folder(), "model.json")];
    await cli.runProcess(["export", path, "-o", output]);
    assert.match(await readFile(output, "utf8"), /\\u009b1mb\\u202ec/);
  });

  test("several keys are printed in the order of the options", async () => {
    const path = join(await cli.folder(), "model.gguf");
    await writeFile(path, model);
    const keys = ["-k", "general.tags", "-k", "general.name"];
    assert.equal((await cli.runProcess(["inspect", path, ...keys])).stdout, '[\n  "one",\n  "two"\n]\nA model\n');
    const { file, metadata } = await cli.json(["inspect", path, ...keys]);
    assert.equal(file, path);
    assert.deepEqual(metadata, [
      { key: "general.tags", type: "STRING[]", value: ["one", "two"] },
      { key: "general.name", type: "STRING", value: "A model" },
    ]);
    const wrong = await cli.runProcess(["inspect", path, "-k", "general.name", "-k", "none"]);
    assert.deepEqual([wrong.code, wrong.stdout], [3, ""]);
  });
});

test("only output.js writes to the standard output and the standard error", async () => {
  const folder = cli.module("");
  const names = (await readdir(folder)).filter((name) => name !== "output.js");
  assert.ok(names.length > 20);
  for (const name of names) {
    const text = await readFile(join(folder, name), "utf8");
    assert.doesNotMatch(text, /process\.(stdout|stderr)|console\.|writeSync\((1|2),/, name);
  }
});

test("the line of the progress keeps its last character on a terminal without columns", async () => {
  /** @type {{ Progress: new (title: string, stream: object) => { update(bytes: number, total?: number): void, clear(): void } }} */
  const { Progress } = await import(cli.module("progress.js"));
  const lineOf = (/** @type {string} */ title, /** @type {number} */ columns) => {
    let text = "";
    new Progress(title, { isTTY: true, columns, write: (/** @type {string} */ part) => (text += part) }).update(5, 10);
    return text;
  };
  assert.equal(lineOf("Writing a.gguf", 0), "\rWriting a.gguf: 50 %, 5 bytes of 10 bytes\u001b[K");
  assert.equal(lineOf("Writing 模型.gguf", 15), "\rWriting 模型.g\u001b[K");
});
