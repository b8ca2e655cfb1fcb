/** The licences of everything that the app contains: npm packages, also those of workers, and the crates of the package. */

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Plugin } from "vite";

/** A package or a crate, with the texts of its licence. */
interface Part {
  name: string;
  version: string;
  license: string;
  texts: string[];
}

/** The files that may be part of the terms of a licence. */
const TERMS = /^(licen[cs]e|copying|copyright|notice)([.-].*)?$/i;

/**
 * Writes the licences into `fileName`. `build` is for the app, and `worker` for each of its workers: these are bundled first.
 * `cratesFile` is a list that the build tool makes; without it, the file has only npm packages.
 */
export function licences(fileName: string, cratesFile: string): { build: Plugin; worker: () => Plugin } {
  const parts = new Map<string, Part>();
  const collect: Plugin["generateBundle"] = (_options, bundle) => {
    for (const chunk of Object.values(bundle)) {
      for (const id of chunk.type === "chunk" ? chunk.moduleIds : []) {
        const part = packageOf(id);
        if (part) parts.set(part.name, part);
      }
    }
  };
  return {
    worker: () => ({ name: "licences-of-worker", generateBundle: collect }),
    build: {
      name: "licences",
      generateBundle(options, bundle, isWrite) {
        Reflect.apply(collect, this, [options, bundle, isWrite]);
        const crates = existsSync(cratesFile) ? (JSON.parse(readFileSync(cratesFile, "utf8")) as Part[]) : [];
        this.emitFile({ type: "asset", fileName, source: text([...parts.values()], crates) });
      },
    },
  };
}

/** The package of a module; `undefined` for modules of the app and of the bundler. */
function packageOf(id: string): Part | undefined {
  // Modules that a bundler makes have such names.
  if (id.startsWith("\0")) return undefined;
  for (let folder = dirname(id.split("?")[0] ?? id); folder !== dirname(folder); folder = dirname(folder)) {
    const manifest = join(folder, "package.json");
    if (!existsSync(manifest)) continue;
    const {
      name,
      version,
      license,
      private: isPrivate,
    } = JSON.parse(readFileSync(manifest, "utf8")) as {
      [Member in "name" | "version" | "license"]?: string;
    } & { private?: boolean };
    if (isPrivate) return undefined;
    // Some packages have manifests in inner folders, without a name.
    if (name === undefined || version === undefined) continue;
    const files = readdirSync(folder).filter((file) => TERMS.test(file));
    const texts = files.sort().map((file) => readFileSync(join(folder, file), "utf8"));
    return { name, version, license: license ?? "see the text", texts };
  }
  return undefined;
}

function text(packages: Part[], crates: Part[]): string {
  const section = (title: string, parts: Part[]) => {
    const sorted = [...parts].sort((a, b) => (a.name < b.name ? -1 : 1));
    return `# ${title}\n\n${sorted.map(partText).join("\n")}`;
  };
  return `${section("npm packages", packages)}\n${section("Crates of the WebAssembly module", crates)}`;
}

function partText({ name, version, license, texts }: Part): string {
  const quoted = texts.map((text) => `\n${text.trim().replace(/^/gm, "    ")}\n`);
  return `## ${name} ${version} (${license})\n${quoted.join("")}`;
}
