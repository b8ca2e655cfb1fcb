import { fileURLToPath } from "node:url";
import { expect, test } from "@playwright/test";
import { ggmlTypes } from "gguf-wasm/full";
import { serveFolder } from "../../support/file-server.mjs";
import { golden } from "../../support/kernels.mjs";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

test("scalar and simd128 kernels give the bits of ggml, and equal bits for random blocks", async ({ page }) => {
  const server = await serveFolder(ROOT);
  await page.goto(`${server.origin}/tests/package/consumer/index.html`);
  const types = ggmlTypes().filter((type) => type.blockSize > 0);
  const cases = await Promise.all(
    types.map(async (type) => ({
      type,
      golden: (await golden(type.name)).map(({ name, blocks, elements }) => ({
        name,
        blocks: [...blocks],
        elements: [...elements],
      })),
    })),
  );
  const found = await page.evaluate(async (cases) => {
    const load = async <T>(path: string): Promise<T> => import(path) as Promise<T>;
    const { differencesBetween, differencesFromGolden } = await load<typeof import("../../support/kernel-checks.mjs")>(
      "/tests/support/kernel-checks.mjs",
    );
    const { generator } = await load<typeof import("../../support/chance.mjs")>("/tests/support/chance.mjs");
    const kernels = async (name: string) => {
      const { instance } = await WebAssembly.instantiateStreaming(fetch(`/target/kernels/${name}.wasm`), {});
      return instance.exports as unknown as import("../../support/kernel-checks.mjs").Kernels;
    };
    const [scalar, simd128] = [await kernels("scalar"), await kernels("simd128")];
    const random = generator(Math.floor(Math.random() * 2 ** 32));
    return cases.flatMap(({ type, golden }) => [
      ...differencesFromGolden(
        { scalar, simd128 },
        type,
        golden.map(({ name, blocks, elements }) => ({
          name,
          blocks: Uint8Array.from(blocks),
          elements: Uint32Array.from(elements),
        })),
      ),
      ...differencesBetween(scalar, simd128, type, random),
    ]);
  }, cases);
  expect(found).toEqual([]);
  await server.close();
});
