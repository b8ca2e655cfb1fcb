// The programs of the runtimes that npm packages contain, with one package per platform.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const NODE_MODULES = fileURLToPath(new URL("../../node_modules/", import.meta.url));

const { platform, arch } = process;
const libc = platform === "linux" ? (glibc() ? "glibc" : "musl") : "";

/**
 * @typedef {object} Runtime
 * @property {string} program The path, or "" if the program is missing.
 * @property {string | false} skip The reason why its tests are skipped: the option `skip` of a test.
 */

export const deno = runtime("deno", `@deno/${[platform, arch, libc].filter(Boolean).join("-")}`, [
  platform === "win32" ? "deno.exe" : "deno",
]);

const bunArch = arch === "arm64" ? "aarch64" : arch;
export const bun = runtime(
  "bun",
  `@oven/bun-${platform === "win32" ? "windows" : platform}-${bunArch}${libc === "musl" ? "-musl" : ""}`,
  // The install script of bun moves its program to the second path, if npm runs install scripts.
  [platform === "win32" ? "bin/bun.exe" : "bin/bun", "../../bun/bin/bun.exe"],
);

const workerdArch = arch === "x64" ? "64" : arch;
export const workerd = runtime(
  "workerd",
  `@cloudflare/workerd-${platform === "win32" ? "windows" : platform}-${workerdArch}`,
  [platform === "win32" ? "bin/workerd.exe" : "bin/workerd"],
);

/**
 * @param {string} name
 * @param {string} packageName The package for this platform.
 * @param {string[]} paths The possible paths of the program in that package.
 * @returns {Runtime}
 */
function runtime(name, packageName, paths) {
  const { optionalDependencies } = JSON.parse(readFileSync(join(NODE_MODULES, name, "package.json"), "utf8"));
  if (!(packageName in optionalDependencies)) {
    return { program: "", skip: `npm has no ${name} for this platform (${packageName}): NOT COVERED` };
  }
  const program = paths.map((path) => join(NODE_MODULES, packageName, path)).find((path) => existsSync(path));
  if (!program) throw new Error(`${packageName} is not installed: run \`npm ci\` with optional dependencies`);
  return { program, skip: false };
}

function glibc() {
  const { header } = /** @type {{ header: { glibcVersionRuntime?: string } }} */ (process.report.getReport());
  return header.glibcVersionRuntime !== undefined;
}
