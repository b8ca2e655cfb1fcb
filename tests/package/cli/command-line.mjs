// The command line of the packed package, installed in an empty project.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createHash } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Worker } from "node:worker_threads";
import { GgufWriter } from "gguf-wasm/full";
import { temporaryFolder } from "../../support/temporary-folder.mjs";
import { installPackage } from "../project.mjs";

/**
 * @typedef {object} Outcome
 * @property {number | null} code The exit code.
 * @property {NodeJS.Signals | null} signal
 * @property {string} stdout
 * @property {string} stderr
 *
 * @typedef {object} RunOptions
 * @property {string | Uint8Array} [input] What the program reads from its standard input.
 * @property {Record<string, string>} [env]
 * @property {(stderr: string) => void} [heard] Gets the standard error so far, whenever there is more of it.
 */

/**
 * Installs the package, and removes it after the tests of the file.
 *
 * @param {readonly ("convert" | "models")[]} [modules] The modules that the commands of the file load besides the main one. What this
 *   thread has compiled is not compiled again by the threads that run the program.
 */
export async function installCommandLine(modules = []) {
  for (const name of modules) await import(`gguf-wasm/${name}`);
  const project = await temporaryFolder();
  let folders = 0;
  await writeFile(join(project, "package.json"), '{ "private": true }');
  await installPackage(project);
  const main = join(project, "node_modules/gguf-wasm/cli/main.js");

  const program = () => {
    const name = process.platform === "win32" ? "gguf-wasm.cmd" : "gguf-wasm";
    const path = join(project, "node_modules", ".bin", name);
    if (!existsSync(path)) throw new Error(`the package has installed no program: ${path}`);
    return path;
  };
  const folder = () => mkdtemp(join(project, `folder-${folders++}-`));
  /**
   * Runs the program: in a thread, unless it reads the standard input, or has options of Node.js.
   *
   * @param {readonly string[]} args
   * @param {RunOptions} [options]
   */
  const run = (args, options = {}) =>
    "input" in options || options.env?.["NODE_OPTIONS"] !== undefined
      ? outcomeOf(program(), args, options)
      : outcomeOfThread(main, args, options.env);
  return {
    /** The path of the program. */
    program,
    /** The path of a module of the command line. @param {string} name */
    module: (name) => join(project, "node_modules/gguf-wasm/cli", name),
    /** A new empty folder. */
    folder,
    /** A new folder with `model.gguf`. @param {Uint8Array} bytes */
    async newModel(bytes) {
      const path = join(await folder(), "model.gguf");
      await writeFile(path, bytes);
      return { folder: dirname(path), path };
    },
    run,
    /** Runs the program, whose exit code must be 0. @type {typeof run} */
    async succeed(args, options) {
      const outcome = await run(args, options);
      assert.equal(outcome.code, 0, `${args.join(" ")}\n${outcome.stdout}${outcome.stderr}`);
      return outcome;
    },
    /**
     * Runs the program in a process, for tests of the output and of the end of a process.
     *
     * @param {readonly string[]} args
     * @param {RunOptions} [options]
     */
    runProcess: (args, options) => outcomeOf(program(), args, options),
    /**
     * Runs the program with `--json`. It must succeed, or end with the given code.
     *
     * @param {readonly string[]} args
     * @param {number} [expectedCode]
     */
    async json(args, expectedCode = 0) {
      const { code, stdout, stderr } = await outcomeOfThread(main, [...args, "--json"]);
      if (code !== expectedCode) throw new Error(`exit code ${code}, expected ${expectedCode}\n${stdout}${stderr}`);
      return JSON.parse(stdout);
    },
    /**
     * Runs a command whose disk becomes full when its file is complete. The part and its record stay.
     *
     * @param {readonly string[]} args
     * @param {Record<string, string>} [env]
     */
    async leavePart(args, env = {}) {
      const options = { env: { ...env, NODE_OPTIONS: imported(NO_MOVES) } };
      const { code, stderr } = await outcomeOf(program(), args, options);
      if (code !== 3 || !stderr.includes("ENOSPC")) throw new Error(`exit code ${code}, expected 3\n${stderr}`);
      return stderr;
    },
    /**
     * Runs a line of a shell. `gguf-wasm` is the program in it.
     *
     * @param {string} line
     * @param {string} [shell]
     */
    shell: (line, shell = "bash") =>
      outcomeOf(shell, ["-c", line], { env: { PATH: `${join(project, "node_modules/.bin")}:${process.env.PATH}` } }),
  };
}

/**
 * Runs the program in a thread. The threads of a process share the compiled module, so this takes less than half of the processor time of a
 * process. Its current folder is that of the tests.
 *
 * @param {string} main
 * @param {readonly string[]} args
 * @param {Record<string, string>} [env]
 * @returns {Promise<Outcome>}
 */
async function outcomeOfThread(main, args, env = {}) {
  const all = { ...process.env, HF_TOKEN: "", HF_ENDPOINT: "", ...env };
  const worker = new Worker(main, { argv: [...args], env: all, stdout: true, stderr: true });
  let stdout = "";
  let stderr = "";
  worker.stdout.setEncoding("utf8").on("data", (text) => (stdout += text));
  worker.stderr.setEncoding("utf8").on("data", (text) => (stderr += text));
  const [code] = await once(worker, "exit");
  return { code, signal: null, stdout, stderr };
}

/**
 * Runs a program to its end.
 *
 * @param {string} program
 * @param {readonly string[]} args
 * @param {RunOptions} [options]
 * @returns {Promise<Outcome>}
 */
