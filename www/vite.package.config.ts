/** Builds the scripts of the package `gguf-wasm-viewer`: the element without the page. */

import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import app from "./vite.config.ts";

/** Whether a script is that of a worker. */
const WORKER = /(?:^|[-/])worker-[^/]*\.js$/;

/** The modules that the script of each worker loads. Workers are bundled before the scripts that start them. */
const modulesOfWorkers = new Map<string, Set<string>>();

const address = (file: string) => `new URL("./${file.replace(/^assets\//, "")}", import.meta.url).href`;

/** It is known what the licences and the workers cost. */
const checks = { pluginTimings: false };

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
      // The address of a worker is absolute here. Webpack would look for it among the files of the package.
      name: "absolute-worker-addresses",
      enforce: "pre",
      transform: (code) => code.replaceAll("new URL(workerUrl, import.meta.url)", "new URL(workerUrl)"),
    },
  ],
  worker: { ...app.worker, rolldownOptions: { checks } },
  build: {
    ...app.build,
    outDir: fileURLToPath(new URL("../target/viewer-package", import.meta.url)),
    emptyOutDir: true,
    rolldownOptions: {
      ...app.build?.rolldownOptions,
      checks,
      input: { viewer: fileURLToPath(new URL("src/viewer.ts", import.meta.url)) },
    },
  },
});

/** The name of a file without its folder and its hash, which may not be known yet. */
function nameOf(file: string): string {
  return file.replace(/^.*\//, "").replace(/-(?:!~\{.*\}~|[\w-]{8})(?=\.\w+$)/, "");
}
