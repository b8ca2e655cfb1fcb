import { fileName } from "../gguf/address.ts";
import { addressIn, SEARCH_ADDRESS } from "../gguf/repository-place.ts";
import type { ConvertedSubject } from "./convert-part.ts";
import type { LocalModel } from "./local-model.ts";
import type { PageState } from "./location-hash.ts";

/** The state of the browser's location, and the model of this device that belongs to it. */
interface Location {
  readonly state: PageState;
  readonly model: LocalModel | undefined;
}

/** What the location names: a file, a model to convert, a repository, or a search. At most one of them is shown. */
export class PageSubject {
  readonly #location: Location;

  constructor(location: Location) {
    this.#location = location;
  }

  get showsFile(): boolean {
    const { model, state } = this.#location;
    return (model !== undefined && !model.folder) || state.url !== undefined;
  }

  /** The model that is converted to GGUF. */
  get converted(): ConvertedSubject | undefined {
    const { model, state } = this.#location;
    const { repo: place, "repo.as": as } = state;
    if (model?.folder) return { folder: model.folder, place: "" };
    return place === undefined || as === undefined || this.showsFile ? undefined : { folder: undefined, place };
  }

  /** The repository whose files are listed. */
  get repository(): string | undefined {
    return this.showsFile || this.converted ? undefined : this.#location.state.repo;
  }

  /** The words for which models are searched. */
  get search(): string | undefined {
    return this.showsFile || this.converted || this.repository !== undefined ? undefined : this.#location.state.search;
  }

  /** The address that requests go to. */
  get requestAddress(): string {
    const place = this.repository ?? this.converted?.place;
    if (this.search !== undefined) return SEARCH_ADDRESS;
    return this.#location.state.url ?? (place === undefined || place === "" ? "" : addressIn(place));
  }

  /** What a person types to get here. Undefined for a model of this device. */
  get place(): string | undefined {
    const { model, state } = this.#location;
    if (model !== undefined) return undefined;
    return state.url ?? this.repository ?? this.converted?.place ?? this.search ?? "";
  }

  get name(): string | undefined {
    const { model, state } = this.#location;
    if (state.url !== undefined && model === undefined) return fileName(state.url);
    return model?.name ?? this.converted?.place ?? this.repository ?? this.search;
  }
}
