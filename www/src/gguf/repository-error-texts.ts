/** The texts for everything that can go wrong while a hub is asked: for the files of a repository, or for models. No file is open then. */

import type { GgufErrorCode } from "gguf-wasm/explain";
import { type ErrorText, hostOf, sentence } from "./error-text.ts";
import type { Failure } from "./failure.ts";

const STATUS_PAGE = { title: "Status of Hugging Face", href: "https://status.huggingface.co" };
const TRY_LATER = "Try again in a moment.";
const SEE_STATUS = "Look at status.huggingface.co: it reports disturbances of Hugging Face.";

/** What the hub is asked for, in words. */
interface Asked {
  /** What it should have answered with. */
  readonly answer: string;
  /** The same at the hub's site. */
  readonly page: string;
  /** What to check if the hub refuses. */
  readonly check: string;
}

const FILES: Asked = { answer: "list of files", page: "repository", check: "Check the name of the repository." };
const MODELS: Asked = { answer: "list of models", page: "search", check: "Search for other words." };

const TEMPLATE: Asked = {
  answer: "template",
  page: "repository",
  check: "Check the name of the repository.",
};

const seePage = ({ page }: Asked) =>
  `Open the ${page} on Hugging Face in a browser tab: it shows whether the site can be reached.`;

const badResponse = (asked: Asked) => (failure: Failure) => ({
  title: `The answer is not a ${asked.answer}`,
  what: `${hostOf(failure.url)} sent something else. A proxy, or the login page of a network, may have answered instead.`,
  next: [seePage(asked), TRY_LATER],
});

/** The texts of the codes that only listing has. */
export const LISTING_TEXTS = {
  "bad-response": badResponse(FILES),
  "rate-limited": (failure: Failure) => ({
    title: "Too many requests",
    what: sentence(failure.message.replace(/ \(https?:[^()]*\)$/, "")),
    next: ["Wait, and try again.", "Or give an access token: more requests are allowed with one."],
  }),
  "repository-not-found": () => ({
    title: "Missing or private repository",
    what: "There is no such repository, or it is private. Hugging Face does not tell which, so that nobody learns the names of private repositories.",
    next: [
      "Check the spelling of the owner and the name.",
      "If it is private, give an access token of an account that may read it.",
    ],
  }),
  "revision-not-found": () => ({
    title: "No such revision or folder",
    what: "The repository exists, but it has no such branch, tag, commit or folder.",
    next: ["Check the address.", "Or open the repository by its name only."],
  }),
  "repository-denied": () => ({
    title: "Access is not granted",
    what: "The repository exists, but only accounts that were granted access can read it.",
    next: [
      "Open the repository on Hugging Face, log in, and accept its conditions.",
      "Then give an access token of the same account.",
    ],
  }),
  "no-gguf-files": () => ({
    title: "No GGUF files",
    what: "The repository has no file whose name ends in .gguf. It may hold the original model, in another format.",
    next: [
      "If it has safetensors, this page can convert the model.",
      "Or look for a repository of the same model whose name ends in GGUF.",
    ],
  }),
} satisfies Partial<Record<GgufErrorCode, (failure: Failure) => ErrorText>>;

/** The texts of codes that a file has, too. */
const hubTexts = (asked: Asked): Partial<Record<GgufErrorCode, (failure: Failure) => ErrorText>> => ({
  http: (failure) => {
    const status = failure.status ?? 0;
    const what = `${hostOf(failure.url)} answered ${status} instead of the ${asked.answer}.`;
    return status >= 500
      ? { title: "Hugging Face reported an error", what, next: [TRY_LATER, SEE_STATUS], link: STATUS_PAGE }
      : { title: `Hugging Face did not send the ${asked.answer}`, what, next: [asked.check, seePage(asked)] };
  },
  network: (failure) =>
    failure.isOffline
      ? {
          title: "No connection",
          what: `This device is offline, so ${hostOf(failure.url)} cannot be reached.`,
          next: ["Connect to a network, and try again.", "Files of this device can be opened without a connection."],
        }
      : {
          title: "Hugging Face cannot be reached",
          what: `There was no response from ${hostOf(failure.url)}. Browsers do not tell a page the reason: the connection may be down, or an extension, a firewall or a proxy may block the site.`,
          next: [seePage(asked), SEE_STATUS],
          link: STATUS_PAGE,
        },
  cors: (failure) => ({
    title: "The answer of Hugging Face cannot be read",
    what: `${hostOf(failure.url)} can be reached, but its answer does not allow this page to read it (CORS). Hugging Face allows this, so a proxy, or the login page of a network, may have answered instead.`,
    next: [seePage(asked)],
  }),
  timeout: (failure) => ({
    title: "Hugging Face does not answer",
    what: `${hostOf(failure.url)} sent no complete answer within the time limit.`,
    next: [TRY_LATER, SEE_STATUS],
    link: STATUS_PAGE,
  }),
});

/** The texts that replace those about files, by what failed. */
export const HUB_TEXTS: Readonly<
  Record<NonNullable<Failure["about"]>, Partial<Record<GgufErrorCode | "no-template", (failure: Failure) => ErrorText>>>
> = {
  repository: {
    ...hubTexts(FILES),
    "limit-exceeded": () => ({
      title: "Too many files",
      what: "The list of the repository is longer than this page reads.",
      next: ["Open a folder of the repository: owner/name/folder."],
    }),
  },
  search: {
    ...hubTexts(MODELS),
    "bad-response": badResponse(MODELS),
    // Models that a token may not read are not in the list, so only the token itself can be refused.
    "repository-denied": (failure) => ({
      title: "The access token is refused",
      what: `${hostOf(failure.url)} answered ${failure.status ?? 0}: the token may have expired, or may not search.`,
      next: ["Remove the access token: public models are found without one.", "Or give another token."],
    }),
  },
  template: {
    ...hubTexts(TEMPLATE),
    "bad-response": () => ({
      title: "The template cannot be read",
      what: "The file tokenizer_config.json of the repository is not valid JSON.",
      next: [seePage(TEMPLATE)],
    }),
    "limit-exceeded": () => ({
      title: "The file is too long",
      what: "The file of the repository that should have the template is longer than this page reads.",
      next: [seePage(TEMPLATE)],
    }),
    "no-template": () => ({
      title: "No chat template",
      what: "The repository has neither a file chat_template.jinja, nor a template in tokenizer_config.json or chat_template.json.",
      next: ["A base model often has none. Look for the repository of the model that was trained for conversations."],
    }),
    "repository-denied": (failure) => ({
      title: "Access is not granted",
      what: `The repository is gated, private or missing: ${hostOf(failure.url)} answered ${failure.status ?? 0}.`,
      next: [
        "Open the repository on Hugging Face, log in, and accept its conditions.",
        "Then give an access token, or copy the template from its page and paste it here.",
      ],
    }),
  },
};
