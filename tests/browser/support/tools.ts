// The menu of tools.

import type { Page } from "@playwright/test";

/** Shows a tool: in its tab if it has one, else from the menu. */
export async function showTool(page: Page, name: string): Promise<void> {
  const tab = page.getByRole("tab", { name });
  const tools = page.getByRole("button", { name: "Tools" });
  await tab.or(tools).first().waitFor();
  if ((await tab.count()) > 0) {
    await tab.click();
    return;
  }
  await tools.click();
  await page.getByRole("menuitem", { name, exact: true }).click();
}
