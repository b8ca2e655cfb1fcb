// A new project in which the packed package is installed, like that of a user.

import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, readdir, readFile, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { PKG } from "./size.mjs";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** The sample model. */
export const SAMPLE = join(ROOT, "www/public/sample.gguf");

/** @typedef {{ dir: string, remove(): Promise<void> }} Project */

/**
 * Creates the project and copies the sample into it.
 *
 * @param {import("./size.mjs").Module} [module] The module that the scripts of the project import instead of the main one.
 * @returns {Promise<Project>}
 */
export async function createProject(module) {
  if (!existsSync(SAMPLE)) throw new Error(`${SAMPLE} is missing: \`cargo xtask sample\` makes it`);
  const dir = await temporaryFolder();
  await cp(new URL("consumer/", import.meta.url), dir, { recursive: true });
  if (module) await useModule(dir, module);
  await cp(SAMPLE, join(dir, "sample.gguf"));
  await installPackage(dir);
  return { dir, remove: () => rm(dir, { recursive: true, force: true }) };
}

/**
 * Installs the packed package in a folder.
 *
 * @param {string} dir
 */
export async function installPackage(dir) {
  const modules = join(await installedPackage(), "node_modules");
  await cp(modules, join(dir, "node_modules"), { recursive: true, verbatimSymlinks: true });
}

/**
 * Installs packages of the registry beside the packed package.
 *
 * @param {string} dir
 * @param {string[]} packages
 */
export async function installFromRegistry(dir, packages) {
  await npm(["install", "--no-audit", "--no-fund", ...packages, await pack(dir)], dir);
}

/** The folder of the installations that tests copy. */
const INSTALLED = join(ROOT, "target/installed-package");

/**
 * A folder in which npm has installed the packed package. npm takes seconds, so it does this once for each build of the package.
 *
 * @returns {Promise<string>}
 */
async function installedPackage() {
  const build = await stateOf(PKG);
  const folder = join(INSTALLED, build);
  if (existsSync(folder)) return folder;
  await mkdir(INSTALLED, { recursive: true });
  const project = await mkdtemp(join(INSTALLED, "unfinished-"));
  await writeFile(join(project, "package.json"), '{ "private": true }');
  const tarball = await pack(project);
  await npm(["install", "--offline", "--no-audit", "--no-fund", tarball], project);
  await rm(tarball);
  try {
    // A test that runs at the same time sees the whole folder or none.
    await rename(project, folder);
  } catch (error) {
    await rm(project, { recursive: true });
    // Another test was first.
    if (!existsSync(folder)) throw error;
  }
  for (const name of await readdir(INSTALLED)) {
    if (name !== build && !name.startsWith("unfinished-"))
      await rm(join(INSTALLED, name), { recursive: true, force: true });
  }
  return folder;
}

/**
 * A name for the content of a folder: the hash of the paths, sizes and times of its files.
 *
 * @param {string} folder
 */
async function stateOf(folder) {
  const hash = createHash("sha256");
  for (const path of (await readdir(folder, { recursive: true })).sort()) {
    const { size, mtimeMs } = await stat(join(folder, path));
    hash.update(`${path} ${size} ${mtimeMs}\n`);
  }
  return hash.digest("hex").slice(0, 16);
}

/**
 * Changes the scripts of a project so that they import another module of the package.
 *
 * @param {string} dir
 * @param {import("./size.mjs").Module} module
 */
async function useModule(dir, { entry, name }) {
  for (const file of await readdir(dir)) {
    if (!/\.(js|cjs|ts|html)$/.test(file)) continue;
    const text = await readFile(join(dir, file), "utf8");
    const paths = text
      .replaceAll("gguf_wasm_bg", `${name}_bg`)
      .replaceAll("node_modules/gguf-wasm/", `node_modules/${entry}/`)
      .replaceAll(/(["'])gguf-wasm(?=["'/])/g, `$1${entry}`);
    await writeFile(join(dir, file), paths);
  }
}

/** @returns {Promise<string>} The path of a new folder. */
export async function temporaryFolder() {
  return realpath(await mkdtemp(join(tmpdir(), "gguf-wasm-consumer-")));
}

/**
 * @param {string} folder
 * @param {string} [source] The folder of another package.
 * @returns {Promise<string>} The path of the packed package, in that folder.
 */
export async function pack(folder, source = PKG) {
  await npm(["pack", source, "--pack-destination", folder], folder);
  const tarball = (await readdir(folder)).find((name) => name.endsWith(".tgz"));
  if (!tarball) throw new Error("npm pack wrote no tarball");
  return join(folder, tarball);
}

/**
 * Runs a script of an npm package of this repository. If it fails, the error contains its output.
 *
 * @param {string} script
 * @param {string[]} args
 * @param {string} cwd
 */
export function npmScript(script, args, cwd) {
  return run(process.execPath, [join(ROOT, "node_modules", script), ...args], cwd);
}

/**
 * @param {string} program
 * @param {string[]} args
 * @param {string} cwd
 * @returns {Promise<string>} The trimmed output.
 */
export async function run(program, args, cwd) {
  try {
    const { stdout } = await promisify(execFile)(program, args, { cwd, timeout: 180_000 });
    return stdout.trim();
  } catch (error) {
    const { stdout, stderr } = /** @type {{ stdout: string, stderr: string }} */ (error);
    // The original error would print the output three times.
    // eslint-disable-next-line preserve-caught-error
    throw new Error(`${program} ${args.join(" ")}\n${stdout}${stderr}`);
  }
}

/**
 * @param {string[]} args
 * @param {string} cwd
 */
export function npm(args, cwd) {
  if (process.platform === "win32") return run(process.env.ComSpec ?? "cmd.exe", ["/c", "npm", ...args], cwd);
  return run("npm", args, cwd);
}
