/** The texts for everything that can go wrong while a file is opened, read, edited or saved: what happened, and what to do. */

import type { GgufErrorCode } from "gguf-wasm/explain";
import { type RefusalReason, refusalReason } from "gguf-wasm/common/refusals.js";
import { type ErrorText, hostOf, sentence } from "./error-text.ts";
import { type Failure, failureOf, isSaid } from "./failure.ts";
import { formatBytes, formatInteger } from "../ui/numbers.ts";
import { formatText, type OtherFormat } from "gguf-wasm/common/other-formats.js";
import { HUB_TEXTS, LISTING_TEXTS } from "./repository-error-texts.ts";

function isHub(url: string | undefined): boolean {
  return /(?:^|\.)(?:huggingface\.co|hf\.co)$/.test(hostOf(url));
}

const DOWNLOAD_AGAIN = "Download or copy the file again. The usual cause is an interrupted transfer.";
const WITH_TOKEN = "Open it with an access token of an account that may read it.";
const REPORT_BUG = "If other tools can read this file, please report a bug in this page.";

/** Whether an address is below the host of this page. A name without a host is. */
function isOwnSite(url: string | undefined): boolean {
  return (globalThis as { location?: Location }).location?.host === hostOf(url);
}

/** What the hub tells as the reason of a refusal, and what to do. */
const REFUSALS: Partial<Record<RefusalReason, Pick<ErrorText, "title" | "what"> & { next: string[] }>> = {
  GatedRepo: {
    title: "The model is gated",
    what: "The hub gives its files only to people who have accepted its conditions.",
    next: ["Log in to the hub, open the page of the model, and accept its conditions.", WITH_TOKEN],
  },
  RepoNotFound: {
    title: "Repository not found",
    what: "There is no repository of this name, or it is private: the hub answers both in the same way.",
    next: [
      "Check the spelling. The repository may have been renamed or removed.",
      `If it is private: ${WITH_TOKEN.charAt(0).toLowerCase()}${WITH_TOKEN.slice(1)}`,
    ],
  },
  EntryNotFound: {
    title: "File not found",
    what: "The repository has no file of this name.",
    next: ["Open the list of its files: the file may have been renamed or removed."],
  },
  RevisionNotFound: {
    title: "Revision not found",
    what: "The repository has no such branch, tag or commit.",
    next: ["Check the part of the address after /resolve/."],
  },
  DisabledRepo: {
    title: "The repository is disabled",
    what: "The hub does not give out its files any more.",
    next: ["Look for another repository of the model."],
  },
};

function hubRefusalText(failure: Failure): ErrorText | undefined {
  const reason = refusalReason(failure);
  const known = reason === undefined ? undefined : REFUSALS[reason];
  return known && { ...known, next: [...known.next, ...whereFilesAreTaken("Or download the file and drop it here.")] };
}

function httpErrorText(failure: Failure): ErrorText {
  const status = failure.status ?? 0;
  const from = hostOf(failure.url);
  const known = hubRefusalText(failure);
  if (known) return known;
  if (status === 401 || status === 403) {
    return {
      title: status === 401 ? "The server requires a login" : "The server refuses access",
      what: `${from} answered ${status}: the file is not public, or the link has expired.`,
      next: isHub(failure.url)
        ? [
            "If the model is gated, accept its terms on its page. Then open it with an access token.",
            ...whereFilesAreTaken("Or download the file and drop it here."),
            "Check the spelling. Hugging Face also gives this answer for repositories that do not exist.",
          ]
        : [
            "If the file needs an access token, open it with one.",
            "If the link was signed or temporary, get a new one.",
            ...whereFilesAreTaken("Or log in to the site, download the file, and drop it here."),
          ],
    };
  }
  if (status === 404 || status === 410) {
    return {
      title: "File not found",
      what: `${from} answered ${status}: there is no file at this address${status === 410 ? " any more" : ""}.`,
      next: [
        ...(isOwnSite(failure.url)
          ? whereFilesAreTaken(
              "If the file is on this device, choose it or drop it here: the page took its name for a file of this site.",
            )
          : []),
        "Check the spelling of the file name, and whether the link is complete.",
        "Look for the file on the model’s page. It may have been renamed.",
      ],
    };
  }
  if (status === 429) {
    return {
      title: "Too many requests",
      what: `${from} answered ${status}: it received too many requests and asks you to wait.`,
      next: [
        "Wait a minute, then try again.",
        ...(isHub(failure.url) ? ["With an access token, Hugging Face allows more requests."] : []),
      ],
    };
  }
  if (status >= 500) {
    return {
      title: "The server reported an error",
      what: `${from} answered ${status}.`,
      next: ["Try again in a moment.", "If the error remains, contact the owner of the server."],
    };
  }
  return {
    title: "The server did not send the file",
    what: `${from} answered ${status}.`,
    next: ["Open the address in a browser tab to read the message of the server."],
  };
}

