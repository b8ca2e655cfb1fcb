/** The texts for everything that can go wrong while a file is opened, read, edited or saved: what happened, and what to do. */

import type { GgufErrorCode } from "gguf-wasm";
import type { Failure } from "./failure.ts";
import { formatBytes, formatInteger } from "../ui/numbers.ts";
import { OTHER_FORMATS } from "./other-formats.ts";

export interface ErrorText {
  title: string;
  /** What happened, in plain sentences. */
  what: string;
  /** What the person can try, the most promising first. */
  next: string[];
}

function host(url: string | undefined): string {
  return url !== undefined && URL.canParse(url) ? new URL(url).host : "the server";
}

function isHub(url: string | undefined): boolean {
  return /(?:^|\.)(?:huggingface\.co|hf\.co)$/.test(host(url));
}

const DOWNLOAD_AGAIN = "Download or copy the file again; an interrupted transfer is the usual reason.";
const TELL_MAINTAINERS = "If other tools read this file, please report it: it would be a mistake of this page.";

function http(failure: Failure): ErrorText {
  const status = failure.status ?? 0;
  const from = host(failure.url);
  if (status === 401 || status === 403) {
    return {
      title: status === 401 ? "The server asks who you are" : "The server refuses access",
      what: `${from} answered ${status}: the file is not public, or its link has expired.`,
      next: isHub(failure.url)
        ? [
            "If the model is gated, accept its terms on its page. Then open it with an access token, or download the file and drop it here.",
            "Check the spelling: Hugging Face gives this answer for repositories that do not exist, too.",
          ]
        : [
            "If the file needs an access token, open it with one.",
            "Get a fresh link if this one was signed or temporary.",
            "Or download the file where you are logged in, and drop it here.",
          ],
    };
  }
  if (status === 404 || status === 410) {
    return {
      title: "There is no such file",
      what: `${from} answered ${status}: nothing is at this address${status === 410 ? " any more" : ""}.`,
      next: [
        "Check the spelling of the file name, and that the link is complete.",
        "Open the model’s page to see what its files are called now.",
      ],
    };
  }
  if (status === 429) {
    return {
      title: "Too many requests",
      what: `${from} asks to wait before trying again (429).`,
      next: ["Wait a minute, then try again."],
    };
  }
  if (status >= 500) {
    return {
      title: "The server has a problem",
      what: `${from} answered ${status}.`,
      next: ["Try again in a moment.", "If it stays so, the owner of the server has to look."],
    };
  }
  return {
    title: "The server does not send the file",
    what: `${from} answered ${status}.`,
    next: ["Open the address in a tab to see what it says."],
  };
}

/** The codes of the library, and the failures of the page around it. */
type FailureCode = GgufErrorCode | "address" | "engine" | "cancelled" | "not-allowed";

