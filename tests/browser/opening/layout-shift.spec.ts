/** What is shown while a file is opened stays where it is: the skeleton is the final layout. */

import type { Browser, Page } from "@playwright/test";
import { expect, test } from "../support/fixtures.ts";
import type { TestServer } from "../support/server.ts";
import { PUBLISHED_HEADERS, type PublishedHeader } from "../../support/published-headers.mjs";

const [LLAMA] = PUBLISHED_HEADERS as readonly [PublishedHeader];
/** The size of the whole file that the server tells. */
const FILE_SIZE = 4_920_739_232;

/** Serves a model whose responses wait until `respond` is called. */
function serveHeld(app: TestServer, name: string) {
  const held: (() => void)[] = [];
  const bytes = LLAMA.bytes();
  const address = app.on(`/${name}/${LLAMA.fileName}`, ({ headers }, response) => {
    const [, start = "0", last = ""] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? "") ?? [];
    const [from, end] = [Number(start), Math.min(FILE_SIZE, Number(last) + 1)];
    held.push(() => {
      response.writeHead(206, {
        "content-length": end - from,
        "content-range": `bytes ${from}-${end - 1}/${FILE_SIZE}`,
      });
      const sent = Buffer.alloc(end - from);
      sent.set(bytes.subarray(from, end));
      response.end(sent);
    });
  });
  const respond = async () => {
    await expect.poll(() => held.length).toBeGreaterThan(0);
    held.splice(0).forEach((send) => send());
  };
  return { address, respond, waiting: () => held.length };
}

/** Each layout shift of a page since it was loaded, as the Layout Instability API measures it, with the places that moved. */
function shiftsOf(page: Page) {
  return page.evaluate(async () => {
    interface LayoutShift extends PerformanceEntry {
      readonly value: number;
      readonly sources: readonly { previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[];
    }
    const words = ({ x, y, width, height }: DOMRectReadOnly) => [x, y, width, height].map(Math.round).join(" ");
    // The observer reports earlier shifts at once. A page without a shift gets no report.
    const shifts = await new Promise<LayoutShift[]>((resolve) => {
      const observer = new PerformanceObserver((list) => resolve(list.getEntries() as LayoutShift[]));
      observer.observe({ type: "layout-shift", buffered: true });
      setTimeout(() => resolve([]), 1000);
    });
    return shifts.map(({ value, sources }) => ({
      value,
      moved: sources.map(({ previousRect, currentRect }) => `${words(previousRect)} → ${words(currentRect)}`),
    }));
  });
}

/** Opens a model step by step, and waits until the parts of the summary that are in view are complete. */
async function openInSteps(browser: Browser, app: TestServer, viewport: { width: number; height: number }) {
  // Shifts are counted for a whole visit, so the page is a new one.
  const page = await browser.newPage({ viewport });
  const { address, respond, waiting } = serveHeld(app, `shift-${viewport.width}`);
  await page.goto(`${app.origin}/#url=${encodeURIComponent(address)}`);
  await expect(page.locator("gguf-identity h2")).toHaveText("Meta-Llama-3.1-8B-Instruct");
  await respond();
  await expect(page.locator("gguf-identity")).toContainText("131,072");
  await expect
    .poll(async () => {
      if (waiting() > 0) await respond();
      return page.locator("gguf-answers").isVisible();
    })
    .toBe(true);
  await expect(page.locator("gguf-will-it-run .cards")).toBeVisible();
  await expect(page.locator("gguf-quantization-map svg rect").first()).toBeVisible();
  await expect(page.locator("gguf-answers")).toContainText(/Checks\s.*llama\.cpp/s);
  await expect(page.locator("gguf-answers")).toContainText(/1\stemplate,\s\d/);
  return page;
}

for (const viewport of [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
]) {
  test(`the summary of an opened address stays in place: ${viewport.width} × ${viewport.height}`, async ({
    browser,
    app,
  }) => {
    const page = await openInSteps(browser, app, viewport);
    const shifts = await shiftsOf(page);
    const sum = shifts.reduce((total, { value }) => total + value, 0);
    expect(sum, JSON.stringify(shifts, undefined, 1)).toBeLessThan(0.1);
    // The verdict, the problems, the map and the facts follow each other.
    const parts = ["gguf-will-it-run", "gguf-answers", "gguf-quantization-map", "gguf-details"];
    const tops = await Promise.all(
      parts.map((part) => page.locator(part).evaluate((element) => Math.round(element.getBoundingClientRect().top))),
    );
    expect(tops).toEqual([...tops].sort((a, b) => a - b));
    await page.close();
  });
}
