// The tasks of the page's main thread. A task is what the browser runs at a stretch: nobody can click meanwhile.

/** Milliseconds until the page has done all that it does when a panel is shown. */
const SETTLED = 3000;

/**
 * Records the tasks during some work and shortly after it. Times are processor time of the main thread in milliseconds, so that other
 * programs do not count: `tasks` are those of all tasks, the longest first, and `between` is that of the tasks between two marks
 * (`performance.mark`) of the page.
 *
 * @param {import("@playwright/test").Browser} browser
 * @param {import("@playwright/test").Page} page
 * @param {() => Promise<unknown>} work
 */
export async function tasksOf(browser, page, work) {
  await browser.startTracing(page, {
    categories: ["toplevel", "devtools.timeline", "disabled-by-default-devtools.timeline", "blink.user_timing"],
  });
  await work();
  await page.waitForTimeout(SETTLED);
  /** @type {{ traceEvents: { name: string, pid: number, tid: number, ts: number, tdur?: number, args: { name?: string } }[] }} */
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString());
  const main = traceEvents.filter(({ name, args }) => name === "thread_name" && args.name === "CrRendererMain");
  const tasks = traceEvents
    .filter(
      ({ name, pid, tid }) =>
        name === "ThreadControllerImpl::RunTask" && main.some((thread) => thread.pid === pid && thread.tid === tid),
    )
    .map(({ ts, tdur = 0 }) => ({ start: ts, time: tdur / 1000 }));
  const at = (/** @type {string} */ mark) => traceEvents.findLast(({ name }) => name === mark)?.ts ?? NaN;
  return {
    tasks: tasks.map(({ time }) => time).sort((a, b) => b - a),
    /** @param {string} from @param {string} to */
    between(from, to) {
      const [first, last] = [at(from), at(to)];
      // The first mark is within a task.
      const begun = tasks.findLast(({ start }) => start <= first)?.start ?? NaN;
      return tasks.reduce((sum, { start, time }) => (start >= begun && start < last ? sum + time : sum), 0);
    },
  };
}