/** Where a file that is cut off ends. Only opening a file in a format before GGUF needs the end of its data. */
const endOf = ({ message }: Failure) =>
  message.startsWith("cannot read the data of the last tensor")
    ? "before the end of the data of its last tensor"
    : "in the middle of its header, before the end of the list of tensors";

const NOT_GGUF = "This is not a GGUF file";

/** What a file is that cannot be read as GGUF, whatever the code of the error is. */
function otherFormatText(format: OtherFormat): ErrorText {
  const { title = NOT_GGUF, what, next, inPage = next } = formatText(format);
  return { title, what, next: [...inPage] };
}

/** The codes that are the page's own. */
const OWN_CODES = ["address", "engine", "stopped", "cancelled", "not-allowed", "missing-parts"] as const;

/** The codes of the library, and the failures of the page around it. */
type FailureCode = GgufErrorCode | (typeof OWN_CODES)[number];

/** The texts of each code. */
const ERROR_TEXTS: Record<FailureCode, (failure: Failure) => ErrorText> = {
  "bad-magic": () => ({
    title: NOT_GGUF,
    what: "A GGUF file begins with the four letters GGUF. This file does not, and its format is not recognised.",
    next: ["Check that you chose the right file.", DOWNLOAD_AGAIN],
  }),
  "unsupported-version": () => ({
    title: "Unknown GGUF version",
    what: "The header has a version that this page does not know. The file is newer than this page, or damaged.",
    next: ["Look for a newer version of this page.", DOWNLOAD_AGAIN],
  }),
  // Only a file without the four letters at the beginning ends at its first part.
  "unexpected-eof": (failure) =>
    failure.offset === 0
      ? {
          title: NOT_GGUF,
          what: "The file has fewer than four bytes. A GGUF file begins with the four letters GGUF.",
          next: ["Check that you chose the right file.", DOWNLOAD_AGAIN],
        }
      : {
          title: "The file is cut off",
          what:
            failure.fileSize === undefined
              ? `The file ends ${endOf(failure)}.`
              : `The file ends after ${formatBytes(failure.fileSize)}${failure.fileSize >= 1000 ? ` (${formatInteger(failure.fileSize)} bytes)` : ""}, ${endOf(failure)}.`,
          next: [DOWNLOAD_AGAIN, "Compare the size with the size on the model’s page."],
        },
  "unknown-value-type": () => ({
    title: "The header contains an unknown value type",
    what: "GGUF does not define the type of a metadata value. Its length is therefore unknown, and the rest of the header cannot be read. The file is damaged, or the program that wrote it has a bug.",
    next: [DOWNLOAD_AGAIN, REPORT_BUG],
  }),
  "bad-structure": () => ({
    title: "The file contradicts itself",
    what: "The file is in a format before GGUF. Its header, its vocabulary and its tensors do not fit together, so that it cannot be read to its end. It is damaged, or one of its parts belongs to another model.",
    next: [DOWNLOAD_AGAIN],
  }),
  "limit-exceeded": () => ({
    title: "A number in the header is too large",
    what: "A count or a length in the header is far larger than in any real model. The file is damaged, or was made to harm programs that read it.",
    next: [DOWNLOAD_AGAIN, REPORT_BUG],
  }),
  "too-large": () => ({
    title: "Too large for this browser",
    what: "The browser cannot give this page enough memory.",
    next: ["Close other tabs and try again."],
  }),
  http: httpErrorText,
  ...LISTING_TEXTS,
  network: (failure) => ({
    title: "The file could not be fetched",
    what: `${failure.isOffline ? "This device has no connection. " : ""}There was no response from ${hostOf(failure.url)}. Browsers do not tell a page the reason: the server may not allow other sites to read its files (CORS), the host name may be wrong, or the connection is down.`,
    next: [
      "Check whether the address opens in a browser tab.",
      "If it does, the server does not allow other sites to read the file.",
      ...whereFilesAreTaken("Then download the file and drop it here."),
      "If the server is yours, make it send Access-Control-Allow-Origin and allow Range requests.",
    ],
  }),
  cors: (failure) => ({
    title: "The server does not allow other sites to read the file",
    what: `${hostOf(failure.url)} can be reached, but does not allow this page to read its response (CORS).`,
    next: [
      ...whereFilesAreTaken("Download the file and drop it here."),
      "If the server is yours, make it send Access-Control-Allow-Origin: * and Access-Control-Expose-Headers: Content-Range, Content-Length, ETag, Last-Modified.",
    ],
  }),
  timeout: (failure) => ({
    title: "The server is too slow",
    what: `One response of ${hostOf(failure.url)} took longer than the time limit.`,
    next: ["Try again.", ...whereFilesAreTaken("If the error remains, download the file and drop it here.")],
  }),
  "headers-withheld": (failure) => ({
    title: "The file is on another server that refuses access",
    what: `The address redirects to ${hostOf(failure.url)}, which answered ${failure.status ?? 0}. The access token and other headers for the first server were not sent there.`,
    next: [
      "Open the address that the file has on that server.",
      ...whereFilesAreTaken("Or download the file and drop it here."),
    ],
  }),
  "bad-range": () => ({
    title: "The server sent the wrong bytes",
    what: "This page requested a part of the file. The response was another part, or shorter than announced.",
    next: ["Try again.", ...whereFilesAreTaken("If the error remains, download the file and drop it here.")],
  }),
  "no-ranges": (failure) => ({
    title: "The server sends only whole files",
    what: `The header could be read because it comes first. The data after it cannot be read: ${hostOf(failure.url)} ignores Range requests, and this page never downloads a whole model.`,
    next: whereFilesAreTaken("Download the file and drop it here."),
  }),
  changed: ({ url }) => ({
    title: "The file has changed",
    what:
      url === undefined
        ? "The file was changed, moved or removed after it was opened."
        : `The file on ${hostOf(url)} is no longer the file that was opened. It was changed or replaced.`,
    next: [url === undefined ? "Choose the file again." : "Open the file again to see the new version."],
  }),
  "read-failed": () => ({
    title: "The file can no longer be read",
    what: "The file was moved, changed or deleted after you chose it, or its device was disconnected.",
    next: ["Choose the file again.", "If it is a folder, choose a .gguf file in it."],
  }),
  "invalid-source": () => ({
    title: "This cannot be opened",
    what: "This is neither an address nor a file.",
    next: ["Drop .gguf files or a folder with them, or paste an address."],
  }),
  "size-unknown": () => ({
    title: "The size of the file is unknown",
    what: "The server does not report the file size, or does not let this page read it. The end of the last tensor is therefore unknown.",
    next: whereFilesAreTaken("Download the file and drop it here."),
  }),
  "unknown-tensor": () => ({
    title: "Tensor not found",
    what: "The file has no tensor with this name.",
    next: ["Check the spelling of the name, or look for it in the list of tensors."],
  }),
  "unknown-type": () => ({
    title: "Unknown tensor type",
    what: "This page does not know how this tensor type stores its values.",
    next: ["Look for a newer version of this page."],
  }),
  "out-of-range": () => ({
    title: "Elements not found",
    what: "The tensor has fewer elements than were requested.",
    next: [REPORT_BUG],
  }),
  "invalid-argument": (failure) => ({
    title: "This page made an invalid request",
    what: sentence(failure.message || "no reason was given"),
    next: [REPORT_BUG],
  }),
  "wrong-type": (failure) => ({
    title: "This entry has another type",
    what: sentence(failure.message || "the value is not of the type that is needed"),
    next: [REPORT_BUG],
  }),
  "unknown-key": () => ({
    title: "Entry not found",
    what: "The file has no entry with this key.",
    next: ["Look for the entry in the list of metadata."],
  }),
  "key-taken": () => ({
    title: "This key is in use",
    what: "Another entry has this key. llama.cpp refuses files in which two entries have the same key.",
    next: ["Choose another key, or change the entry that has it."],
  }),
  "unknown-change": () => ({
    title: "Change not found",
    what: "The change has already been undone or reverted.",
    next: [],
  }),
  conflict: () => ({
    title: "The change cannot be reverted",
    what: "A later change depends on it.",
    next: ["Revert the later change first."],
  }),
  "name-taken": () => ({
    title: "This name is in use",
    what: "Another tensor has this name. llama.cpp refuses files in which two tensors have the same name.",
    next: ["Choose another name."],
  }),
  "bad-key": (failure) => ({
    title: "Invalid key",
    what: sentence(failure.message || "the key is empty or too long"),
    next: ["Choose another key."],
  }),
  "bad-name": (failure) => ({
    title: "Invalid tensor name",
    what: sentence(failure.message || "the name is too long, or contains a null character"),
    next: ["Choose a shorter name. A letter with an accent has two bytes or more."],
  }),
  "does-not-fit": (failure) => ({
    title: "The value does not fit its type",
    what: sentence(failure.message || "the type cannot hold the value"),
    next: ["Change the value or the type."],
  }),
  "bad-alignment": (failure) => ({
    title: "Invalid alignment",
    what: sentence(failure.message || "the alignment is not a power of two"),
    next: ["Choose 32 unless a tool asks for another."],
  }),
  truncated: () => ({
    title: "The file is incomplete",
    what: "The file ends before the data of its tensors. A saved copy would look complete although data is missing.",
    next: [DOWNLOAD_AGAIN],
  }),
  "no-byte-order": () => ({
    title: "The byte order of this file cannot be changed",
    what: "The file has tensors of a type that no tool defines in the other byte order.",
    next: ["Keep the byte order."],
  }),
  "no-room": (failure) => ({
    title: "The header does not fit",
    what: sentence(failure.message || "the header is larger than the space that was reserved for it"),
    next: ["Reserve more space, or write a new file."],
  }),
  "not-in-place": () => ({
    title: "This file cannot be changed in place",
    what: "The target is neither the file that was opened nor an empty file.",
    next: ["Save to a new file."],
  }),
  "write-failed": (failure) => ({
    title: "The file could not be written",
    what: sentence(failure.message || "the browser gave no reason"),
    next: [
      "Check that there is enough free space, and that no other program has the file open.",
      "Or save to another place.",
    ],
  }),
  "missing-parts": ({ message }) => ({
    title: "Parts of this file are missing",
    what: message,
    next: ["Choose all parts together, or the folder that has them."],
  }),
  "not-allowed": () => ({
    title: "This page may not write to the file",
    what: "A page may change a file only if you allow it. The browser asked you, or used an earlier answer, and writing was not allowed.",
    next: [
      "Go back, save again, and allow writing when the browser asks.",
      "If the browser does not ask, change the permissions of this page beside the address bar, or download the new file instead.",
    ],
  }),
  interrupted: (failure) => ({
    title: "Saving stopped half-way",
    what: sentence(failure.message || "the file contains only some of the changes"),
    next: ["Save again now. This page still has all changes."],
  }),
  "other-module": () => ({
    title: "Two copies of the library are loaded",
    what: "An object of one copy was given to the other.",
    next: ["Reload the page."],
  }),
  "other-entry": () => ({
    title: "A part of the library is missing",
    what: "The page used a part of the library that it had not loaded.",
    next: ["Reload the page, and report a bug in this page."],
  }),
  freed: () => ({
    title: "The file was closed",
    what: "The memory of the file was released, so it cannot be read any more.",
    next: ["Open the file again."],
  }),
  "no-tokenizer": () => ({
    title: "The file has no tokenizer",
    what: "Its metadata names no tokenizer. Adapters, projectors and models for images have none.",
    next: ["Open the model itself."],
  }),
  unsupported: (failure) => ({
    title: "This page cannot run the tokenizer",
    what: sentence(failure.message),
    next: ["Tokenise the text with llama.cpp."],
  }),
  "unknown-pre-tokenizer": (failure) => ({
    title: "Unknown pre-tokenizer",
    what: sentence(failure.message),
    next: ["Correct the entry tokenizer.ggml.pre."],
  }),
  "bad-vocabulary": (failure) => ({
    title: "The vocabulary cannot be used",
    what: sentence(failure.message),
    next: ["Convert the model again, with a current version of llama.cpp."],
  }),
  "no-chat-template": (failure) => ({
    title: "There is no such chat template",
    what: sentence(failure.message),
    next: ["Choose one of the templates of the file."],
  }),
  "template-syntax": (failure) => ({
    title: "llama.cpp refuses the chat template",
    what: sentence(failure.message),
    next: ["Correct the line, or use the template of the original model."],
  }),
  "template-render": (failure) => ({
    title: "The chat template fails",
    what: sentence(failure.message),
    next: ["Correct the line, or set the variables that the template needs."],
  }),
  "template-raised": (failure) => ({
    title: "The chat template refuses the conversation",
    what: sentence(failure.message),
    next: ["Change the conversation as the message says."],
  }),
  "template-limit": (failure) => ({
    title: "The chat template takes too much",
    what: sentence(failure.message),
    next: ["Use the template of the original model."],
  }),
  "template-context": (failure) => ({
    title: "The variables of the chat template are not valid",
    what: sentence(failure.message),
    next: ["Correct the JSON text."],
  }),
  "template-conversation": (failure) => ({
    title: "llama-server refuses the conversation",
    what: sentence(failure.message),
    next: ["Correct the message or the tool that is named."],
  }),
  "incomplete-set": (failure) => ({
    title: "A shard is missing",
    what: sentence(failure.message || "not all shards of the model are open"),
    next: ["Open all shards of the model together, then try again."],
  }),
  "foreign-shard": (failure) => ({
    title: "These files belong to different models",
    what: sentence(failure.message || "two of the files are shards of different models"),
    next: ["Choose only the shards of one model.", "If the files have been renamed, give them their own names again."],
  }),
  "bad-manifest": (failure) => ({
    title: "This is not a manifest",
    what: sentence(failure.message || "the text has no line with a hash"),
    next: ["Choose a manifest that llama-gguf-hash or this page has written."],
  }),
  "bad-json": (failure) => ({
    title: "A JSON file of the model cannot be read",
    what: sentence(failure.message || "a JSON file of the model is not valid"),
    next: ["Download the file again.", "Or correct the member that the message names."],
  }),
  "bad-model-card": (failure) => ({
    title: "The description of the model cannot be read",
    what: sentence(failure.message || "README.md or the given metadata has a value that cannot be read"),
    next: ["Correct the value that the message names.", "Or convert the model without its README.md."],
  }),
  "bad-safetensors": (failure) => ({
    title: "A safetensors file is damaged",
    what: sentence(failure.message || "the header of a safetensors file contradicts itself or the file"),
    next: ["Download the file again."],
  }),
  "incomplete-model": (failure) => ({
    title: "The model is incomplete",
    what: sentence(failure.message || "a file or a tensor of the model is missing"),
    next: ["Download all files of the model into one folder."],
  }),
  "unsupported-model": (failure) => ({
    title: "This model cannot be converted",
    what: sentence(failure.message || "the model has an architecture, a tensor or a setting that is not supported"),
    next: ["Look for a GGUF file of the model.", "Or use the converter of llama.cpp."],
  }),
  "bad-imatrix": (failure) => ({
    title: "The importance matrix cannot be used",
    what: sentence(failure.message || "the importance matrix cannot be read, or does not fit the model"),
    next: ["Choose the importance matrix that was computed for this model."],
  }),
  "needs-imatrix": (failure) => ({
    title: "This type needs an importance matrix",
    what: sentence(failure.message || "a tensor has no data in an importance matrix"),
    next: ["Choose an importance matrix of this model.", "Or choose a type with more bits."],
  }),
  "already-quantized": (failure) => ({
    title: "The model is quantized already",
    what: sentence(failure.message || "quantizing a tensor once more would lose quality"),
    next: ["Use the original model with 16 or 32 bits.", "Or allow requantizing."],
  }),
  "invalid-data": (failure) => ({
    title: "The data of a tensor is broken",
    what: sentence(failure.message || "a tensor contains a number that is not finite"),
    next: ["Download the file again.", "Or convert the original model again."],
  }),
  "worker-failed": (failure) => ({
    title: "A worker of the conversion has ended",
    what: sentence(failure.message || "a worker could not be started, or has ended before its work was done"),
    next: ["Close other pages to free memory, and convert again.", "Or convert with fewer workers."],
  }),
  busy: () => ({
    title: "The file is in use",
    what: "Another operation on the file is still running.",
    next: ["Try again when it has ended."],
  }),
  internal: (failure) => ({
    title: "A bug stopped this page from reading the file",
    what: sentence(failure.message || "no reason was given"),
    next: ["Reload the page.", "Please report this message."],
  }),
  address: (failure) => ({ title: "This address cannot be opened", what: failure.message, next: [] }),
  engine: () => ({
    title: "The WebAssembly module did not load",
    what: "This page needs its WebAssembly module to read files. The browser may be too old, or an extension or a lost connection may have blocked it.",
    next: ["Try again.", "Use a current version of Chrome, Edge, Firefox or Safari."],
  }),
  stopped: (failure) => ({
    title: "A part of this page has stopped",
    what: `${sentence(failure.message || "its worker has ended")} Your text and unsaved changes are kept.`,
    next: [
      "Try again: the part is started again.",
      "If it stops again, please report this message with the name of the model.",
    ],
  }),
  cancelled: () => ({ title: "Opening was cancelled", what: "No file is open.", next: [] }),
};