async function outcomeOf(program, args, { input = "", env = {}, heard } = {}) {
  const child = spawn(program, args, { env: { ...process.env, HF_TOKEN: "", HF_ENDPOINT: "", ...env } });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text) => {
    stderr += text;
    heard?.(stderr);
  });
  // A program that does not read its input may have ended.
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  const [code, signal] = await once(child, "close");
  return { code, signal, stdout, stderr };
}

/**
 * A small file with a tensor of each size in `sizes`, in bytes. With `columns`, the tensors are matrices.
 *
 * @param {{ name?: string, sizes?: readonly number[], columns?: number }} [options]
 */
export function modelBytes({ name = "A model", sizes = [256, 64, 128], columns = 0 } = {}) {
  const writer = new GgufWriter();
  writer.set("general.architecture", "llama");
  writer.set("general.name", name);
  writer.set("llama.context_length", 2048, "UINT32");
  writer.set("llama.rope.freq_base", 10000.5, "FLOAT32");
  writer.set("general.tags", ["one", "two"], "STRING[]");
  writer.set("test.big", 2n ** 64n - 1n, "UINT64");
  for (const [i, size] of sizes.entries()) {
    writer.addTensor(`blk.${i}.attn_q.weight`, {
      dimensions: columns === 0 ? [size] : [columns, size / columns],
      type: "I8",
      data: new Uint8Array(size).fill(i + 1),
    });
  }
  return writer
    .toBlob()
    .arrayBuffer()
    .then((buffer) => new Uint8Array(buffer));
}

/** The option of Node.js that runs a script before the program. @param {string} script */
export const imported = (script) => `--import=data:text/javascript;base64,${Buffer.from(script).toString("base64")}`;

/** Moving a part to its final name fails. Moving hidden files works: these are new parts and records. */
const NO_MOVES = `import fs from "node:fs";
  import { syncBuiltinESMExports } from "node:module";
  for (const name of ["linkSync", "renameSync"]) {
    const move = fs[name];
    fs[name] = (from, to) => {
      if (!/(^|[/\\\\])[^./\\\\][^/\\\\]*\\.part$/.test(from)) return move(from, to);
      throw Object.assign(new Error("no space left"), { code: "ENOSPC", syscall: name });
    };
  }
  syncBuiltinESMExports();`;

/**
 * Makes a part that a command has left shorter.
 *
 * @param {string} output The path of the complete file.
 * @param {number} end The size of the part.
 * @param {object} [options]
 * @param {readonly number[]} [options.positions] Up to where the record says that the part has been written.
 * @param {(bytes: Buffer) => void} [options.change] Changes the bytes before the record hashes them.
 */
export async function cutPart(output, end, { positions = end > 0 ? [end] : [], change = () => {} } = {}) {
  const bytes = (await readFile(`${output}.part`)).subarray(0, end);
  change(bytes);
  await writeFile(`${output}.part`, bytes);
  const [origin = ""] = (await readFile(`${output}.part.record`, "utf8")).split("\n");
  const hash = (/** @type {number} */ position, /** @type {number} */ i) =>
    createHash("sha256")
      .update(bytes.subarray(positions[i - 1] ?? 0, position))
      .digest("hex");
  const lines = [origin, ...positions.map((position, i) => `${position} ${hash(position, i)}`)];
  await writeFile(`${output}.part.record`, `${lines.join("\n")}\n`);
}

/** The bytes of a model without errors, which has a vocabulary. */
export async function completeModel() {
  const writer = new GgufWriter();
  writer.set("general.architecture", "llama");
  writer.set("general.name", "A model");
  for (const [key, value] of Object.entries({
    context_length: 128,
    embedding_length: 64,
    block_count: 1,
    feed_forward_length: 128,
    "attention.head_count": 4,
    "rope.dimension_count": 16,
  })) {
    writer.set(`llama.${key}`, value, "UINT32");
  }
  writer.set("llama.attention.layer_norm_rms_epsilon", 1e-5, "FLOAT32");
  const tokens = ["<unk>", "<s>", "</s>", "a", "b", "c", "d", '"quoted"'];
  writer.set("tokenizer.ggml.model", "llama");
  writer.set("tokenizer.ggml.tokens", tokens, "STRING[]");
  writer.set(
    "tokenizer.ggml.scores",
    tokens.map(() => 0),
    "FLOAT32[]",
  );
  writer.set(
    "tokenizer.ggml.token_type",
    tokens.map((_, id) => (id === 0 ? 2 : id < 3 ? 3 : 1)),
    "INT32[]",
  );
  writer.set("tokenizer.ggml.eos_token_id", 2, "UINT32");
  /** @type {[string, number[]][]} */
  const tensors = [
    ["token_embd.weight", [64, tokens.length]],
    ["output_norm.weight", [64]],
    ["blk.0.attn_norm.weight", [64]],
    ["blk.0.attn_q.weight", [64, 64]],
    ["blk.0.attn_k.weight", [64, 64]],
    ["blk.0.attn_v.weight", [64, 64]],
    ["blk.0.attn_output.weight", [64, 64]],
    ["blk.0.ffn_norm.weight", [64]],
    ["blk.0.ffn_gate.weight", [64, 128]],
    ["blk.0.ffn_up.weight", [64, 128]],
    ["blk.0.ffn_down.weight", [128, 64]],
  ];
  for (const [name, dimensions] of tensors) {
    const size = 4 * dimensions.reduce((product, length) => product * length, 1);
    writer.addTensor(name, { dimensions, type: "F32", data: new Uint8Array(size).fill(1) });
  }
  return new Uint8Array(await writer.toBlob().arrayBuffer());
}

/** The names of the files in a folder, sorted; also of hidden ones. @param {string} folder */
export const namesIn = (folder) => readdirSync(folder).sort();
