import { expect, test } from "@playwright/test";
import { type Finding } from "gguf-wasm";
import { findingCounts, findingTarget, groupFindings, problemCounts } from "../../../www/src/checks/findings.ts";

test("findings are grouped, errors first, and have a target", () => {
  const finding = (severity: Finding["severity"], more: object = {}) =>
    ({ code: "duplicate-key", severity, message: "m", ...more }) satisfies Finding;
  const findings = [
    finding("info"),
    finding("error", { key: "a", index: 3 }),
    finding("error", { tensor: "t", index: 0 }),
  ];
  expect(groupFindings(findings).map((group) => group.title)).toEqual(["2 errors", "1 note"]);
  expect(findingCounts(findings)).toBe("2 errors, 1 note");
  expect(findingCounts([])).toBe("No problems found in the header");
  expect(problemCounts(findings)).toEqual([{ severity: "error", count: 2 }]);
  expect(findings.map((found) => findingTarget(found)?.name)).toEqual([undefined, "a", "t"]);
  // The file lacks the entry, so there is nothing to show.
  expect(findingTarget(finding("error", { key: "missing" }))).toBeUndefined();
});
