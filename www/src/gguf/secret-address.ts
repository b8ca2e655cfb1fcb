/** Addresses that give access to a file: whoever has the address has the file. */

/**
 * What names of parameters with a secret contain: `apikey`, `access_token`, `X-Amz-Signature`, `client_secret`, `passwd`. A name that only
 * looks like one of them costs little: the address is not stored.
 */
const SECRET =
  /key|token|sign|secret|pass(?:w|phrase|code)|pwd|auth|credential|cred|session|jwt|ticket|otp|x-amz-|x-goog-/;

/** Names that are too short to be looked for inside of others: `sig` of Azure, `pass`, `pw`. */
const SHORT = /^(?:sig|pass|pw|code|sas|hmac|se|sp|sv|st|s|k|t)$/;

/** Whether an address has a user name, a password, or a parameter with a secret, in its query or in its fragment. */
export function hasSecret(address: string): boolean {
  if (/^\s*(?:[a-z][a-z0-9+.-]*:[/\\\s]*|[/\\]{2,})[^/\\?#]*@/i.test(address)) return true;
  const [, ...parameters] = address.split(/[?&;#]/);
  return parameters.some((parameter) => {
    const [name = ""] = parameter.split("=");
    const plain = decoded(name).trim().toLowerCase();
    return SECRET.test(plain) || SHORT.test(plain);
  });
}

/** A name without escapes. A broken escape stays. */
function decoded(name: string): string {
  try {
    return decodeURIComponent(name.replaceAll("+", " "));
  } catch {
    return name;
  }
}
