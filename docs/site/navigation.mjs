// The pages that the navigation lists. Pages of a table are below the page of the table, which lists them.

/** The guides: the names of their files in `guides/`, and their titles. */
const GUIDES = [
  ["read-metadata", "Read metadata"],
  ["values-and-heat-maps", "Values and heat maps"],
  ["check", "Check a file"],
  ["edit-and-save", "Edit and save in the browser"],
  ["large-files", "Large files in Node.js"],
  ["workers", "Workers"],
  ["frameworks", "Bundlers and frameworks"],
  ["shards", "Shards"],
  ["compare", "Compare two models"],
  ["tokenise", "Tokenise"],
  ["chat-templates", "Chat templates"],
  ["memory", "Memory"],
  ["quantize", "Quantize"],
  ["convert", "Convert a model of Hugging Face"],
  ["old-formats", "Formats before GGUF"],
  ["embed-the-viewer", "Embed the viewer"],
];

/** Documents of the repository: source, name in the site, title. */
const PROJECT = [
  ["CHANGELOG.md", "changelog", "Changelog"],
  ["SECURITY.md", "security", "Security"],
  ["CONTRIBUTING.md", "contributing", "Contributing"],
  ["docs/architecture.md", "architecture", "Architecture"],
  ["docs/architectures.md", "architecture-rules", "Rules of architectures"],
  ["docs/chat-templates.md", "chat-templates", "Chat templates and jinja2"],
  ["docs/decisions.md", "decisions", "Decisions"],
  ["docs/benchmarks.md", "benchmarks", "Benchmarks"],
  ["docs/testing.md", "testing", "Testing"],
  ["LICENSE-MIT", "licence", "Licence"],
];

/** @typedef {{ source: string, url: string, title: string, section: string }} Document */

/** @type {Document[]} Pages that are Markdown files of the repository. */
export const DOCUMENTS = [
  { source: "docs/site/start.md", url: "/index.html", title: "Start in five minutes", section: "Start" },
  { source: "README.md", url: "/start/about.html", title: "What it does", section: "Start" },
  ...GUIDES.map(([name, title]) => ({
    source: `docs/site/guides/${name}.md`,
    url: `/guides/${name}.html`,
    title: String(title),
    section: "Guides",
  })),
  { source: "docs/hosting.md", url: "/guides/host-the-app.html", title: "Host the app", section: "Guides" },
  { source: "pkg-template/README.md", url: "/reference/package.html", title: "The package", section: "Reference" },
  { source: "docs/command-line.md", url: "/reference/command-line.html", title: "Command line", section: "Reference" },
  {
    source: "viewer-template/README.md",
    url: "/reference/viewer-package.html",
    title: "The viewer in other pages",
    section: "Reference",
  },
  { source: "www/README.md", url: "/reference/viewer.html", title: "The viewer", section: "Reference" },
  ...PROJECT.map(([source, name, title]) => ({
    source: String(source),
    url: `/project/${name}.html`,
    title: String(title),
    section: "Project",
  })),
];

const ofSection = (/** @type {string} */ section) => DOCUMENTS.filter((document) => document.section === section);

/** The navigation: groups of pages. */
export const NAVIGATION = [
  { title: "Start", pages: ofSection("Start") },
  { title: "Guides", pages: ofSection("Guides") },
  {
    title: "The format",
    pages: [
      { url: "/format/index.html", title: "A file from start to end" },
      { url: "/format/keys/index.html", title: "Keys" },
      { url: "/format/types/index.html", title: "Tensor types" },
      { url: "/format/file-types.html", title: "File types" },
      { url: "/format/architectures/index.html", title: "Architectures" },
      { url: "/format/tensors.html", title: "Tensor names" },
      { url: "/format/kinds/index.html", title: "Kinds of files" },
      { url: "/format/checks/index.html", title: "Checks" },
      { url: "/format/errors/index.html", title: "Error codes" },
    ],
  },
  { title: "Reference", pages: [{ url: "/api/index.html", title: "API" }, ...ofSection("Reference")] },
  { title: "Project", pages: ofSection("Project") },
];
