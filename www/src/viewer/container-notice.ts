import { html, nothing } from "lit";
import type { Container } from "../gguf/opened-model.ts";
import { startDownload } from "../saving/download.ts";
import { icons } from "../ui/icons.ts";
import { formatCount } from "../ui/numbers.ts";
import { renderText } from "../ui/render-text.ts";

/** Says that the open file is inside another one, or read from several parts, and saves it as a file of its own. */
export function renderContainerNotice({ kind, name, problem, count, file }: Container) {
  const isParts = kind === "raw parts";
  const what = isParts
    ? count === 1
      ? "This is one raw part of a file that was cut into pieces."
      : `${formatCount(count, "raw part")} are shown as one file.`
    : `${kind}: the GGUF file inside is opened.`;
  const advice = isParts && (problem !== "" || count === 1) ? "Choose all parts together, or the folder that has them." : "";
  const save = () => file && startDownload(file, name);
  const isSavable = file !== undefined && advice === "";
  return html`<div class="problem container" role="status">
    ${icons.warning}
    <p>
      <strong>${what}</strong> ${renderText(name, { limit: 160 })}. ${problem} ${advice}
      ${
        isSavable
          ? html`<button type="button" class="link" @click=${save}>
              ${isParts ? "Save the joined file" : "Save the GGUF file"}
            </button>`
          : nothing
      }
    </p>
  </div>`;
}
