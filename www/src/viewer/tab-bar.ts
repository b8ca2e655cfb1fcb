import type { Change } from "gguf-wasm/full";
import { html, nothing } from "lit";
import "../export/export-menu.ts";
import type { OpenFile, Panel, View } from "../panels.ts";
import { icons } from "../ui/icons.ts";
import "../ui/menu.ts";
import type { MenuGroup } from "../ui/menu.ts";
import { renderTabs } from "../ui/tabs.ts";

/** The changes of a file that is not being edited. */
const NO_CHANGES: readonly Change[] = [];

/** Where the actions of the file are: beside the tabs, in one menu beside the tabs, or outside of the row of tabs. */
export type ActionPlace = "buttons" | "menu" | "outside";

/** The tabs of the panels, and the actions of the file beside them. */
export function renderTabBar(options: {
  file: OpenFile;
  tabs: readonly (Panel & { name: View })[];
  view: View;
  actions: ActionPlace;
  /** The items of the menu. */
  menu: () => readonly MenuGroup[];
  tools: MenuGroup;
  show: (view: View) => void;
  approach: (view: View) => void;
  edit: () => void;
  onExportProblem: (problem: string) => void;
}) {
  const { file, tabs, view, actions, menu, tools, show, approach, edit, onExportProblem } = options;
  const { gguf, fileName, edits, isEditable } = file;
  return html`<div class="tabs" part="tabs">
    ${renderTabs({
      tabs: tabs.map(({ name, title, count, badge, group }, at) => ({
        name,
        title,
        count: count?.(file),
        badge: badge?.(file),
        beginsGroup: at > 0 && tabs[at - 1]?.group !== group,
      })),
      current: view,
      label: "Parts of the file",
      show,
      approach,
    })}
    <gguf-export-menu
      .gguf=${gguf}
      .fileName=${fileName}
      .edits=${edits}
      .changes=${edits?.changes ?? NO_CHANGES}
      .tools=${tools}
      ?elsewhere=${actions !== "buttons"}
      @gguf-export-problem=${({ detail }: CustomEvent<string>) => onExportProblem(detail)}
    ></gguf-export-menu>
    ${
      actions === "buttons" && isEditable && !edits
        ? html`<button type="button" class="edit" @click=${edit}>${icons.pen}<span>Edit</span></button>`
        : nothing
    }
    ${actions === "menu" ? html`<gguf-menu class="edit" brief label="More" .icon=${icons.more} .groups=${menu}></gguf-menu>` : nothing}
  </div>`;
}

/** The items of the menu of tools, for another menu. */
export function toolMenuItems(root: ParentNode): MenuGroup[] {
  return root.querySelector("gguf-export-menu")?.groups() ?? [];
}
