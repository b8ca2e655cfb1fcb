import { html, type LitElement, nothing } from "lit";
import type { HubFile } from "../gguf/repository-place.ts";
import { loadModule } from "../ui/load-module.ts";
import type { MenuItem } from "../ui/menu.ts";

const loadDialog = loadModule(() => import("../repository/siblings-dialog.ts"));

/** The list of the other files of a repository. Its code is loaded when it is first shown. */
export class ViewerSiblings {
  readonly #host: LitElement;
  readonly #file: () => HubFile | undefined;
  #isLoaded = false;

  constructor(host: LitElement, file: () => HubFile | undefined) {
    this.#host = host;
    this.#file = file;
  }

  /** The item of a menu. None if the file is not of a repository. */
  items(): MenuItem[] {
    const file = this.#file();
    return file ? [{ title: `Other files of ${file.place}…`, run: () => void this.show() }] : [];
  }

  readonly show = async (): Promise<void> => {
    try {
      await loadDialog();
    } catch {
      // Without the code, the page of the repository has the list.
      return;
    }
    this.#isLoaded = true;
    this.#host.requestUpdate();
    await this.#host.updateComplete;
    await this.#host.renderRoot.querySelector("gguf-siblings")?.open();
  };

  render() {
    return this.#isLoaded ? html`<gguf-siblings .file=${this.#file()}></gguf-siblings>` : nothing;
  }
}
