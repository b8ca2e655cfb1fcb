import { html, nothing } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { type OpenFile, type Panel, panelNamed, PANELS, panelsOf, type View } from "../panels.ts";
import type { Machine } from "../memory/machine.ts";
import "../summary/identity.ts";
import { renderMachineLine } from "../summary/machine-line.ts";
import type { HubFile } from "../gguf/repository-place.ts";
import type { KeptEdits } from "../gguf/kept-edits.ts";
import type { ShownHeader } from "../gguf/shown-file.ts";
import { icons } from "../ui/icons.ts";
import type { MenuGroup } from "../ui/menu.ts";
import { type PartLoader, preloadAll } from "../ui/part-loader.ts";
import { renderText } from "../ui/render-text.ts";
import { escapeText } from "../ui/text.ts";
import { renderContainerNotice } from "../summary/container-notice.ts";
import { type KeptActions, renderKeptNotice } from "./kept-notice.ts";
import { renderLegacyNotice } from "./legacy-notice.ts";
import { renderPanel } from "./panel-region.ts";
import { renderSetNotice } from "./set-notice.ts";
import { type ActionPlace, renderTabBar, toolMenuItems } from "./tab-bar.ts";
import type { EditMode } from "./viewer-editing.ts";

/** A panel as the viewer names it. */
export type NamedPanel = Panel & { name: View };

/** The panels that have a tab. A tool has one if a person has `chosen` it for this file, or if this file needs it. */
export function panelsWithTab(file: OpenFile | undefined, chosen: ReadonlySet<View>): NamedPanel[] {
  const panels: readonly NamedPanel[] = file ? panelsOf(file) : PANELS.filter((panel) => !("isShown" in panel));
  return panels.filter(
    ({ name, group, isPinned }) =>
      group !== "tool" || chosen.has(name) || (file !== undefined && (isPinned?.(file) ?? false)),
  );
}

/** The tools for a menu. */
export function toolItems(file: OpenFile, show: (view: View) => void): MenuGroup {
  const tools = panelsOf(file).filter(({ group }) => group === "tool");
  return { title: "Tools", items: tools.map(({ name, title }) => ({ title, run: () => show(name) })) };
}

/** The name and the figures of a file beside its panels, and whether it runs on the person's machine. */
export function renderSidebar(
  file: {
    readonly gguf: ShownHeader;
    readonly model?: OpenFile["model"];
    readonly edits?: OpenFile["edits"];
    readonly fileName: string;
    readonly page?: string | undefined;
    readonly machine?: Machine;
    readonly hubFile?: HubFile | undefined;
    readonly checks?: OpenFile["checks"];
  },
  showSiblings?: () => void,
) {
  const { gguf, model, edits, fileName, page, machine, hubFile, checks } = file;
  return html`<div class="region" part="sidebar" role="region" aria-label="Model" tabindex="0">
    <gguf-identity
      .gguf=${gguf}
      .edited=${edits?.header}
      .changes=${edits?.changes.length ?? 0}
      .fileName=${fileName}
      .page=${page}
    ></gguf-identity>
    ${model && machine ? renderMachineLine(model.gguf, machine, checks) : nothing}
    ${
      hubFile && showSiblings
        ? html`<button type="button" class="siblings" aria-haspopup="dialog" @click=${showSiblings}>
            <span>Other files of ${renderText(hubFile.place, { limit: 120 })}</span>
          </button>`
        : nothing
    }
  </div>`;
}

export interface ShownParts {
  readonly tabs: readonly NamedPanel[];
  /** The panel that is visible under the tabs. */
  readonly view: View;
  readonly isCompact: boolean;
  readonly actions: ActionPlace;
  readonly editMode: EditMode | undefined;
  /** Why editing could not begin or nothing could be exported; "" if all is well. */
  readonly editProblem: string;
  readonly exportProblem: string;
  /** Unsaved edits of an earlier session that can be restored. */
  readonly kept: KeptEdits | undefined;
  /** The notice of a module that has stopped. */
  readonly stop: unknown;
  readonly loader: PartLoader;
  /** The viewer's shadow root. */
  readonly root: ParentNode;
}

export interface ViewerActions {
  readonly menu: () => readonly MenuGroup[];
  /** Shows the other files of the repository. */
  readonly showSiblings: () => void;
  readonly show: (view: View) => void;
  readonly edit: () => void;
  readonly stopEditing: () => Promise<void>;
  readonly keptActions: KeptActions;
  readonly onExportProblem: (problem: string) => void;
}

/** An open file: the sidebar, the tabs, and their panels. */
export function renderOpenFile(file: OpenFile, parts: ShownParts, actions: ViewerActions) {
  const { tabs, view, isCompact, editMode, editProblem, exportProblem, kept, stop, loader, root } = parts;
  const { menu, show, edit, stopEditing, onExportProblem } = actions;
  return html`${file.hasSidebar ? renderSidebar(file, actions.showSiblings) : nothing}
    <div class="main" part="main">
      ${editMode?.renderBar({ stop: stopEditing, isCompact, more: () => toolMenuItems(root) }) ?? nothing} ${stop}
      ${kept ? renderKeptNotice(kept, actions.keptActions) : nothing}
      ${file.model.set ? (renderSetNotice(file.model.set, () => show("shards")) ?? nothing) : nothing}
      ${file.model.container ? renderContainerNotice(file.model.container) : nothing}
      ${file.model.legacy ? renderLegacyNotice(file.model.legacy) : nothing}
      ${editProblem === "" ? nothing : html`<p class="problem" role="alert">${icons.warning}${editProblem}</p>`}
      ${exportProblem === "" ? nothing : html`<p class="problem" role="alert">${icons.warning}<span>${escapeText(exportProblem, 600)}</span></p>`}
      ${renderTabBar({
        file,
        tabs,
        view,
        menu,
        tools: toolItems(file, show),
        show,
        edit,
        onExportProblem,
        actions: parts.actions,
        approach: (name) => preloadAll(panelNamed(name)),
      })}
      <div role="tabpanel" part="panel" id="panel" aria-labelledby="tab-${view}">
        ${repeat(
          tabs,
          ({ name }) => name,
          (panel) => renderPanel(panel, file, panel.name !== view, loader),
        )}
      </div>
    </div>`;
}