/** One row a code. */
const ERROR_TEXTS: Record<FailureCode, (failure: Failure) => ErrorText> = {
  "bad-magic": (failure) => {
    const known = failure.looksLike && OTHER_FORMATS[failure.looksLike];
    return {
      title: "This is not a GGUF file",
      what:
        known?.what ??
        "A GGUF file begins with the four letters GGUF; this one does not, and it is nothing that this page recognises.",
      next: known?.next ?? ["Check that it is the file you meant.", DOWNLOAD_AGAIN],
    };
  },
  "unsupported-version": () => ({
    title: "A version of GGUF that nobody has described yet",
    what: "The file begins as GGUF but says a version other than 1, 2 and 3. It is newer than this page, or damaged.",
    next: ["Check whether a newer version of this page exists.", DOWNLOAD_AGAIN],
  }),
  "unexpected-eof": (failure) => ({
    title: "The file is cut off",
    what:
      failure.fileSize === undefined
        ? "It ends in the middle of its header, before the list of tensors is complete."
        : `It ends after ${formatBytes(failure.fileSize)}${failure.fileSize >= 1000 ? ` (${formatInteger(failure.fileSize)} bytes)` : ""}, in the middle of its header, before the list of tensors is complete.`,
    next: [DOWNLOAD_AGAIN, "Compare its size with the one on the model’s page."],
  }),
  "unknown-value-type": () => ({
    title: "The header cannot be read any further",
    what: "A metadata value has a type that GGUF does not have, so where the next one begins cannot be known. The file is damaged, or made by a tool with a mistake.",
    next: [DOWNLOAD_AGAIN, TELL_MAINTAINERS],
  }),
  "limit-exceeded": () => ({
    title: "The header asks for more than is sensible",
    what: "A count or a length in the header is far beyond what any real model has. The file is damaged, or made to harm programs that read it.",
    next: [DOWNLOAD_AGAIN, TELL_MAINTAINERS],
  }),
  "too-large": () => ({
    title: "Too large for this browser",
    what: "The browser cannot give this page the memory that it would take.",
    next: ["Close other tabs and try again."],
  }),
  http,
  network: (failure) => ({
    title: "The file could not be fetched",
    what: `Nothing came back from ${host(failure.url)}. Browsers do not tell a page why: the server may not allow other sites to read its files (CORS), the name may be wrong, or the connection is down.`,
    next: [
      "Check that the address opens in a tab.",
      "If it does, the server does not allow reading from other pages: download the file and drop it here.",
      "If the server is yours, have it send Access-Control-Allow-Origin and allow Range requests.",
    ],
  }),
  cors: (failure) => ({
    title: "The server does not allow other sites to read the file",
    what: `${host(failure.url)} can be reached, but it forbids this page to read its answer (CORS).`,
    next: [
      "Download the file and drop it here.",
      "If the server is yours, have it send Access-Control-Allow-Origin: * and Access-Control-Expose-Headers: Content-Range, Content-Length, ETag, Last-Modified.",
    ],
  }),
  timeout: (failure) => ({
    title: "The server is too slow",
    what: `${host(failure.url)} goes on sending, but one response took longer than the time limit.`,
    next: ["Try again.", "If it stays so, download the file and drop it here."],
  }),
  "headers-withheld": (failure) => ({
    title: "The file moved to a server that refuses access",
    what: `The address leads to ${host(failure.url)}, which answered ${failure.status ?? 0}. The headers that were given for the first server were not sent there.`,
    next: ["Open the address of the file on that server.", "Or download the file and drop it here."],
  }),
  "bad-range": () => ({
    title: "The server sent other bytes than asked for",
    what: "This page asks for parts of a file; the answer was a different part, or shorter than it said.",
    next: ["Try again.", "If it stays so, download the file and drop it here."],
  }),
  "no-ranges": (failure) => ({
    title: "The server sends files only whole",
    what: `The header could be read, because it comes first. What lies further in cannot: ${host(failure.url)} ignores Range requests, and this page never downloads a whole model.`,
    next: ["Download the file and drop it here."],
  }),
  changed: (failure) => ({
    title: "The file has changed",
    what: `What ${failure.url === undefined ? "is there now" : `${host(failure.url)} sends`} is no longer the file that was opened: it has changed since.`,
    next: ["Open it again to see the new version."],
  }),
  "read-failed": () => ({
    title: "The file can no longer be read",
    what: "It was moved, changed or deleted after it was chosen, or the device that it is on went away.",
    next: ["Choose the file again.", "If it is a folder, choose a .gguf file in it."],
  }),
  "invalid-source": () => ({
    title: "This cannot be opened",
    what: "It is neither an address nor a file. Folders cannot be opened.",
    next: ["Drop a single .gguf file, or paste its address."],
  }),
  "size-unknown": () => ({
    title: "The size of the file is not known",
    what: "The server does not say how long the file is, or does not let this page see it, and without that where its last bytes end is not known.",
    next: ["Download the file and drop it here."],
  }),
  "unknown-tensor": () => ({
    title: "There is no such tensor",
    what: "The file has no tensor of this name.",
    next: ["Look for it in the list of tensors."],
  }),
  "unknown-type": () => ({
    title: "This type is not known",
    what: "How the values of this tensor are stored is not known, so they cannot be told apart.",
    next: ["Check whether a newer version of this page exists."],
  }),
  "out-of-range": () => ({
    title: "There are no such elements",
    what: "The tensor has fewer elements than were asked for.",
    next: [TELL_MAINTAINERS],
  }),
  "invalid-argument": (failure) => ({
    title: "This page asked for something impossible",
    what: `The reader refused it: ${failure.message || "it gave no reason"}.`,
    next: [TELL_MAINTAINERS],
  }),
  "unknown-key": () => ({
    title: "There is no such entry",
    what: "The file has no entry with this key.",
    next: ["Look for it in the list of metadata."],
  }),
  "key-taken": () => ({
    title: "This key is taken",
    what: "Another entry has this key, and readers take only the first of two.",
    next: ["Choose another key, or change the entry that has it."],
  }),
  "unknown-change": () => ({
    title: "This change is no longer there",
    what: "The change has been undone or reverted already.",
    next: [],
  }),
  conflict: () => ({
    title: "The change cannot be reverted",
    what: "A later change builds on it.",
    next: ["Revert the later change first."],
  }),
  "name-taken": () => ({
    title: "This name is taken",
    what: "Another tensor has this name, and llama.cpp refuses files in which two have one.",
    next: ["Choose another name."],
  }),
  "bad-key": () => ({
    title: "This cannot be a key",
    what: "A key has at least one character and at most 65,535 bytes.",
    next: ["Choose another key."],
  }),
  "bad-name": () => ({
    title: "This cannot be a tensor’s name",
    what: "A tensor’s name has at most 63 bytes, and no null character; a letter with an accent has two bytes or more.",
    next: ["Choose a shorter name."],
  }),
  "does-not-fit": (failure) => ({
    title: "The value does not fit its type",
    what: sentence(failure.message || "it is not one of the values that the type has"),
    next: ["Change the value or the type."],
  }),
  "bad-alignment": () => ({
    title: "This cannot be an alignment",
    what: "An alignment is a power of two: 32, 64, 128 and so on; llama.cpp reads no other.",
    next: ["Choose 32 unless a tool asks for another."],
  }),
  truncated: () => ({
    title: "The file is incomplete",
    what: "It ends before the tensors’ data does. Written anew, it would look whole and not be.",
    next: [DOWNLOAD_AGAIN],
  }),
  "no-byte-order": () => ({
    title: "The byte order of this file cannot be changed",
    what: "It has tensors of a type for which no tool says what it looks like in the other byte order.",
    next: ["Leave the byte order as it is."],
  }),
  "no-room": (failure) => ({
    title: "The header needs more room than there is",
    what: sentence(failure.message || "less was reserved for it"),
    next: ["Reserve more, or write the file anew."],
  }),
  "not-in-place": () => ({
    title: "This file cannot be changed in place",
    what: "What was to be written to is neither the file that was opened nor an empty one.",
    next: ["Save to a new file."],
  }),
  "write-failed": (failure) => ({
    title: "The file could not be written",
    what: sentence(failure.message || "the browser gave no reason"),
    next: ["Check that there is enough free space, and that no other program has the file open.", "Save it elsewhere."],
  }),
  "not-allowed": () => ({
    title: "This page may not write to the file",
    what: "The browser asks you whether a page may change a file, or its settings have answered for you. It was not allowed.",
    next: [
      "Go back, save again, and allow it when the browser asks.",
      "If it does not ask, look at what is set for this page beside the address, or download the new file instead.",
    ],
  }),
  interrupted: (failure) => ({
    title: "Saving stopped half-way",
    what: sentence(failure.message || "some of the changes are in the file and some are not"),
    next: ["Save again at once: the page still has all changes."],
  }),
  "other-module": () => ({
    title: "Two copies of the reader are loaded",
    what: "An object of one copy was given to the other.",
    next: ["Reload the page."],
  }),
  freed: () => ({
    title: "The file was closed",
    what: "Its memory was given back, so it cannot be read any more.",
    next: ["Open the file again."],
  }),
  busy: () => ({
    title: "The file is in use",
    what: "Another operation on the same file has not ended.",
    next: ["Try again."],
  }),
  internal: (failure) => ({
    title: "The reader stopped because of a bug",
    what: sentence(failure.message || "it gave no reason"),
    next: ["Reload the page.", "Please report this message."],
  }),
  address: (failure) => ({ title: "This address cannot be opened", what: failure.message, next: [] }),
  engine: () => ({
    title: "The reader did not start",
    what: "Its WebAssembly part could not be loaded. The browser may be too old, or an extension or a lost connection kept it away.",
    next: ["Try again.", "Use a current version of Chrome, Edge, Firefox or Safari."],
  }),
  cancelled: () => ({ title: "Cancelled", what: "Nothing was opened.", next: [] }),
};

