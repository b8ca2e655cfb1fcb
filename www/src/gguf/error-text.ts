/** The parts of the texts about failures. */

export interface ErrorText {
  title: string;
  /** What happened, in plain sentences. */
  what: string;
  /** What the person can try, the most promising first. */
  next: string[];
  /** A page that says more. */
  link?: { title: string; href: string };
}

export function hostOf(url: string | undefined): string {
  // A blob: address has no host.
  return (url !== undefined && URL.canParse(url) && new URL(url).host) || "the server";
}

/** A message of the library as a sentence: capitalised, with a full stop. */
export function sentence(message: string): string {
  const text = message.charAt(0).toUpperCase() + message.slice(1);
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
