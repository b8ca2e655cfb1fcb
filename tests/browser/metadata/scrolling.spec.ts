import type { Page } from "@playwright/test";
import { expect, openUrl, test } from "../support/fixtures.ts";
import { rowOf, table, openMetadata } from "../support/metadata-table.ts";
import { ggufBytes, text, uint32 } from "../../support/gguf-bytes.mjs";

test("a jump is not lost while the track is corrected", async ({ page, app }) => {
  // Timers that the test can run at once.
  await page.addInitScript(() => {
    const pending = new Map<number, () => void>();
    const [set, clear] = [window.setTimeout, window.clearTimeout];
    Object.assign(window, {
      setTimeout: (call: () => void, delay?: number) => {
        const id: number = set(() => {
          pending.delete(id);
          call();
        }, delay);
        pending.set(id, call);
        return id;
      },
      clearTimeout: (id: number) => {
        pending.delete(id);
        clear(id);
      },
      runTimers: () => [...pending.values()].forEach((call) => call()),
    });
  });
  const url = app.file(
    "/models/jump.gguf",
    ggufBytes([["tokenizer.ggml.tokens", { type: "strings", count: 1_000_000, at: (i) => `token-${i}` }]]),
  );
  await openUrl(page, app, url, "&key=tokenizer.ggml.tokens");
  const scroller = page.locator("gguf-array-view .scroller");
  await expect(page.locator("gguf-array-view .row").first()).toContainText("token-0");
  await scroller.evaluate(async (element) => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    element.scrollBy(0, 30);
    await frame();
    await frame();
    element.scrollTop = (element.scrollHeight - element.clientHeight) / 2;
    // The scroll event is still pending.
    (window as unknown as { runTimers(): void }).runTimers();
  });
  await expect.poll(async () => Math.abs((await firstIndex(page)) / 1_000_000 - 0.5)).toBeLessThan(0.01);
});

test("a million elements scroll", async ({ page, app }) => {
  const url = app.file(
    "/models/million.gguf",
    ggufBytes([["tokenizer.ggml.tokens", { type: "strings", count: 1_000_000, at: (i) => `token-${i}` }]]),
  );
  await openUrl(page, app, url, "&view=metadata");
  await rowOf(page, "ggml.tokens").click();
  const array = page.locator("gguf-array-view");
  const scroller = array.locator(".scroller");
  await expect(array.locator(".row").first()).toContainText("token-0");
  expect(await array.locator(".row").count()).toBeLessThan(60);

  // At every position of the scroll bar, the right rows are shown.
  for (const part of [0.25, 0.5, 0.9, 0.1]) {
    await scroller.evaluate((element, share) => {
      element.scrollTop = (element.scrollHeight - element.clientHeight) * share;
    }, part);
    await expect.poll(async () => Math.abs((await firstIndex(page)) / 1_000_000 - part)).toBeLessThan(0.01);
    expect(await covered(page)).toBe(true);
  }
  // A small step scrolls by its distance, whatever the length of the list.
  const before = await firstIndex(page);
  await scroller.evaluate((element) => element.scrollBy(0, 26 * 5));
  await expect.poll(() => firstIndex(page)).toBe(before + 5);
  // Many small steps, one per frame, never show a gap.
  const gaps = await scroller.evaluate(async (element) => {
    let empty = 0;
    for (let i = 0; i < 60; i += 1) {
      element.scrollBy(0, 180);
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      const box = element.getBoundingClientRect();
      const rows = [...element.querySelectorAll(".row")].map((row) => row.getBoundingClientRect());
      const top = Math.min(...rows.map((row) => row.top));
      const bottom = Math.max(...rows.map((row) => row.bottom));
      if (top > box.top + 40 || bottom < box.bottom - 1) empty += 1;
    }
    return empty;
  });
  expect(gaps).toBe(0);

  await scroller.focus();
  await page.keyboard.press("End");
  await expect(array.locator(".row.active")).toContainText("token-999999");
  await page.keyboard.press("ArrowUp");
  await expect(array.locator(".row.active")).toContainText("token-999998");
  await page.keyboard.press("Home");
  await expect(array.locator(".row.active")).toContainText("token-0");
  await array.getByRole("spinbutton").fill("654321");
  await array.getByRole("spinbutton").press("Enter");
  await expect(array.locator(".row.active")).toContainText("token-654321");
  await array.getByRole("searchbox").fill("99999");
  await expect(array.locator(".count")).toHaveText("19 of 1,000,000");
});

test("a hundred thousand entries scroll, too", async ({ page, app }) => {
  const count = 100_000;
  const url = app.file(
    "/models/entries.gguf",
    ggufBytes(Array.from({ length: count }, (_, i) => [`many.key_${i}`, uint32(i)] as const)),
  );
  await openUrl(page, app, url, "&view=metadata");
  const grid = page.getByRole("treegrid", { name: "Metadata" });
  await expect(grid).toHaveAttribute("aria-rowcount", String(count + 2));
  await grid.focus();
  await page.keyboard.press("End");
  await expect(page.locator(`${table} .row.active`)).toContainText(`key_${count - 1}`);
  await page.getByRole("searchbox", { name: "Search keys, values and tokens" }).fill("key_4242");
  await expect(page.locator(`${table} .count`)).toHaveText("11 of 100,000");
});

test("the focus stays on a link in a row when a key scrolls the row out of view", async ({ page, app }) => {
  const urls = Array.from({ length: 400 }, (_, at): [string, ReturnType<typeof text>] => [
    `k${at}`,
    text(`https://example.com/${at}`),
  ]);
  await openMetadata(page, app, ggufBytes(urls));
  const link = page.getByRole("link", { name: "https://example.com/2", exact: true });
  await link.focus();
  // A key may have no effect while the table still scrolls after an earlier key. Then it is pressed again.
  await expect(async () => {
    await page.keyboard.press("PageDown");
    const later = page.getByRole("link", { name: "https://example.com/60", exact: true });
    await expect(later).toBeAttached({ timeout: 1000 });
  }).toPass();
  await expect(link).not.toBeInViewport();
  await expect(link).toBeFocused();
  await expect(async () => {
    await page.keyboard.press("End");
    const last = page.getByRole("link", { name: "https://example.com/399", exact: true });
    await expect(last).toBeVisible({ timeout: 2000 });
  }).toPass();
  await expect(link).toBeFocused();
  // When the focus has moved away, the row is removed like others.
  await page.getByRole("searchbox", { name: /^Search keys/ }).focus();
  await expect(link).toHaveCount(0);
});

/** The index of the first visible element. */
function firstIndex(page: Page): Promise<number> {
  return page.locator("gguf-array-view .scroller").evaluate((element) => {
    const top =
      element.getBoundingClientRect().top + (element.querySelector<HTMLElement>("[data-head]")?.offsetHeight ?? 0);
    for (const row of element.querySelectorAll(".row")) {
      if (row.getBoundingClientRect().bottom > top + 1)
        return Number(row.querySelector(".index")?.textContent?.replace(/\D/g, ""));
    }
    return -1;
  });
}

/** Whether rows fill the view without gaps. */
function covered(page: Page): Promise<boolean> {
  return page.locator("gguf-array-view .scroller").evaluate((element) => {
    const box = element.getBoundingClientRect();
    const rows = [...element.querySelectorAll(".row")].map((row) => row.getBoundingClientRect());
    return (
      Math.min(...rows.map((row) => row.top)) <= box.top + 40 &&
      Math.max(...rows.map((row) => row.bottom)) >= box.bottom - 1
    );
  });
}
