// Addresses as messages and files may show them: they can contain secrets.

/**
 * A URL without a user name and a password. Other names stay as they are.
 *
 * @param {string} name
 */
export function withoutPassword(name) {
  return name.replace(/^(https?:\/\/)[^/?#]*@/i, "$1");
}

/**
 * A URL without a user name, a password, a query and a fragment: the last two can contain a key or a signature. Other names stay as they
 * are.
 *
 * @param {string} name
 */
export const withoutSecrets = (name) =>
  /^https?:/i.test(name) ? withoutPassword(name).replace(/[?#].*/s, "?…") : name;
