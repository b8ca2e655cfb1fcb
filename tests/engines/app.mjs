// The server of the built app and of the models that the flows open, and a folder on the disk.

import { mkdir, readFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { answerFrom, listen, range, whole } from "../support/file-server.mjs";
import { goldenVectors } from "./golden.mjs";
import { brokenModel, model, secondModel } from "./models.mjs";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** Where the app is on the server. The server has the whole repository, because pages for tests import from it. */
const APP = "/www/dist/index.html";

/** @typedef {Awaited<ReturnType<typeof startApp>>} App */

/** A limit for a download that never ends. */
const LONGEST = 60_000;

/** @param {string} folder A folder for the files that a person has on the disk. */
export async function startApp(folder) {
  const downloads = join(folder, "downloads");
  await mkdir(downloads, { recursive: true });
  const files = { "model.gguf": await model(), "second.gguf": await secondModel(), "broken.gguf": await brokenModel() };
  for (const [name, bytes] of Object.entries(files)) await writeFile(join(folder, name), bytes);
  const fromFolder = answerFrom(ROOT);
  const server = await listen(async (request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    // It would show an earlier build, and fetch all files of the app.
    if (pathname.endsWith("/service-worker.js")) return void response.writeHead(404).end();
    if (pathname === "/golden.json") return void response.end(await goldenVectors());
    const [, place = "", name = ""] = /^\/(models|without-ranges)\/(.*)$/.exec(pathname) ?? [];
    if (place === "") return fromFolder(request, response);
    const file = Reflect.get(files, name);
    if (!file) return void response.writeHead(404).end();
    const answer = place === "models" && request.headers.range ? range : whole;
    return answer(request, response, file, 0);
  });
  /** @type {Set<string>} */
  const seen = new Set();
  return {
    files,
    downloads,
    origin: server.origin,
    close: server.close,
    /** The start page of the app. `state` is the hash. */
    page: (state = "") => `${server.origin}${APP}${state === "" ? "" : `#${state}`}`,
    /** The address of a model. @param {keyof typeof files} name @param {"models" | "without-ranges"} [place] */
    url: (name, place = "models") => `${server.origin}/${place}/${name}`,
    /** The path of a model on the disk. @param {keyof typeof files} name */
    path: (name) => join(folder, name),
    /** Waits for the next downloaded file. */
    async downloaded() {
      for (const end = Date.now() + LONGEST; Date.now() < end;) {
        const name = (await readdir(downloads)).find((name) => name.endsWith(".gguf") && !seen.has(name));
        const path = join(downloads, name ?? "");
        const bytes = name === undefined ? undefined : await complete(path);
        if (name !== undefined && bytes) {
          seen.add(name);
          return { path, bytes };
        }
        await pause();
      }
      throw new Error(`no file was downloaded into ${downloads} in ${LONGEST / 1000} s`);
    },
  };
}

const pause = () => new Promise((waited) => setTimeout(waited, 100));

/** The bytes of a file, unless it still grows. @param {string} path */
async function complete(path) {
  const before = await readFile(path);
  await pause();
  const bytes = new Uint8Array(await readFile(path));
  return bytes.length > 0 && bytes.length === before.length ? bytes : undefined;
}
