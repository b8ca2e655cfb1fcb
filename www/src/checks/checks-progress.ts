import { html } from "lit";
import { errorText } from "../gguf/error-texts.ts";
import { failureOf } from "../gguf/failure.ts";
import type { LongTaskState } from "../ui/long-task.ts";
import { renderTaskProgress } from "../ui/task-progress.ts";

/** The checks of a file with a large header, which take long. */
export interface ChecksTask {
  readonly state: LongTaskState<unknown>;
  readonly cancel: () => void;
  /** Runs the checks after they were cancelled or failed. */
  readonly start: () => void;
}

/** What the panel shows while there are no findings. `task` is undefined if the checks take a moment only. */
export function renderChecksProgress(task: ChecksTask | undefined) {
  const { state } = task ?? {};
  if (task && state?.name === "running") return renderTaskProgress(task, "Checks", "Checking…");
  if (!task || state?.name !== "failed") return html`<p class="about">Checking…</p>`;
  return html`<p class="about">${state.isCancelled ? "The checks were stopped." : failureText(state.error)}</p>
    <button type="button" @click=${task.start}>Check</button>`;
}

function failureText(error: unknown): string {
  const { title, what } = errorText(failureOf(error));
  return `The checks failed. ${title}. ${what}`;
}
