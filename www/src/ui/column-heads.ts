import { html, nothing, type TemplateResult } from "lit";

type Title = string | TemplateResult;

/** A head of a column: its title, or its title and its class. */
export type ColumnHead = Title | readonly [title: Title, className: string];

/** The heads of the columns of a table. */
export function columnHeads(...heads: readonly ColumnHead[]) {
  return html`<thead>
    <tr>
      ${heads.map((head) => {
        const [title, className] = Array.isArray(head) ? (head as readonly [Title, string]) : [head];
        return html`<th scope="col" class=${className ?? nothing}>${title}</th>`;
      })}
    </tr>
  </thead>`;
}
