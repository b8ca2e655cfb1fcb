/** The hashes that Hugging Face states for the files of a repository. */

import { loadFull } from "../gguf/full.ts";
import { parseRepository } from "../gguf/library.ts";
import { HUB } from "../gguf/repository-place.ts";
import type { ExpectedFile } from "./expected.ts";

/** Whether an address is that of a GGUF file on Hugging Face. */
export function isOnHub(address: string, parse = parseRepository): boolean {
  return address.startsWith(`${HUB}/`) && address.includes("/resolve/") && isFile(parse(address)?.path ?? "");
}

/**
 * The hashes of the files with these names in the folder of a file. A file that is not stored with its hash is left out.
 * @throws the error of `listRepository`
 */
export async function hubHashes(
  address: string,
  names: readonly string[],
  { headers, signal }: { headers: HeadersInit | undefined; signal: AbortSignal },
): Promise<ExpectedFile[]> {
  const { listRepository } = await loadFull();
  const { folder, files } = await listRepository(address, headers === undefined ? { signal } : { headers, signal });
  const wanted = new Map(names.map((name) => [folder === "" ? name : `${folder}/${name}`, name]));
  return files.flatMap(({ parts }) =>
    parts.flatMap(({ name: path, sha256 }) => {
      const name = wanted.get(path);
      return name === undefined || sha256 === undefined ? [] : [{ name, sha256 }];
    }),
  );
}

function isFile(path: string): boolean {
  return /\.gguf$/i.test(path);
}
