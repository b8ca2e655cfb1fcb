import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { defineConfig } from "@playwright/test";

// `cargo xtask test` sets GGUF_CHROMIUM. Otherwise a browser on the PATH is used, or Playwright's own.
function browser(): string | undefined {
  const named = process.env["GGUF_CHROMIUM"];
  if (named) return named;
  const names = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
  for (const name of names) {
    for (const folder of (process.env["PATH"] ?? "").split(delimiter)) {
      try {
        accessSync(join(folder, name), constants.X_OK);
        return join(folder, name);
      } catch {
        // The folder has no such program.
      }
    }
  }
  return undefined;
}

const executablePath = browser();

export default defineConfig({
  testDir: ".",
  testMatch: "**/*.spec.ts",
  outputDir: "test-results",
  fullyParallel: true,
  // Pages often wait for timers and answers, so three browsers finish sooner than two on a machine with two cores.
  workers: 3,
  // Limits for what never ends. On a busy machine a test may take ten times as long as on an idle one.
  timeout: 120_000,
  expect: { timeout: 40_000 },
  forbidOnly: process.env["CI"] !== undefined,
  // On a busy machine a browser may stop for seconds. A test that then fails is run once more, and listed as flaky.
  retries: process.env["CI"] === undefined ? 0 : 1,
  reporter: "list",
  use: {
    viewport: { width: 1280, height: 800 },
    launchOptions: {
      ...(executablePath === undefined ? {} : { executablePath }),
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
});
