import { html, nothing } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { type OpenFile, type Panel, panelNamed, PANELS, type View } from "../panels.ts";
import { icons } from "../ui/icons.ts";
import type { MenuGroup } from "../ui/menu.ts";
import { type PartLoader, preload } from "../ui/part-loader.ts";
import { escapeText } from "../ui/text.ts";
import { renderLegacyNotice } from "./legacy-notice.ts";
import { renderPanel, renderRegion } from "./panel-region.ts";
import { renderSetNotice } from "./set-notice.ts";
import { type ActionPlace, exportItems, renderTabBar } from "./tab-bar.ts";
import type { EditMode } from "./viewer-editing.ts";

/** A panel as the viewer names it. */
export type NamedPanel = Panel & { name: View };

/** The panels that have a tab. In a wide viewer, some panels stand beside the tabs instead. */
export function panelsWithTab(file: OpenFile | undefined, isWide: boolean): NamedPanel[] {
  const panels: readonly NamedPanel[] = PANELS;
  return panels.filter(
    ({ place, isShown }) => !(isWide && place === "beside") && (!isShown || (file !== undefined && isShown(file))),
  );
}

export interface ShownParts {
  readonly tabs: readonly NamedPanel[];
  /** The panel that is visible under the tabs. */
  readonly view: View;
  readonly isWide: boolean;
  readonly isCompact: boolean;
  readonly actions: ActionPlace;
  readonly editMode: EditMode | undefined;
  /** Why editing could not begin or nothing could be exported; "" if all is well. */
  readonly editProblem: string;
  readonly exportProblem: string;
  readonly loader: PartLoader;
  /** The viewer's shadow root. */
  readonly root: ParentNode;
}

export interface ViewerActions {
  readonly menu: () => readonly MenuGroup[];
  readonly show: (view: View) => void;
  readonly edit: () => void;
  readonly stopEditing: () => Promise<void>;
  readonly onExportProblem: (problem: string) => void;
}

/** An open file: the panels beside the tabs, the tabs, and their panels. */
export function renderOpenFile(file: OpenFile, parts: ShownParts, actions: ViewerActions) {
  const { tabs, view, isWide, isCompact, editMode, editProblem, exportProblem, loader, root } = parts;
  const { menu, show, edit, stopEditing, onExportProblem } = actions;
  const beside = isWide ? PANELS.filter(({ place }) => place === "beside") : [];
  return html`${beside.map((panel) => renderRegion(panel, file, false))}
    <div class="main">
      ${editMode?.renderBar({ stop: stopEditing, isCompact, more: () => exportItems(root) }) ?? nothing}
      ${file.model.set ? (renderSetNotice(file.model.set, () => show("shards")) ?? nothing) : nothing}
      ${file.model.legacy ? renderLegacyNotice(file.model.legacy) : nothing}
      ${editProblem === "" ? nothing : html`<p class="problem" role="alert">${icons.warning}${editProblem}</p>`}
      ${exportProblem === "" ? nothing : html`<p class="problem" role="alert">${icons.warning}<span>${escapeText(exportProblem, 600)}</span></p>`}
      ${renderTabBar({
        file,
        tabs,
        view,
        menu,
        show,
        edit,
        onExportProblem,
        actions: parts.actions,
        approach: (name) => preload(panelNamed(name)),
      })}
      <div role="tabpanel" id="panel" aria-labelledby="tab-${view}">
        ${repeat(
          tabs,
          ({ name }) => name,
          (panel) => renderPanel(panel, file, panel.name !== view, loader),
        )}
      </div>
    </div>`;
}
