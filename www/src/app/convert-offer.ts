import { html, nothing } from "lit";
import type { Failure } from "../gguf/failure.ts";
import { placeOfFile } from "../gguf/repository-place.ts";
import { convertLink } from "./page-links.ts";

/**
 * The way from a file that is no GGUF file to a GGUF file of its model: the repository of the file is converted, or a folder that the person
 * chooses. `address` is "" for a file of this device.
 */
export function renderConvertOffer(failure: Failure | undefined, address: string, chooseFolder: () => void) {
  if (failure?.looksLike !== "safetensors") return nothing;
  const place = placeOfFile(address);
  return place === undefined
    ? html`<button type="button" class="primary" @click=${chooseFolder}>Choose the folder of the model…</button>`
    : html`<a class="button primary" href=${convertLink(place)}>Convert the repository to GGUF</a>`;
}
