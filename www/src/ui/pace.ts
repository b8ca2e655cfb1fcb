/** How fast a task is, and how long it will still take. */

import { formatBytes } from "./numbers.ts";

/** The first bytes of a task say little about its pace. */
const SHORTEST = 1000;

/** The words for an amount of seconds, rounded: "40 s", "3 min", "2.5 h". */
function durationText(seconds: number): string {
  if (seconds < 90) return `${Math.max(1, Math.round(seconds))} s`;
  const minutes = seconds / 60;
  return minutes < 90 ? `${Math.round(minutes)} min` : `${(minutes / 60).toFixed(1)} h`;
}

/** "120 MB/s, about 20 s left". Empty until a second has passed. `elapsed` is in milliseconds. */
export function paceText(done: number, total: number, elapsed: number): string {
  if (elapsed < SHORTEST || done <= 0) return "";
  const rate = done / (elapsed / 1000);
  const speed = `${formatBytes(Math.round(rate))}/s`;
  return done < total ? `${speed}, about ${durationText((total - done) / rate)} left` : speed;
}
