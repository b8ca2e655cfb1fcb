import type { PaletteItem } from "../ui/palette-source.ts";
import { formatHash } from "./page-hash.ts";
import { formatPlace, type RecentAddress } from "./recent-addresses.ts";
import type { RecentFile } from "./recent-files.ts";
import { setTheme, type Theme, THEME_LABELS } from "./theme.ts";

/** What the page can do, for the command palette. */
export function pageActions(actions: {
  readonly home: () => void;
  readonly choose: () => void;
  readonly chooseFolder: () => void;
  readonly openAddress: () => void;
}): PaletteItem[] {
  const themes = (Object.keys(THEME_LABELS) as Theme[]).map((theme) => ({
    title: `Theme: ${THEME_LABELS[theme].toLowerCase()}`,
    run: () => setTheme(theme),
  }));
  return [
    { title: "Open an address, a repository or a search…", run: actions.openAddress },
    { title: "Choose a file…", run: actions.choose },
    { title: "Choose a folder…", run: actions.chooseFolder },
    { title: "Start page", run: actions.home },
    ...themes,
  ];
}

/** The files that were opened before. */
export function recentItems(
  files: readonly RecentFile[],
  addresses: readonly RecentAddress[],
  reopen: (file: RecentFile) => void,
): PaletteItem[] {
  return [
    ...files.map((file) => ({ title: file.name, about: "On this device", run: () => reopen(file) })),
    ...addresses.map((recent) => ({
      title: recent.name,
      about: formatPlace(recent, document.baseURI),
      run: () => {
        location.hash = formatHash(recent.repo === undefined ? { url: recent.url } : { repo: recent.repo });
      },
    })),
  ];
}
