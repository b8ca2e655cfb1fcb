import { html, nothing } from "lit";
import type { Container } from "../gguf/opened-model.ts";
import { startDownload } from "../saving/download.ts";
import { icons } from "../ui/icons.ts";
import { formatCount } from "../ui/numbers.ts";
import { renderText } from "../ui/render-text.ts";

/** What is opened, and what a person can do about it; the words of the button that saves the file. */
function words({ kind, problem, count }: Container): { what: string; advice?: string; save?: string } {
  switch (kind) {
    case "joined shards":
      return {
        what: `${formatCount(count, "shard")} that were joined into one file are shown as one model:`,
        advice: "Programs do not open this file. The panel Shards merges it into one.",
      };
    case "raw parts": {
      const advice = "Choose all parts together, or the folder that has them.";
      if (count === 1) return { what: "This is one raw part of a file that was cut into pieces:", advice };
      const what = `${formatCount(count, "raw part")} are shown as one file:`;
      return problem === "" ? { what, save: "Save the joined file" } : { what, advice };
    }
    default:
      return { what: `${kind}: the GGUF file inside is opened:`, save: "Save the GGUF file" };
  }
}

/** Says that the open file is inside another one, or made of several, and saves it as a file of its own. */
export function renderContainerNotice(container: Container) {
  const { name, problem, file } = container;
  const { what, advice, save } = words(container);
  return html`<div class="problem container" role="status">
    ${icons.warning}
    <p>
      <strong>${what}</strong> ${renderText(name, { limit: 160 })}. ${problem} ${advice}
      ${
        file === undefined || save === undefined
          ? nothing
          : html`<button type="button" class="link" @click=${() => startDownload(file, name)}>${save}</button>`
      }
    </p>
  </div>`;
}
