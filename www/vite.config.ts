import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import { fileTypeNames } from "./file-types.ts";
import { serviceWorker } from "./kept-files.ts";
import { licences } from "./licences.ts";
import { blockingScriptsLast } from "./script-order.ts";

// The build tool writes the list of crates before it builds the app.
const written = licences("licenses.md", process.env["GGUF_CRATES"] ?? "");

/** The modules that entries import with import declarations, directly or not. */
export function modulesOf(
  entries: string[],
  modules: { getModuleInfo(id: string): { importedIds: string[] } | null },
): Set<string> {
  const found = new Set(entries);
  for (const id of found) for (const imported of modules.getModuleInfo(id)?.importedIds ?? []) found.add(imported);
  return found;
}

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** The policy of the page, and `frame-ancestors`, which browsers accept only in a header. */
function policy(): string {
  const page = readFileSync(here("index.html"), "utf8");
  const [, policy] = /http-equiv="Content-Security-Policy"\s+content="([^"]+)"/.exec(page) ?? [];
  if (policy === undefined) throw new Error("index.html has no Content-Security-Policy");
  return `${policy.replace(/\s+/g, " ")}; frame-ancestors 'none'`;
}

const PAGE = here("src/main.ts");
const VIEWER = here("src/viewer.ts");

export default defineConfig({
  root: here("."),
  // Relative, so that the built app works below any path.
  base: "./",
  // pkg/ is linked into node_modules and built again and again: it must not be bundled ahead of time and cached.
  optimizeDeps: { exclude: ["gguf-wasm"] },
  server: { fs: { allow: [here("..")] } },
  // A path without a file is not answered with the page.
  appType: "mpa",
  preview: { port: 4780, headers: { "Content-Security-Policy": policy(), "X-Content-Type-Options": "nosniff" } },
  // The worker that reads values is a module like all others.
  worker: { format: "es", plugins: () => [written.worker()] },
  plugins: [
    fileTypeNames(),
    blockingScriptsLast(),
    serviceWorker(here("src/service-worker.ts"), () => [written.worker()]),
    written.build,
  ],
  build: {
    target: "es2023",
    // The reader's module is a file of its own: a data: URL would not pass the Content-Security-Policy.
    assetsInlineLimit: 0,
    // A chunk that could not be preloaded could not be imported later either. Only the page itself preloads its chunks.
    modulePreload: { resolveDependencies: (_, chunks, { hostType }) => (hostType === "html" ? chunks : []) },
    rolldownOptions: {
      // The package loads some texts only when a file cannot be opened. The page has them with its other texts of errors.
      checks: { ineffectiveDynamicImport: false },
      input: { index: here("index.html"), viewer: VIEWER },
      // Other pages load the viewer from here by its name: <script type="module" src="…/viewer.js">. The code is in chunks that are
      // named by their content, so that no cache mixes two builds: `reader`, `convert-library`, `models-library`, `template-library`,
      // `forks-library` and `library` are scripts of the package, `start` is what the viewer needs before a panel is shown, `shared` is
      // what several panels need, and each part that is loaded later has its own. What starts the module that converts is not in
      // `shared`, which is loaded for every file.
      preserveEntrySignatures: "strict",
      output: {
        entryFileNames: (chunk) => (chunk.name === "viewer" ? "viewer.js" : "assets/[name]-[hash].js"),
        codeSplitting: {
          groups: [
            {
              name: (id, modules) => (modulesOf([PAGE, VIEWER], modules).has(id) ? "start" : null),
              debugName: "start",
              test: /\/src\/(?!app\/|main|viewer\.ts)|\/node_modules\/@?lit/,
              priority: 2,
            },
            { name: "reader", test: /\/pkg\/reader\//, priority: 4 },
            { name: "convert-library", test: /\/pkg\/convert\//, priority: 4 },
            { name: "models-library", test: /\/pkg\/models\//, priority: 4 },
            { name: "full-library", test: /\/pkg\/full\//, priority: 4 },
            { name: "template-library", test: /\/pkg\/template\//, priority: 4 },
            { name: "forks-library", test: /\/pkg\/forks\//, priority: 4 },
            { name: "values-library", test: /\/pkg\/(?:gguf_wasm\w*|init)\.jsx?$/, priority: 4 },
            { name: "library", test: /\/pkg\/(?!common\/)/, priority: 3 },
            // What several pictures of the summary need, and the rules of the memory panel, which pictures need too.
            {
              name: "pictures",
              test: /\/src\/(?:summary\/|ui\/(?:picture-|element-width))|\/node_modules\/(?:d3-|internmap)/,
              minShareCount: 2,
              priority: 1,
            },
            { name: "loading-rules", test: /\/src\/memory\/(?!machine|bandwidths)/, minShareCount: 2, priority: 1 },
            {
              name: "shared",
              // With the directives of lit that only panels use: a group takes what it imports with it. The user's machine is for the list of
              // a repository, too, which needs no rules.
              test: /\/src\/(?!app\/|repository\/|template\/|convert\/|summary\/|memory\/(?!machine|bandwidths))|\/node_modules\/@?lit/,
              minShareCount: 2,
              priority: 1,
            },
            { name: "convert-module", test: /\/src\/convert\/convert-module/ },
            { name: "conversion", test: /\/src\/convert\//, minShareCount: 2 },
            { name: "repository", test: /\/src\/repository\//, minShareCount: 2 },
            { name: "template", test: /\/src\/template\//, minShareCount: 2 },
          ],
        },
      },
    },
  },
});
