import { tensorRole } from "../gguf/library.ts";

/** The most titles that are kept. The roles of further names are not searched, so that a filter of any file stays fast. */
const MAX_TITLES = 50_000;

/** The block number in a name. The title of a role does not depend on it. */
const BLOCK_NUMBER = /(^|\.)blk\.\d+\./;

/** The titles of roles, in lower case, for the filter. A role is looked up once for all blocks. */
export class RoleTitles {
  readonly #titles = new Map<string, string>();

  readonly of = (name: string): string => {
    const pattern = name.replace(BLOCK_NUMBER, "$1blk.0.");
    const known = this.#titles.get(pattern);
    if (known !== undefined) return known;
    if (this.#titles.size >= MAX_TITLES) return "";
    const title = tensorRole(pattern)?.title.toLowerCase() ?? "";
    this.#titles.set(pattern, title);
    return title;
  };
}
