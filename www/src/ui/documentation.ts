/** Links to the documentation site. The app has it in a folder beside its page. The pages of others have no such links. */

import { html, type TemplateResult } from "lit";

/** The address of the site. Undefined: there are no links. */
let site: string | undefined;

/** Names the address of the site, with a slash at its end. */
export function setDocumentation(address: string): void {
  site = address;
}

/** The tables of which the site has a page for each row: the codes of checks and errors, and keys. */
type Table = "checks" | "errors" | "keys";

/** A link to the page of a row. `name` is a code, or the pattern of a key. Undefined where there is no site. */
export function rowLink(table: Table, name: string, text: string): TemplateResult | undefined {
  return documentationLink(`format/${table}/${encodeURIComponent(name.replaceAll(/[{}]/g, ""))}.html`, text);
}

/** A link to a page of the site. Undefined where there is no site. */
export function documentationLink(page: string, text: string): TemplateResult | undefined {
  return site === undefined ? undefined : html`<a href=${`${site}${page}`} target="_blank" rel="noopener">${text}</a>`;
}
