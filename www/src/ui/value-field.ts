import { LitElement } from "lit";

/**
 * Finds the field that edits the value of an open row, or the list of its elements. It may be in any shadow tree below `root`, and may not
 * be rendered yet.
 */
export async function findValueField(root: ParentNode): Promise<HTMLElement | undefined> {
  for (const element of root.querySelectorAll<HTMLElement>("*")) {
    if (element.matches("[data-value-field], .scroller")) return element;
    if (!(element instanceof LitElement)) continue;
    await element.updateComplete;
    const field = await findValueField(element.renderRoot);
    if (field) return field;
  }
  return undefined;
}
