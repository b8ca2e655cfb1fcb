import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import { licences } from "./licences.ts";

// The build tool writes the list of crates before it builds the app.
const written = licences("licenses.md", process.env["GGUF_CRATES"] ?? "");

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  root: here("."),
  // Relative, so that the built app works below any path.
  base: "./",
  // pkg/ is linked into node_modules and built again and again: it must not be bundled ahead of time and cached.
  optimizeDeps: { exclude: ["gguf-wasm"] },
  server: { fs: { allow: [here("..")] } },
  // The worker that reads values is a module like all others.
  worker: { format: "es", plugins: () => [written.worker()] },
  plugins: [written.build],
  build: {
    target: "es2023",
    // The reader's module is a file of its own: a data: URL would not pass the Content-Security-Policy.
    assetsInlineLimit: 0,
    rolldownOptions: {
      input: { index: here("index.html"), viewer: here("src/viewer.ts") },
      // Other pages load the viewer from here by its name: <script type="module" src="…/viewer.js">. The code is in chunks that are
      // named by their content, so that no cache mixes two builds: one for the viewer, one for edit mode, which is loaded when editing
      // begins, and one for the editor of chat templates.
      preserveEntrySignatures: "strict",
      output: {
        entryFileNames: (chunk) => (chunk.name === "viewer" ? "viewer.js" : "assets/[name]-[hash].js"),
        codeSplitting: {
          groups: [
            { name: "elements", test: /\/src\/(?!app\/|edit\/|main|page|template\/code-editor)|\/node_modules\/@?lit/ },
          ],
        },
      },
    },
  },
});
