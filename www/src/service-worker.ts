/**
 * The service worker of the page: it keeps the files of one build, so that the page opens without a network after the first visit. All other
 * requests, for example those for model files, are left to the browser.
 */

import { clientsClaim } from "workbox-core";
import { cleanupOutdatedCaches, type PrecacheEntry, precacheAndRoute } from "workbox-precaching";

/** What a service worker has besides what TypeScript knows of pages. */
interface Scope {
  /** The files of the build. `www/kept-files.ts` writes them here. */
  readonly __WB_MANIFEST: PrecacheEntry[];
  readonly skipWaiting: () => Promise<void>;
}

declare const self: Scope & typeof globalThis;

// The page is the same for every query: `?url=` is for its scripts.
precacheAndRoute(self.__WB_MANIFEST, { ignoreURLParametersMatching: [/./] });
cleanupOutdatedCaches();
// The first visit is served from the cache, too, once all files are there.
clientsClaim();

// A new version waits until the person asks for it or all pages are closed: a page must not get parts of two versions.
self.addEventListener("message", ({ data }: MessageEvent<{ type?: string } | null>) => {
  if (data?.type === "SKIP_WAITING") void self.skipWaiting();
});
