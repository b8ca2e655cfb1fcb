/** Registers the service worker of the page. Loaded after the page, because nothing that is shown needs it. */

import { Workbox } from "workbox-window";
import { trustedAddress } from "../ui/module-worker.ts";

/** Reports a new version of the page, with a function that changes to it. */
export type OnNewVersion = (change: () => void) => void;

/** Keeps the files of the page for visits without a network, and looks for a new version of them. */
export async function keepFiles(onNewVersion: OnNewVersion): Promise<void> {
  const worker = new Workbox(trustedAddress(new URL("service-worker.js", document.baseURI).href));
  let isChanging = false;
  worker.addEventListener("waiting", () => {
    onNewVersion(() => {
      isChanging = true;
      worker.messageSkipWaiting();
    });
  });
  worker.addEventListener("controlling", ({ isUpdate }) => {
    if (isChanging) location.reload();
    // Another tab has changed to a new version. Parts of the old one that this tab has not loaded are gone.
    else if (isUpdate) onNewVersion(() => location.reload());
  });
  // If a browser refuses the worker, or the host has none, the page works without it.
  await worker.register().catch(() => undefined);
}
