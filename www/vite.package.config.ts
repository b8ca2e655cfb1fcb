/** Builds the scripts of the package `gguf-wasm-viewer`: the elements without the page. */

import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import app, { modulesOf } from "./vite.config.ts";

/** Whether a script is that of a worker. */
const WORKER = /(?:^|[-/])worker-[^/]*\.js$/;

/** The modules that the script of each worker loads. Workers are bundled before the scripts that start them. */
const modulesOfWorkers = new Map<string, Set<string>>();

const address = (file: string) => `new URL("./${file.replace(/^assets\//, "")}", import.meta.url).href`;

/** It is known what the licences and the workers cost. */
const checks = { pluginTimings: false, ineffectiveDynamicImport: false };

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

const VIEWER = here("src/viewer.ts");

/** The small elements, each with the name of the chunk that only it and the panels of the viewer need. */
const SMALL = [
  { entry: here("src/elements/summary.ts"), chunk: "facts" },
  { entry: here("src/elements/tensor.ts"), chunk: "values" },
  { entry: here("src/elements/memory.ts"), chunk: "estimates" },
] as const;

type Modules = Parameters<typeof modulesOf>[1];

/**
 * The chunk of a module that small elements import: `basis` if several of them do. Chunks of the viewer import these chunks, so that a page
 * with several elements has no code twice. The viewer starts without those of panels. What registers an element is in none of them.
 */
function sharedChunk(id: string, modules: Modules): string | null {
  if (id.includes("/src/elements/") || /\/pkg\/(?!gguf-error|common\/)/.test(id)) return null;
  const users = SMALL.filter(({ entry }) => modulesOf([entry], modules).has(id));
  if (users.length !== 1) return users.length > 1 ? "basis" : null;
  const { chunk } = users[0] as (typeof SMALL)[number];
  return modulesOf([VIEWER], modules).has(id) ? chunk : `${chunk}-panel`;
}

// A group takes what it imports with it, so what is imported comes first.
const groups = [
  { name: (id: string, modules: Modules) => (sharedChunk(id, modules) === "basis" ? "basis" : null), priority: 20 },
  { name: "reader", test: /\/pkg\/reader\//, priority: 19 },
  { name: "values-library", test: /\/pkg\/(?:gguf_wasm\w*|init)\.jsx?$/, priority: 19 },
  { name: "full-library", test: /\/pkg\/full\//, priority: 19 },
  { name: "library", test: /\/pkg\/explain\/|\/src\/gguf\/library\.ts$/, priority: 19 },
  { name: sharedChunk, priority: 18 },
  { name: "element", test: /\/src\/elements\/file-element\.ts$/, priority: 17 },
  ...["summary", "tensor", "memory"].map((name) => ({
    name: `${name}-element`,
    test: new RegExp(`/src/elements/${name}\\.ts$`),
    priority: 16,
  })),
];
const entries = ["viewer", "summary", "tensor", "memory"];
const appOptions = app.build?.rolldownOptions;
const appOutput = appOptions?.output as { codeSplitting: { groups: object[] } };

export default defineConfig({
  ...app,
  publicDir: false,
  experimental: {
    /**
     * A bundler of another page copies the files that scripts name. It gives the copies other names, and knows those in scripts that it
     * bundles. It does not bundle the script of a worker, which it copies. So the page tells a worker the addresses of its modules, after
     * the `#` of the worker's own address.
     */
    renderBuiltUrl(file, { hostId, hostType }) {
      if (hostType !== "js") return { relative: true };
      if (WORKER.test(hostId)) {
        if (!file.endsWith(".wasm")) return { relative: true };
        const worker = nameOf(hostId);
        modulesOfWorkers.set(worker, (modulesOfWorkers.get(worker) ?? new Set()).add(file));
        return { runtime: `new URLSearchParams(new URL(import.meta.url).hash.slice(1)).get("${nameOf(file)}")` };
      }
      if (!WORKER.test(file)) return { runtime: address(file) };
      const modules = [...(modulesOfWorkers.get(nameOf(file)) ?? [])];
      const told = modules.map((module) => `["${nameOf(module)}", ${address(module)}]`);
      return { runtime: `${address(file)} + "#" + new URLSearchParams([${told.join(", ")}])` };
    },
  },
  plugins: [
    // The element has no service worker in pages of others.
    ...(app.plugins ?? []).filter((plugin) => !(plugin && "name" in plugin && plugin.name === "service-worker")),
    {
      // A bundler would look for the worker among the files of the package. The address is absolute, or begins with "/" in Next.js.
      name: "absolute-worker-addresses",
      enforce: "pre",
      transform: (code) => code.replaceAll("new URL(workerUrl, import.meta.url)", "new URL(workerUrl, location.href)"),
    },
    {
      // Bundlers of other pages look for the files that scripts name, and fail where an expression names them. Vite gives an address the
      // script as its base, and the address of a script that is loaded again is known when it has failed.
      name: "expressions-name-no-files",
      enforce: "post",
      generateBundle(_, bundle) {
        for (const file of Object.values(bundle)) {
          if (file.type !== "chunk") continue;
          file.code = file.code
            .replaceAll(/,\s*(?:``|""|'')\s*\+\s*import\.meta\.url\)/g, ",location.href)")
            .replaceAll(
              "import(`${",
              "import(/* @vite-ignore */ /* webpackIgnore: true */ /* turbopackIgnore: true */ `${",
            );
        }
      },
    },
  ],
  worker: { ...app.worker, rolldownOptions: { checks } },
  build: {
    ...app.build,
    outDir: fileURLToPath(new URL("../target/viewer-package", import.meta.url)),
    emptyOutDir: true,
    rolldownOptions: {
      ...appOptions,
      checks,
      input: {
        viewer: VIEWER,
        ...Object.fromEntries(SMALL.map(({ entry }) => [entry.replace(/^.*\/|\.ts$/g, ""), entry])),
      },
      output: {
        ...appOutput,
        entryFileNames: ({ name }) => (entries.includes(name) ? "[name].js" : "assets/[name]-[hash].js"),
        codeSplitting: { groups: [...groups, ...appOutput.codeSplitting.groups] as never },
      },
    },
  },
});

/** The name of a file without its folder and its hash, which may not be known yet. */
function nameOf(file: string): string {
  return file.replace(/^.*\//, "").replace(/-(?:!~\{.*\}~|[\w-]{8})(?=\.\w+$)/, "");
}
