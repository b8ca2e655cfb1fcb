import { svelte } from "@sveltejs/vite-plugin-svelte";
import vue from "@vitejs/plugin-vue";
import { defineConfig } from "vite";

export default defineConfig({
  base: "./",
  // The README says both.
  optimizeDeps: { exclude: ["gguf-wasm-viewer"] },
  plugins: [vue({ template: { compilerOptions: { isCustomElement: (tag) => tag.startsWith("gguf-") } } }), svelte()],
});
