// Why a hub or a server refuses a file, and what helps.

const TOKEN = "give an access token that may read it (options.headers: Authorization: Bearer TOKEN)";

/**
 * What each reason means. The names are those that the Hub of Hugging Face sends in the header `X-Error-Code`, as `huggingface_hub` reads
 * them, and statuses of HTTP where there is none.
 */
const REASONS = {
  GatedRepo: `The repository is gated: accept its conditions on its page, and ${TOKEN} of the same account.`,
  RepoNotFound: `There is no repository of this name, or it is private. Check the name: it may have been renamed. If it is private, ${TOKEN}.`,
  EntryNotFound:
    "The repository has no file of this name. Look at the list of its files: the file may have been renamed or removed.",
  RevisionNotFound: "The repository has no such revision. Check the name of the branch, tag or commit in the address.",
  DisabledRepo: "The repository has been disabled by the hub. Look for another one.",
  401: `The file is not public, or the access token is wrong: ${TOKEN}.`,
  403: `The file is not public, or the link has expired. Get a new link, or ${TOKEN}.`,
  404: "There is no file at this address. Check its spelling: the file may have been renamed.",
  410: "The file has been removed from this address. Look for it on the page of the model.",
  429: `The server has received too many requests from this network or account. Wait some minutes. On Hugging Face, more requests are allowed with an access token.`,
};

/** @typedef {keyof typeof REASONS} RefusalReason */

/**
 * The reason of an error with the code `http`: the one that the hub gives, which stands in the message after the status, or the status.
 *
 * @param {{ message: string, status?: number | undefined }} error
 * @returns {RefusalReason | undefined} `undefined` if nothing is known of it.
 */
export function refusalReason({ message, status }) {
  const given = /\bstatus \d{3} ([A-Z][A-Za-z]+)/.exec(message)?.[1];
  const [known] = [given, status].filter((reason) => reason !== undefined && Object.hasOwn(REASONS, reason));
  return /** @type {RefusalReason | undefined} */ (known);
}

/**
 * What an error with the code `http` means, and what helps, as sentences.
 *
 * @param {{ message: string, status?: number | undefined }} error
 * @returns {string | undefined}
 */
export function refusalAdvice(error) {
  const reason = refusalReason(error);
  return reason === undefined ? undefined : REASONS[reason];
}
