// What axe finds in the state of the page: with text of twice the size, and in forced colours if the engine can be told.

import axe from "axe-core";

/** All rules except those of level AAA. */
const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice", "experimental"];

/** @param {import("./page.mjs").Page} page */
export async function violations(page) {
  await page.load(axe.source);
  const enlarged = await withSize(page, "200%");
  if (!(await page.forceColours(true))) return enlarged;
  await page.settled();
  const forced = await find(page);
  await page.forceColours(false);
  return [...enlarged, ...forced.map((found) => `in forced colours: ${found}`)];
}

/** @param {import("./page.mjs").Page} page @param {string} size */
async function withSize(page, size) {
  const before = await textSize(page);
  await page.run((size) => void document.documentElement.style.setProperty("font-size", size), size);
  await page.settled();
  const found = await find(page);
  const times = (await textSize(page)) / before;
  if (Math.abs(times - parseFloat(size) / 100) > 0.05) found.push(`texts are ${times} times as large as before`);
  await page.run(() => void document.documentElement.style.removeProperty("font-size"));
  return found.map((found) => `with text of ${size}: ${found}`);
}

/** The size of the text in the page, in px. @param {import("./page.mjs").Page} page @returns {Promise<number>} */
function textSize(page) {
  return page.run(() => {
    const texts = document.querySelector("gguf-app") ?? document.body;
    return parseFloat(getComputedStyle(texts).fontSize);
  });
}

/** @param {import("./page.mjs").Page} page */
function find(page) {
  return page.run(async (runOnly) => {
    const { axe: inPage } = /** @type {{ axe: import("axe-core") }} */ (/** @type {unknown} */ (globalThis));
    const { violations } = await inPage.run({ runOnly, resultTypes: ["violations"] });
    return violations.flatMap(({ id, nodes }) =>
      nodes.slice(0, 4).map(({ target, failureSummary }) => `${id}: ${String(target.at(-1))}: ${failureSummary ?? ""}`),
    );
  }, TAGS);
}
