/** The service worker of the app, with the list of the files that it keeps. */

import { writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { build, type Plugin, type Rolldown } from "vite";
import { getManifest } from "workbox-build";

const NAME = "service-worker.js";
/** The place in the script for the list, as Workbox names it. */
const PLACE = "self.__WB_MANIFEST";

/**
 * Writes `service-worker.js` from `entry`. It is a script of its own, at the root of the app: the folder of a service worker is what it can
 * serve. `plugins` see its modules before the app is bundled.
 */
export function serviceWorker(entry: string, plugins: () => Plugin[]): Plugin {
  let folder = "";
  let script = "";
  return {
    name: "service-worker",
    apply: "build",
    configResolved: ({ root, build }) => {
      folder = join(root, build.outDir);
    },
    buildStart: async () => {
      const built = await build({
        configFile: false,
        root: dirname(entry),
        publicDir: false,
        logLevel: "warn",
        plugins: plugins(),
        build: { write: false, target: "es2023", rolldownOptions: { input: entry, output: { format: "iife" } } },
      });
      script = (built as Rolldown.RolldownOutput).output[0].code;
      if (script.split(PLACE).length !== 2) throw new Error(`${entry} must contain ${PLACE} once`);
    },
    closeBundle: {
      order: "post",
      sequential: true,
      handler: async () => {
        const { manifestEntries, warnings } = await getManifest({
          globDirectory: folder,
          globPatterns: ["**/*.{html,js,css,wasm,svg,png,webmanifest}"],
          // The element for other pages, which have no service worker of this page.
          globIgnores: [NAME, "viewer.js"],
          // The names of these files contain the hash of their content.
          dontCacheBustURLsMatching: /^assets\//,
          maximumFileSizeToCacheInBytes: 16_000_000,
        });
        if (warnings.length > 0) throw new Error(warnings.join("\n"));
        await writeFile(
          join(folder, NAME),
          script.replace(PLACE, () => JSON.stringify(manifestEntries)),
        );
      },
    },
  };
}
