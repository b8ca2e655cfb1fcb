import { AddressError, fetchableAddress } from "../gguf/address.ts";

/** An access token and the one origin that it was given for. It is kept only in memory. */
export interface AccessToken {
  origin: string;
  /** The host of the origin, for people. */
  host: string;
  headers: Readonly<Record<"Authorization", string>>;
}

/**
 * A token for the origin of an address.
 * @throws AddressError
 */
export function tokenFor(typed: string, address: string, base: string): AccessToken {
  const value = typed.trim().replace(/^Bearer\s+/i, "");
  if (value === "") throw new AddressError("Paste the access token.");
  if (!/^[\x21-\x7e]+$/.test(value))
    throw new AddressError("This is not an access token. A token is one word of letters, digits and symbols.");
  const url = new URL(fetchableAddress(address, base));
  if (!/^https?:$/.test(url.protocol)) throw new AddressError("Access tokens work only with http and https addresses.");
  const local = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(url.hostname);
  if (url.protocol === "http:" && !local)
    throw new AddressError("An access token is sent only over https. Over http, others on the network could read it.");
  return { origin: url.origin, host: url.host, headers: { Authorization: `Bearer ${value}` } };
}

/** Whether a token was given for the origin of an address. */
export function isTokenFor(token: AccessToken, address: string, base: string): boolean {
  try {
    return new URL(fetchableAddress(address, base)).origin === token.origin;
  } catch {
    return false;
  }
}
