import type { ChosenFile } from "./local-file.ts";

/** The files that the system opens with the installed page: https://wicg.github.io/web-app-launch/ */
interface LaunchQueue {
  setConsumer(consumer: (launch: { readonly files?: readonly FileSystemHandle[] }) => void): void;
}

/** Calls `open` for files that the system opens with the installed page. */
export function onLaunchedFiles(open: (files: Promise<readonly ChosenFile[]>) => void): void {
  (globalThis as { launchQueue?: LaunchQueue }).launchQueue?.setConsumer(({ files = [] }) => {
    const handles = files.filter((handle): handle is FileSystemFileHandle => handle.kind === "file");
    if (handles.length === 0) return;
    open(Promise.all(handles.map(async (handle) => ({ file: await handle.getFile(), handle, folder: "" }))));
  });
}