/** The texts for a failure. A code that is not in the table gets the message of the library. */
export function errorText(failure: Failure): ErrorText {
  const words = Object.hasOwn(ERROR_TEXTS, failure.code) ? ERROR_TEXTS[failure.code as FailureCode] : undefined;
  return (
    words?.(failure) ?? {
      title: "The file could not be opened",
      what: failure.message || "The reader gave no reason.",
      next: ["Try again.", TELL_MAINTAINERS],
    }
  );
}

/** The text for a failure to read the data of a tensor, as one paragraph. */
export function dataErrorText(failure: Failure): string {
  if (failure.code === "unexpected-eof") return "The file ends before these bytes.";
  if (failure.code === "unknown") return `The values could not be read. ${failure.message}`;
  const words = errorText(failure);
  return [`${words.title}.`, words.what, ...words.next].join(" ");
}

/** Why a change was refused, in one or two sentences for the space beside the control. */
export function refusalText(failure: Failure): string {
  switch (failure.code) {
    // The message of the library names the value, the position or the limit.
    case "out-of-range":
    case "limit-exceeded":
    case "invalid-argument":
    case "does-not-fit":
    case "unknown":
      return sentence(failure.message);
    default: {
      const { what, next } = errorText(failure);
      return [what, ...next.slice(0, 1)].join(" ");
    }
  }
}

/** A message of the library as a sentence: capitalised, with a full stop. */
function sentence(message: string): string {
  const text = message.charAt(0).toUpperCase() + message.slice(1);
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
