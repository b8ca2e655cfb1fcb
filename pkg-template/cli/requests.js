// What requests are sent with: the headers of the options, and the token and the address of the hub from the environment.

import { UsageError } from "./errors.js";
import { withoutPassword, withoutSecrets } from "./shown-address.js";

/** @import { Arguments } from "./arguments.js" */

/** The variables of the environment, as the tools of Hugging Face read them. */
const ENDPOINT = "HF_ENDPOINT";
const TOKEN = "HF_TOKEN";

/** The hub without HF_ENDPOINT. */
const HUGGING_FACE = "https://huggingface.co";

/** The address of the hub, without a slash at its end. */
export function hubAddress() {
  const given = process.env[ENDPOINT] || HUGGING_FACE;
  if (!/^https?:\/\//i.test(given) || !URL.canParse(given)) {
    throw new UsageError(
      `${ENDPOINT} is "${withoutSecrets(given)}", expected the address of a hub, such as ${HUGGING_FACE}.`,
    );
  }
  const { origin, pathname } = new URL(given);
  return origin + pathname.replace(/\/+$/, "");
}

/** Whether a name is one of the hub: `hub:owner/name`. @param {string} name */
export function isHubName(name) {
  return /^hub:/i.test(name);
}

/**
 * The URL, if the name is one of HTTP.
 *
 * @param {string} name
 */
export function httpUrl(name) {
  if (/^https?:\/\//i.test(name)) {
    if (!URL.canParse(name)) throw new UsageError(`"${withoutSecrets(name)}" is not a URL. Check it.`);
    if (withoutPassword(name) !== name) {
      const advice = 'Remove them, and give for example --header "Authorization: Basic …".';
      throw new UsageError(`The URL ${withoutSecrets(name)} has a user name or a password before its host. ${advice}`);
    }
    return name;
  }
  const [, scheme] = /^([a-z][a-z0-9+.-]+):\/\//i.exec(name) ?? [];
  if (scheme !== undefined && scheme.toLowerCase() !== "file") {
    throw new UsageError(`"${name}" is a URL of the scheme ${scheme}, expected http, https, or a path.`);
  }
  return undefined;
}

/**
 * The headers of requests: those of the options, and the token for the hub. The headers of the options can be secrets, so they
 * go only to the origin of the first URL of the command.
 *
 * @param {string} name A path, or a URL.
 * @param {Arguments} args
 * @returns {{ headers?: Headers }}
 */
export function requestOptions(name, args) {
  const url = httpUrl(name);
  const texts = args.texts("header");
  // With the first headers, Node.js loads its HTTP client, which takes as long as opening a small file.
  if (url === undefined && texts.length === 0) return {};
  const headers = new Headers();
  for (const text of texts) {
    const colon = text.indexOf(":");
    // The text can contain a secret at any place, so it is never shown.
    if (colon <= 0) throw new UsageError(`A --header has no colon after its name, expected "Name: value".`);
    try {
      headers.append(text.slice(0, colon).trim(), text.slice(colon + 1).trim());
    } catch {
      throw new UsageError(
        `A --header cannot be sent, expected "Name: value": a name of letters, digits and hyphens, and a value in one line.`,
      );
    }
  }
  if (url === undefined) return { headers };
  const { origin } = new URL(url);
  if (origin !== firstOrigin(args)) for (const key of [...headers.keys()]) headers.delete(key);
  if (origin !== new URL(hubAddress()).origin || headers.has("Authorization")) return { headers };
  const token = accessToken();
  if (token !== "") headers.set("Authorization", `Bearer ${token}`);
  return { headers };
}

/** The token of the environment, without spaces and line breaks around it. It is never shown. */
function accessToken() {
  const token = (process.env[TOKEN] ?? "").trim();
  if (!/^[!-~]*$/.test(token)) {
    throw new UsageError(
      `${TOKEN} is not a token: it contains a space, a line break or another character that a header cannot have. ` +
        "Set it to the token alone.",
    );
  }
  return token;
}

/** The origin of the first URL of a command, or of the hub. Paths are ignored. @param {Arguments} args */
function firstOrigin(args) {
  const names = [...args.positionals, ...args.texts("beside"), args.text("base") ?? ""];
  const first = names.find((name) => /^https?:\/\//i.test(name) || isHubName(name));
  const url = first !== undefined && isHubName(first) ? hubAddress() : first;
  return url !== undefined && URL.canParse(url) ? new URL(url).origin : undefined;
}
