// The scale of the bars.

import type { Page } from "@playwright/test";
import { expect, openUrl, test } from "../support/fixtures.ts";
import { answerWithZeros, largeModel } from "../support/large-model.ts";
import { bytesOf, panel } from "../support/memory-panel.ts";

/** The labels, the places of the marks as shares of the scale, and the length of the bar as a share of the scale, for each device. */
const scales = (page: Page) =>
  panel(page)
    .locator(".device")
    .evaluateAll((devices) =>
      devices.map((device) => {
        const box = (selector: string) => device.querySelector(selector)?.getBoundingClientRect() ?? new DOMRect();
        const scale = box(".scale");
        const labels = [...device.querySelectorAll(".tick > *")].map((label) => label.getBoundingClientRect());
        return {
          texts: [...device.querySelectorAll(".tick")].map((tick) => tick.textContent?.trim()),
          at: [...device.querySelectorAll(".tick")].map(
            (tick) => (tick.getBoundingClientRect().x - scale.x) / scale.width,
          ),
          length: box(".bar").width / scale.width,
          // Labels that leave the scale, or touch the label before them.
          bad: labels.filter(
            ({ left, right }, i) =>
              left < scale.left - 1 || right > scale.right + 1 || left < (labels[i - 1]?.right ?? -Infinity) + 4,
          ).length,
        };
      }),
    );

test("the bars of all devices have one scale with sizes, which has room at 320 px", async ({ page, app }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  const url = app.on("/memory/scale.gguf", answerWithZeros(largeModel()));
  await openUrl(page, app, url, "&view=memory&memory.layers=40&memory.context=4096&memory.card=200");
  await expect(panel(page).locator(".device")).toHaveCount(2);
  const [gpu, cpu] = await scales(page);
  expect(gpu?.texts).toEqual(["0", "64 GiB", "128 GiB", "192 GiB"]);
  expect(cpu?.texts).toEqual(gpu?.texts);
  expect([gpu?.bad, cpu?.bad]).toEqual([0, 0]);
  // The bar of the CPU ends where its total stands on the scale.
  const most = (await bytesOf(page, "Total", "CPU")).at(-1) ?? NaN;
  const end = gpu?.at.at(-1) ?? NaN;
  expect(cpu?.length).toBeCloseTo((most / (192 * 2 ** 30)) * end, 2);
});
