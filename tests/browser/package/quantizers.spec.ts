import { fileURLToPath } from "node:url";
import { expect, test } from "@playwright/test";
import { serveFolder } from "../../support/file-server.mjs";
import { goldenRows } from "../../support/quantizer-rows.mjs";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

test("scalar and simd128 quantizers give the bytes of ggml, and equal bytes for random rows", async ({ page }) => {
  const { rows, golden } = goldenRows();
  test.skip(golden.length === 0, "the corpus is not there: set GGUF_CORPUS");
  const server = await serveFolder(ROOT);
  await page.goto(`${server.origin}/tests/package/consumer/index.html`);
  const plain = golden.map((entry) => ({
    ...entry,
    importance: [...entry.importance],
    blocks: Buffer.from(entry.blocks).toString("base64"),
  }));
  const found = await page.evaluate(
    async ({ rows, golden }) => {
      const load = async <T>(path: string): Promise<T> => import(path) as Promise<T>;
      const { differencesBetween, differencesFromGolden } = await load<
        typeof import("../../support/quantizer-checks.mjs")
      >("/tests/support/quantizer-checks.mjs");
      const { generator } = await load<typeof import("../../support/chance.mjs")>("/tests/support/chance.mjs");
      const quantizers = async (name: string) => {
        const { instance } = await WebAssembly.instantiateStreaming(fetch(`/target/kernels/${name}.wasm`), {});
        return instance.exports as unknown as import("../../support/quantizer-checks.mjs").Quantizers;
      };
      const bytes = (base64: string) => Uint8Array.from(atob(base64), (byte) => byte.charCodeAt(0));
      const [scalar, simd128] = [await quantizers("scalar"), await quantizers("simd128")];
      const elements = new Float32Array(bytes(rows).buffer);
      const random = generator(Math.floor(Math.random() * 2 ** 32));
      return golden.flatMap((entry) => {
        const ofType = { ...entry, importance: Float32Array.from(entry.importance), blocks: bytes(entry.blocks) };
        const differences = differencesFromGolden({ scalar, simd128 }, ofType, elements);
        return entry.mode === "imatrix"
          ? differences
          : [...differences, ...differencesBetween(scalar, simd128, ofType, random)];
      });
    },
    { rows: Buffer.from(rows.buffer).toString("base64"), golden: plain },
  );
  expect(found).toEqual([]);
  await server.close();
});
