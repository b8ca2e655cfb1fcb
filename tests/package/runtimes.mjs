// The programs of the runtimes that npm brings, each as a package per platform.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const NODE_MODULES = fileURLToPath(new URL("../../node_modules/", import.meta.url));

const { platform, arch } = process;
const libc = platform === "linux" ? (glibc() ? "glibc" : "musl") : "";

/**
 * @typedef {object} Runtime
 * @property {string} program Empty where there is none.
 * @property {string | false} skip Why there is none: for the option of that name of a test.
 */

export const deno = runtime("deno", `@deno/${[platform, arch, libc].filter(Boolean).join("-")}`, [
  platform === "win32" ? "deno.exe" : "deno",
]);

const bunArch = arch === "arm64" ? "aarch64" : arch;
export const bun = runtime(
  "bun",
  `@oven/bun-${platform === "win32" ? "windows" : platform}-${bunArch}${libc === "musl" ? "-musl" : ""}`,
  // The second is where bun's install script moves it, with a version of npm that runs install scripts.
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
 * @param {string} packageName Its package for this platform.
 * @param {string[]} paths Where in that the program may be.
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
