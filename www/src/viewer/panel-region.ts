import { html, nothing } from "lit";
import type { OpenFile, Panel } from "../panels.ts";
import type { PartLoader } from "../ui/part-loader.ts";

/** A panel under its tab, with a heading for screen readers. A panel that has not been shown is not rendered. */
export function renderPanel(panel: Panel, file: OpenFile, isHidden: boolean, loader: PartLoader) {
  const heading = isHidden ? nothing : html`<h2 class="sr">${panel.title}</h2>`;
  if (loader.codeOf(panel) !== "ready")
    return html`${heading}${isHidden ? nothing : loader.renderPlace({ ...panel, title: `The ${panel.title} panel` })}`;
  if (isHidden && panel.place === "dropped") return heading;
  // A table scrolls below its toolbar.
  return html`${heading}${panel.rows ? panel.render(file, isHidden) : renderRegion(panel, file, isHidden)}`;
}

/** A panel that scrolls as a whole. The region can have the focus, because the panel may have no control that can be reached with the keyboard. */
export function renderRegion(panel: Panel, file: OpenFile, isHidden: boolean) {
  // Landmarks have different names, and a panel may contain a section with its title.
  return html`<div class="region" role="region" aria-label="${panel.title} panel" tabindex="0" ?hidden=${isHidden}>
    ${panel.render(file, isHidden)}
  </div>`;
}
