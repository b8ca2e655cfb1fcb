/** The files that the page suggests to compare with the open one: what it opened before, and what came with it. */

import { fileName } from "../gguf/address.ts";
import { formatBytes } from "../ui/numbers.ts";
import type { GgufViewer } from "../viewer/viewer.ts";
import type { LocalModel } from "./local-model.ts";
import { formatPlace, type RecentAddress } from "./recent-addresses.ts";
import { type RecentFile, reopenFile, reopenMessage } from "./recent-files.ts";

type Groups = GgufViewer["suggestions"];

interface Known {
  /** The local model that is open. */
  readonly model: LocalModel | undefined;
  /** The address that is open. */
  readonly url: string | undefined;
  /** The models that were chosen or dropped together with the open one. */
  readonly together: readonly LocalModel[];
  readonly files: readonly RecentFile[];
  readonly addresses: readonly RecentAddress[];
}

/** The suggestions, in groups. */
export function suggestedFiles({ model, url, together, files, addresses }: Known): Groups {
  // The open file is the newest one.
  const others = model?.handle && files[0]?.name === model.name ? files.slice(1) : files;
  const before: Groups[number]["files"] = [
    ...others.map((file) => ({ name: file.name, about: "This device", open: () => reopened(file) })),
    ...addresses
      .filter((recent) => recent.repo === undefined && recent.url !== url)
      .map((recent) => ({
        // Quantizations of one model have its name.
        name: fileName(recent.url),
        about: formatPlace({ ...recent, name: fileName(recent.url) }, document.baseURI),
        open: () => ({ kind: "address" as const, address: recent.url }),
      })),
  ];
  return [
    {
      title: "Chosen together with this file",
      files: together.filter((other) => other !== model && !other.folder).map(ofModel),
    },
    { title: "Opened before", files: before },
  ];
}

function ofModel({ name, files }: LocalModel): Groups[number]["files"][number] {
  return {
    name,
    about: formatBytes(files.reduce((sum, { file }) => sum + file.size, 0)),
    open: () => ({ kind: "files", files: files.map(({ file }) => file) }),
  };
}

async function reopened(recent: RecentFile): Promise<{ kind: "files"; files: File[] }> {
  const found = await reopenFile(recent);
  if (typeof found === "string") throw new Error(reopenMessage(recent.name, found));
  return { kind: "files", files: [found.file] };
}
