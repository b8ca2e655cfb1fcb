/** Typed texts: which of them are addresses, and what a person can do instead of typing another text. */

import { escapeText } from "../ui/text.ts";

/** An address that cannot be opened. The message is for the person who typed it. */
export class AddressError extends Error {
  override name = "AddressError";
}

/** The most characters of a text that a message quotes. */
const MAX_QUOTED = 80;

/** The most characters of words that are searched for. */
const MAX_WORDS = 200;

/** Texts that people type although a page cannot open them. The first row that matches explains the text. */
const NOT_OPENED: readonly { readonly matches: RegExp; readonly explain: (text: string) => string }[] = [
  {
    // C:\x, \\server\x, ~/x, and the folders in which Linux and macOS keep the files of people.
    matches: /^(?:[a-z]:[\\/]|\\\\|~[\\/]|\/(?:home|root|mnt|media|tmp|Users|Volumes)\/)/i,
    explain: (text) =>
      `${quoted(text)} is a path on a device. A page cannot read it: choose the file, or drop it here.`,
  },
  {
    // It is not quoted, and not searched for: words that are searched for are in the history of the browser.
    matches: /^(?:Bearer\s+)?hf_[A-Za-z\d]{16,}$/i,
    explain: () =>
      "This looks like an access token of Hugging Face. Open the address or the repository first: the page asks for a token if one is needed.",
  },
  {
    matches: /^https?\/\//i,
    explain: (text) => `${quoted(text)} is not an address: the colon after http or https is missing.`,
  },
  {
    // llama3:8b, owner/name:Q4_K_M
    matches: /^(?!hub:)[\w.-]+(?:\/[\w.-]+)*:[\w.-]+$/,
    explain: (text) =>
      `${quoted(text)} is not an address. If it is a name that Ollama or llama.cpp understands, type the repository on Hugging Face (owner/name) and choose the file in its list, or choose the file on this device.`,
  },
  {
    matches: /^[^\s/@]+@[^\s/@]+$/,
    explain: (text) => `${quoted(text)} is an email address. ${EXPECTED}`,
  },
];

const EXPECTED =
  "Type the address of a .gguf file (https://example.com/model.gguf), the name of a repository on Hugging Face (owner/name), or a file of this site (models/model.gguf). A file on this device can be chosen or dropped.";

/** The hosts of models, which people type without `https:`. */
const MODEL_HOST = /^(?:www\.)?(?:huggingface\.co|hf\.co|github\.com|modelscope\.cn)\//i;
/** Hosts in the own network: localhost, an IP address, or a name with a port. "localhost:8080/x" would be a URL with the scheme "localhost:". */
const NEAR_HOST = /^(?:(?:localhost|\d+\.\d+\.\d+\.\d+|\[[\da-f:]+\])(?::\d+)?(?:\/|$)|[\w-]+:\d+\/)/i;
/** A host name with a top-level domain, and a path. Folders of this site are rarely named so; `./` makes them clear. */
const FAR_HOST = /^(?:[\p{L}\p{N}_-]+\.)+(?!gguf\b)(?:\p{L}{2,}|xn--[\w-]+)(?::\d+)?\//iu;
const SCHEME = /^[a-z][a-z\d+.-]*:/i;

/**
 * The URL that a typed text stands for, or a relative one: the host names of model hosts and others get a scheme.
 * @throws AddressError if the text is no address
 */
export function urlTextOf(typed: string): string {
  const text = typed.trim().replace(/^<(.*)>$/, "$1");
  if (text === "") throw new AddressError("Type or paste the address of a .gguf file.");
  if (MODEL_HOST.test(text) || FAR_HOST.test(text)) return `https://${text}`;
  if (NEAR_HOST.test(text)) return `http://${text}`;
  const known = NOT_OPENED.find(({ matches }) => matches.test(text));
  if (known) throw new AddressError(known.explain(text));
  if (!SCHEME.test(text) && !isRelative(text)) throw notAnAddress(text);
  return text;
}

/** One word with an ending of letters: "model.bin", "example.com". Versions of models have digits: "qwen2.5". */
const FILE_OR_HOST = /^\S+\.[a-z][a-z\d]{1,10}$/i;

/** Whether a text is words, and so no address, no path and no name that another explanation is for: "qwen3 4b". */
export function isWords(typed: string): boolean {
  const text = typed.trim();
  if (text.length > MAX_WORDS || !/[\p{L}\p{N}]/u.test(text)) return false;
  if (MODEL_HOST.test(text) || FAR_HOST.test(text) || NEAR_HOST.test(text) || FILE_OR_HOST.test(text)) return false;
  return !NOT_OPENED.some(({ matches }) => matches.test(text)) && !SCHEME.test(text) && !isRelative(text);
}

/** The error for a text that is no address. */
export function notAnAddress(text: string): AddressError {
  return new AddressError(`${quoted(text)} is not an address. ${EXPECTED}`);
}

/** Whether a text without a scheme is a path of this site: one that begins as a path, or the path of a `.gguf` file. */
function isRelative(text: string): boolean {
  if (!/[\p{L}\p{N}]/u.test(text)) return false;
  const [path = ""] = text.split(/[?#]/);
  const [first = ""] = path.split("/");
  return /^\.{0,2}\//.test(text) || (/[^/]\.gguf$/i.test(path) && !first.includes(":"));
}

function quoted(text: string): string {
  return `“${escapeText(text, MAX_QUOTED)}”`;
}
