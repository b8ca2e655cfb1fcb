// An empty project with the packed package installed, as a user's would be.

import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { PKG } from "./size.mjs";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** @returns {{ dir: string, remove(): void }} */
export function createProject() {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), "gguf-wasm-consumer-")));
  cpSync(new URL("consumer/", import.meta.url), dir, { recursive: true });
  npm(["pack", PKG, "--pack-destination", dir], dir);
  const tarball = readdirSync(dir).find((name) => name.endsWith(".tgz"));
  if (!tarball) throw new Error("npm pack left no tarball");
  npm(["install", "--offline", "--no-audit", "--no-fund", `./${tarball}`], dir);
  return { dir, remove: () => rmSync(dir, { recursive: true, force: true }) };
}

/**
 * Runs a script of this repository's npm packages; what it prints is the message when it fails.
 *
 * @param {string} script
 * @param {string[]} args
 * @param {string} cwd
 */
export function npmScript(script, args, cwd) {
  run(process.execPath, [join(ROOT, "node_modules", script), ...args], cwd);
}

/**
 * @param {string} program
 * @param {string[]} args
 * @param {string} cwd
 */
export function run(program, args, cwd) {
  try {
    return execFileSync(program, args, { cwd, encoding: "utf8", stdio: "pipe" });
  } catch (error) {
    const { stdout, stderr } = /** @type {{ stdout: string, stderr: string }} */ (error);
    // The error itself would print all of that three times over.
    // eslint-disable-next-line preserve-caught-error
    throw new Error(`${program} ${args.join(" ")}\n${stdout}${stderr}`);
  }
}

/**
 * @param {string[]} args
 * @param {string} cwd
 */
function npm(args, cwd) {
  if (process.platform === "win32") return run(process.env.ComSpec ?? "cmd.exe", ["/c", "npm", ...args], cwd);
  return run("npm", args, cwd);
}