/** Whether a code is one of the package, which documents it. */
export function isPackageCode(code: string): boolean {
  return Object.hasOwn(ERROR_TEXTS, code) && !OWN_CODES.some((own) => own === code);
}

/** What could not be done, for a failure without a text. */
const GENERAL_TITLES = {
  repository: "The files could not be listed",
  search: "The models could not be searched",
  file: "The file could not be opened",
} as const;

/** The texts for a failure to open a file or a repository, or to find models. A code that is not in the tables gets the message of the library. */
export function errorText(failure: Failure): ErrorText {
  const { about } = failure;
  const texts = about === undefined ? ERROR_TEXTS : { ...ERROR_TEXTS, ...HUB_TEXTS[about] };
  const words = Object.hasOwn(texts, failure.code) ? texts[failure.code as FailureCode] : undefined;
  const known = failure.looksLike && otherFormatText(failure.looksLike);
  const text = known ??
    words?.(failure) ?? {
      title: GENERAL_TITLES[about ?? "file"],
      what: failure.message || "No reason was given.",
      next: ["Try again.", REPORT_BUG],
    };
  // Some messages end with what to do.
  return { ...text, next: text.next.filter((step) => !isSaid(step, text.what)) };
}

/** Whether a person can drop files on the page, and choose files. */
let takesFiles = false;

/** Called by a page that opens the files that a person drops on it. The elements alone do not. */
export function offerDropping(): void {
  takesFiles = true;
}

/** A step that a person can take only on such a page. */
function whereFilesAreTaken(step: string): string[] {
  return takesFiles ? [step] : [];
}

/** The text for anything that was thrown while a file was opened, for the space beside a field. */
export function problemText(error: unknown): string {
  const failure = failureOf(error);
  const { title, what } = errorText(failure);
  return failure.code === "address" ? what : `${title}. ${what}`;
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
