import { css, html, nothing } from "lit";

/** A progress bar. `share` is from 0 to 1; undefined if it is not known. `words` say more than the percentage to screen readers. */
export function renderProgressBar(
  label: string,
  share: number | undefined,
  { words, isPaused = false }: { words?: string | undefined; isPaused?: boolean } = {},
) {
  const percent = share === undefined ? undefined : Math.max(0, Math.min(1, share)) * 100;
  return html`<div
    class="progress ${percent === undefined ? "unknown" : ""} ${isPaused ? "paused" : ""}"
    role="progressbar"
    aria-label=${label}
    aria-valuemin="0"
    aria-valuemax="100"
    aria-valuenow=${percent === undefined ? nothing : Math.round(percent)}
    aria-valuetext=${words ?? nothing}
  >
    <span .style=${`--share:${(percent ?? 0).toFixed(1)}%`}></span>
  </div>`;
}

export const progressBarStyles = css`
  .progress {
    height: 8px;
    border-radius: 4px;
    background: var(--gguf-line);
    overflow: hidden;
  }
  .progress span {
    display: block;
    height: 100%;
    width: var(--share);
    border-radius: 4px;
    background: var(--gguf-accent);
    transition: width 160ms linear;
  }
  .progress.unknown span {
    width: 30%;
    animation: run 1.4s ease-in-out infinite alternate;
  }
  .progress.paused span {
    background: var(--gguf-ink-3);
    animation-play-state: paused;
  }
  @keyframes run {
    from {
      translate: -60% 0;
    }
    to {
      translate: 290% 0;
    }
  }
  @media (forced-colors: active) {
    .progress {
      border: 1px solid CanvasText;
    }
    .progress span {
      background: Highlight;
      forced-color-adjust: none;
    }
  }
`;
