/** The keys of the viewer: one list, for the dialog that shows them. */

export interface KeyGroup {
  readonly title: string;
  /** The keys, with "Mod" for ⌘ or Ctrl, and what they do. */
  readonly keys: readonly (readonly [keys: readonly string[], what: string])[];
}

export const KEY_GROUPS: readonly KeyGroup[] = [
  {
    title: "Everywhere",
    keys: [
      [["Mod+K"], "Go to a panel, a key, a tensor or a token, or do something"],
      [["/"], "Search in the shown panel"],
      [["?"], "Show these keys"],
      [["Esc"], "Close a dialog or a menu; clear a search"],
    ],
  },
  {
    title: "Tabs",
    keys: [
      [["←", "→"], "Previous or next panel"],
      [["Home", "End"], "First or last panel"],
    ],
  },
  {
    title: "Tables",
    keys: [
      [["↑", "↓"], "Previous or next row"],
      [["Enter", "Space"], "Open or close a row"],
      [["→", "←"], "Open a row or a section, or close it"],
      [["Home", "End"], "First or last row"],
      [["Mod+C"], "Copy the value of the row"],
    ],
  },
  {
    title: "Editing",
    keys: [
      [["Mod+Z"], "Undo"],
      [["Mod+Shift+Z"], "Redo"],
      [["Mod+S"], "Save"],
    ],
  },
];
