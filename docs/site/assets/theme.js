// Sets the theme that the reader has chosen before the page is drawn.

try {
  const theme = localStorage.getItem("gguf-docs-theme");
  if (theme) document.documentElement.dataset.theme = theme;
} catch {
  // Without storage, the page has the theme of the system.
}
