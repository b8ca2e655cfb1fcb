import { css, html, nothing } from "lit";
import type { LongTask } from "./long-task.ts";
import { formatBytes } from "./numbers.ts";
import { progressBarStyles, renderProgressBar } from "./progress-bar.ts";
import { paceText } from "./pace.ts";
import { renderText } from "./render-text.ts";

/**
 * The progress of a running task with a button to cancel it; nothing if it does not run. `waiting` is shown while the progress is not
 * known.
 */
export function renderTaskProgress(
  task: Pick<LongTask<unknown>, "state" | "cancel">,
  label: string,
  waiting = "Starting…",
) {
  const { state } = task;
  if (state.name !== "running") return nothing;
  const { progress, elapsed, isCancelling } = state;
  const part = progress && progress.total > 0 ? progress.done / progress.total : undefined;
  return html`<div class="task">
    ${renderProgressBar(label, part)}
    <p class="task-text">
      ${
        isCancelling
          ? "Cancelling…"
          : progress
            ? html`${transferWords(progress.done, progress.total, elapsed)}${progress.about === undefined ? nothing : html` · ${renderText(progress.about, { limit: 160 })}`}`
            : waiting
      }
    </p>
    <button type="button" aria-disabled=${isCancelling} @click=${task.cancel}>Cancel</button>
  </div>`;
}

/** How much of a number of bytes is done after some milliseconds, and how fast. */
export function transferWords(done: number, total: number, elapsed: number): string {
  const pace = paceText(done, total, elapsed);
  return `${formatBytes(done)} of ${formatBytes(total)}${pace === "" ? "" : ` · ${pace}`}`;
}

export const taskStyles = css`
  ${progressBarStyles}
  .task {
    display: grid;
    grid-template-columns: minmax(0, 1fr) auto;
    align-items: center;
    gap: 4px 12px;
    margin-top: 12px;
  }
  .task button {
    grid-row: 1 / span 2;
    grid-column: 2;
  }
  .task-text {
    min-height: 1.45em;
    color: var(--gguf-ink-2);
    font-size: var(--gguf-text-dense);
    overflow-wrap: anywhere;
  }
`;
