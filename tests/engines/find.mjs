/**
 * An element of the page: by its role and its accessible name, by a selector, or both. Shadow roots are searched, too.
 *
 * @typedef {object} Target
 * @property {string} [role]
 * @property {string} [name] The whole accessible name, or a regular expression between slashes.
 * @property {string} [css]
 * @property {string} [text] A part of the text, or a regular expression between slashes.
 * @property {string} [within] A selector of an element around it, also of a host around its shadow root.
 * @property {boolean} [hidden] Whether it may be invisible.
 */

/**
 * The elements of the page that a target describes, in the order of the document. It runs inside the page, so it uses nothing of this file.
 *
 * @param {Target} target
 */
export function findElements({ role, name, css, text, within, hidden = false }) {
  const ROLES = {
    button: "button, summary, [type=button], [type=submit]",
    link: "a[href]",
    textbox: "textarea, input:not([type]), input[type=text], input[type=url], [contenteditable=true]",
    searchbox: "input[type=search]",
    combobox: "select",
    checkbox: "input[type=checkbox]",
    radio: "input[type=radio]",
    spinbutton: "input[type=number]",
    slider: "input[type=range]",
    heading: "h1, h2, h3, h4, h5, h6",
    dialog: "dialog",
    table: "table",
    region: "section[aria-label], section[aria-labelledby]",
    img: "img",
    progressbar: "progress",
  };

  /** @param {string} value @param {string | undefined} wanted @param {boolean} isWhole */
  const fits = (value, wanted, isWhole) => {
    if (wanted === undefined) return true;
    const plain = value.replace(/\s+/g, " ").trim();
    if (/^\/.*\/$/.test(wanted)) return new RegExp(wanted.slice(1, -1)).test(plain);
    return isWhole ? plain === wanted : plain.includes(wanted);
  };

  /** The text of a node with that of its shadow root and of its slots. @param {Node} node @returns {string} */
  const textOf = (node) => {
    if (node instanceof Text) return node.data;
    if (node instanceof Element && (/^(style|script)$/i.test(node.localName) || !isShown(node))) return "";
    if (node instanceof HTMLSlotElement && node.assignedNodes().length > 0)
      return node.assignedNodes().map(textOf).join("");
    const children = node instanceof Element && node.shadowRoot ? node.shadowRoot.childNodes : node.childNodes;
    return [...children].map(textOf).join("");
  };

  /** @param {Element} element */
  const isShown = (element) => element.checkVisibility?.({ visibilityProperty: true }) ?? true;

  /** @param {Element} element */
  const nameOf = (element) => {
    const ids = element.getAttribute("aria-labelledby");
    const root = /** @type {Document | ShadowRoot} */ (element.getRootNode());
    if (ids)
      return ids
        .split(/\s+/)
        .map((id) => textOf(root.getElementById(id) ?? new Text()))
        .join(" ");
    const label = element.getAttribute("aria-label");
    if (label) return label;
    const labels = /** @type {HTMLInputElement} */ (element).labels;
    if (element instanceof HTMLTableElement && element.caption) return textOf(element.caption);
    if (labels?.length) return [...labels].map(textOf).join(" ");
    return textOf(element).trim() || element.getAttribute("title") || element.getAttribute("placeholder") || "";
  };

  /** @param {Element} element */
  const isWithin = (element) => {
    /** @type {Element | null} */
    let at = element;
    while (at) {
      const found = at.closest(String(within));
      if (found) return true;
      const root = at.getRootNode();
      at = root instanceof ShadowRoot ? root.host : null;
    }
    return false;
  };

  const ofRole = role === undefined ? "*" : `[role=${role}], ${Reflect.get(ROLES, role) ?? "_"}`;
  /** @type {Element[]} */
  const found = [];
  /** @param {Document | ShadowRoot} root */
  const search = (root) => {
    for (const element of root.querySelectorAll("*")) {
      if (
        element.matches(ofRole) &&
        (role === undefined || (element.getAttribute("role") ?? role) === role) &&
        (css === undefined || element.matches(css)) &&
        (within === undefined || isWithin(element)) &&
        (hidden || isShown(element)) &&
        (name === undefined || fits(nameOf(element), name, true)) &&
        (text === undefined || fits(textOf(element), text, false))
      )
        found.push(element);
      if (element.shadowRoot) search(element.shadowRoot);
    }
  };
  search(document);
  return found;
}
