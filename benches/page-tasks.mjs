// The tasks of the page's main thread. A task is what the browser runs at a stretch: nobody can click meanwhile.

/** Milliseconds until the page has done all that it does when a panel is shown. */
const SETTLED = 3000;

/**
 * The times of the tasks during some work and shortly after it, in milliseconds, the longest first. They are processor time of the main
 * thread, so that other programs do not count.
 *
 * @param {import("@playwright/test").Browser} browser
 * @param {import("@playwright/test").Page} page
 * @param {() => Promise<unknown>} work
 */
export async function tasksOf(browser, page, work) {
  await browser.startTracing(page, {
    categories: ["toplevel", "devtools.timeline", "disabled-by-default-devtools.timeline"],
  });
  await work();
  await page.waitForTimeout(SETTLED);
  /** @type {{ traceEvents: { name: string, pid: number, tid: number, tdur?: number, args: { name?: string } }[] }} */
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString());
  const main = traceEvents.filter(({ name, args }) => name === "thread_name" && args.name === "CrRendererMain");
  return traceEvents
    .filter(
      ({ name, pid, tid }) =>
        name.endsWith("RunTask") && main.some((thread) => thread.pid === pid && thread.tid === tid),
    )
    .map(({ tdur = 0 }) => tdur / 1000)
    .sort((a, b) => b - a);
}
