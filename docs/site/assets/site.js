// What needs JavaScript: the button of the theme, the list of pages beside the text, and the search.

const root = document.documentElement;

/** Whether the page is dark now. */
const isDark = () =>
  root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;

const button = /** @type {HTMLButtonElement} */ (document.querySelector("button.theme"));
const showTheme = () => {
  button.textContent = isDark() ? "Light" : "Dark";
};
button.hidden = false;
showTheme();
button.addEventListener("click", () => {
  const theme = isDark() ? "light" : "dark";
  root.dataset.theme = theme;
  try {
    localStorage.setItem("gguf-docs-theme", theme);
  } catch {
    // The choice holds for this page.
  }
  showTheme();
});

// Beside the text, the list of pages is open. Above it, the reader opens it.
const list = /** @type {HTMLDetailsElement} */ (document.querySelector("nav details"));
const isWide = matchMedia("(min-width: 56.01rem)");
const openList = () => {
  list.open = isWide.matches;
};
isWide.addEventListener("change", openList);
openList();

const query = /** @type {HTMLInputElement | null} */ (document.querySelector("#query"));
const field = query ?? /** @type {HTMLInputElement} */ (document.querySelector("header input"));
document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.target instanceof HTMLInputElement || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  field.focus();
});
if (query) await startSearch(query);

/** @param {HTMLInputElement} input */
async function startSearch(input) {
  const found = /** @type {HTMLElement} */ (document.querySelector("#found"));
  const results = /** @type {HTMLElement} */ (document.querySelector("#results"));
  const site = new URL("../", import.meta.url);
  const pagefind = await import(new URL("pagefind/pagefind.js", site).href);
  await pagefind.options({ baseUrl: site.pathname, excerptLength: 24 });

  const search = async () => {
    const text = input.value.trim();
    const address = new URL(location.href);
    if (text) address.searchParams.set("q", text);
    else address.searchParams.delete("q");
    history.replaceState(null, "", address);
    const answer = text ? await pagefind.debouncedSearch(text, {}, 150) : { results: [] };
    // A newer search has begun.
    if (!answer) return;
    const pages = await Promise.all(answer.results.slice(0, 30).map((/** @type {any} */ one) => one.data()));
    if (input.value.trim() !== text) return;
    const count = answer.results.length;
    const counted = `${count || "No"} ${count === 1 ? "page" : "pages"}${count > 30 ? ". The best 30:" : ""}`;
    found.textContent = text ? counted : "";
    results.replaceChildren(...pages.map(item));
  };
  input.value = new URLSearchParams(location.search).get("q") ?? "";
  input.addEventListener("input", search);
  input.focus();
  await search();
}

/** @param {{ url: string, excerpt: string, meta: { title: string, section: string } }} page */
function item({ url, excerpt, meta }) {
  const entry = document.createElement("li");
  const link = document.createElement("a");
  link.href = url;
  link.textContent = meta.title;
  const text = document.createElement("p");
  // pagefind escapes the text of an excerpt, and marks the found words.
  text.innerHTML = excerpt;
  text.prepend(`${meta.section} · `);
  entry.append(link, text);
  return entry;
}
