import { html, nothing } from "lit";
import { renderText } from "../ui/render-text.ts";
import { errorText } from "./error-texts.ts";
import { type Failure, technicalDetails } from "./failure.ts";

/** A link to another page. */
export interface PageLink {
  readonly title: string;
  readonly href: string;
}

/** What a card about a failure offers. */
export interface HubFailureCard {
  /** What was asked for. */
  readonly name: string;
  /** A page of this site that helps more than trying again. */
  readonly better?: PageLink | undefined;
  /** The page of the hub about the same. */
  readonly page: PageLink;
  readonly retry: () => void;
}

/** What the hub refused, why, and what to do. The styles are `listPageStyles`. The slot `help` is shown below the explanation. */
export function renderHubFailure(failure: Failure, { name, better, page, retry }: HubFailureCard) {
  const { title, what, next: steps, link } = errorText(failure);
  // The message says when to try again, and the help below offers an access token.
  const next = failure.code === "rate-limited" ? [] : steps;
  const outside = ({ title: text, href }: PageLink) =>
    html`<a class="button" href=${href} target="_blank" rel="noopener noreferrer">${text}</a>`;
  return html`<div class="card" role="alert">
    <h2>${title}</h2>
    <p class="name">${renderText(name, { limit: 300 })}</p>
    <p class="what">${renderText(what, { limit: 600 })}</p>
    ${
      next.length === 0
        ? nothing
        : html`<ul>
            ${next.map((step) => html`<li>${step}</li>`)}
          </ul>`
    }
    <p class="technical">${renderText(technicalDetails(failure, what), { limit: 1000 })}</p>
    <slot name="help"></slot>
    <div class="buttons">
      ${better === undefined ? nothing : html`<a class="button primary" href=${better.href}>${better.title}</a>`}
      <button type="button" class=${better === undefined ? "primary" : ""} @click=${retry}>Try again</button>
      ${outside(page)} ${link === undefined ? nothing : outside(link)}
    </div>
  </div>`;
}
