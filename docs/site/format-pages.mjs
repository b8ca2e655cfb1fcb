// The pages that explain the format: one for each row of the tables of the crates.

import { escape } from "./markdown.mjs";

/** @import { Page } from "./build.mjs" */

/**
 * The tables: see `docs/tables/src/main.rs`.
 *
 * @typedef {object} Tables
 * @property {{ title: string, patterns: string[] }[]} keySections
 * @property {Key[]} keys
 * @property {{ id: number, name: string, size: number | null }[]} valueTypes
 * @property {TensorType[]} tensorTypes
 * @property {FileType[]} fileTypes
 * @property {Architecture[]} architectures
 * @property {TensorName[]} tensorNames
 * @property {{ name: string, title: string, description: string, isCompleteModel: boolean }[]} fileKinds
 * @property {Code[]} checks
 * @property {Code[]} setChecks
 * @property {Code[]} errorCodes
 *
 * @typedef {object} Key
 * @property {string} pattern
 * @property {string[]} types
 * @property {string} title
 * @property {string} description
 * @property {string} [unit]
 * @property {{ value: number | string, name: string, description: string }[]} [values]
 * @property {string} section
 * @property {string[]} sources
 * @property {string} [deprecatedFor]
 * @property {string} [note]
 * @property {{ specification: string[], llamaCpp: string[], llamaCppConditional: string[] }} [requiredBy]
 * @property {boolean} isTokenId
 * @property {boolean} isPerToken
 *
 * @typedef {object} TensorType
 * @property {number} id
 * @property {string} name
 * @property {number} blockSize
 * @property {number} typeSize
 * @property {boolean} isRemoved
 * @property {boolean} isConvertible
 * @property {{ offset: number, width: number, count: number, stride: number }[]} fields
 *
 * @typedef {object} FileType
 * @property {number} id
 * @property {string} name
 * @property {string} tensorType
 * @property {boolean} isRemoved
 * @property {string} description
 * @property {string | null} alias
 * @property {string | null} advice
 *
 * @typedef {object} Architecture
 * @property {string} name
 * @property {string} title
 * @property {boolean} isInLlamaCpp
 * @property {string | null} kind
 * @property {string[]} [specificationKeys]
 * @property {string[]} [llamaCppKeys]
 * @property {string[]} [llamaCppConditionalKeys]
 * @property {TensorGroup[]} [llamaCppTensors]
 *
 * @typedef {{ names: string[], place: string, need: string, alternative?: string, isConditional: boolean }} TensorGroup
 * @typedef {{ base: string, title: string, description: string, sections: { prefix: string }[] }} TensorName
 * @typedef {{ code: string, meaning: string, advice: string, severity?: string }} Code
 */

/** The address of the page of a key: `/format/keys/arch.context_length.html`. @param {string} pattern */
export const keyUrl = (pattern) => `/format/keys/${pattern.replaceAll(/[{}]/g, "")}.html`;
/** @param {string} name */
export const typeUrl = (name) => `/format/types/${name}.html`;
/** @param {string} name */
export const architectureUrl = (name) => `/format/architectures/${name}.html`;
/** @param {string} name */
export const kindUrl = (name) => `/format/kinds/${name}.html`;
/** @param {string} name */
export const checkUrl = (name) => `/format/checks/${name}.html`;
/** @param {string} name */
export const errorUrl = (name) => `/format/errors/${name}.html`;

/** @param {Tables} tables @returns {Page[]} */
export const formatPages = (tables) => [
  startPage(tables),
  ...keyPages(tables),
  ...typePages(tables),
  fileTypesPage(tables),
  ...architecturePages(tables),
  tensorsPage(tables),
  ...kindPages(tables),
  ...checkPages(tables),
  ...errorPages(tables),
];

/** @param {string} url @param {string} title @param {...string} content @returns {Page} */
const page = (url, title, ...content) => ({ url, title, section: "The format", content: content.join("\n") });

/** A text of a table: code stands between backquotes. @param {string} text */
const prose = (text) => escape(text).replaceAll(/`([^`]+)`/g, "<code>$1</code>");
/** @param {string} text */
const code = (text) => `<code>${escape(text)}</code>`;
/** @param {string} url @param {string} html */
const link = (url, html) => `<a href="${url}">${html}</a>`;
/** @param {string} name */
const check = (name) => link(checkUrl(name), code(name));
/** @param {string} pattern */
const key = (pattern) => link(keyUrl(pattern), code(pattern));
/** @param {string[]} items HTML. */
const list = (items) => `<ul>${items.map((item) => `<li>${item}</li>`).join("\n")}</ul>`;
/** @param {string[]} head @param {string[][]} rows HTML. */
const table = (head, rows) => `<div class="scrolls" tabindex="0"><table>
<thead><tr>${head.map((cell) => `<th scope="col">${cell}</th>`).join("")}</tr></thead>
<tbody>${rows.map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join("")}</tr>`).join("\n")}</tbody>
</table></div>`;
/** Facts with their names. Unknown facts are left out. @param {[string, string | undefined][]} rows */
const facts = (rows) =>
  `<dl>${rows.flatMap(([name, value]) => (value ? `<dt>${name}</dt>\n<dd>${value}</dd>` : [])).join("\n")}</dl>`;
/** @param {string} text */
const upperFirst = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** @param {Tables} tables */
function startPage({ valueTypes, keys, tensorTypes, architectures, fileKinds, checks, setChecks, errorCodes }) {
  return page(
    "/format/index.html",
    "A file from start to end",
    `<p>GGUF is the file format in which the models of llama.cpp are shared. A file has three parts.</p>
<ol>
<li><strong>Start</strong>: the letters <code>GGUF</code>, the version, and two counts.</li>
<li><strong>Header</strong>: the metadata entries, each a key and a value, and the tensor infos.</li>
<li><strong>Data</strong>: the data of the tensors, each at a multiple of the alignment.</li>
</ol>
<p>All numbers are little-endian, or all are big-endian.</p>`,
    table(
      ["Offset", "Content", "Bytes"],
      [
        ["0", "<code>GGUF</code>", "4"],
        ["4", "version: 1, 2 or 3", "4"],
        ["8", "number of tensors", "8 (version 1: 4)"],
        ["16", "number of metadata entries", "8 (version 1: 4)"],
        ["24", "for each entry: length of the key, key, type of the value, value", "vary"],
        [
          "",
          "for each tensor: length of the name, name, number of dimensions, dimensions, tensor type, offset",
          "vary",
        ],
        [
          "",
          `data of the tensors, from the next multiple of the alignment on: ${key("general.alignment")}, or 32`,
          "vary",
        ],
      ],
    ),
    `<p>The first dimension of a tensor is the length of a row. Its type says how many elements a block has, and how many bytes.
A row is made of whole blocks. The offset of a tensor counts from the start of the data.</p>
<h2>Types of values</h2>`,
    table(
      ["Number", "Name", "Bytes"],
      valueTypes.map(({ id, name, size }) => [String(id), code(name), size === null ? "vary" : String(size)]),
    ),
    `<p>A <code>STRING</code> is its length and UTF-8. An <code>ARRAY</code> is the type of its elements, their number, and the elements.
Lengths and numbers have 8 bytes, in version 1 they have 4.</p>
<h2>All tables</h2>`,
    list([
      `${link("/format/keys/index.html", `${keys.length} keys`)}: what each entry means`,
      `${link("/format/types/index.html", `${tensorTypes.length} tensor types`)}: blocks and bits`,
      `${link("/format/architectures/index.html", `${architectures.length} architectures`)}: the keys and tensors of each`,
      link("/format/kinds/index.html", `${fileKinds.length} kinds of files`),
      `${link("/format/checks/index.html", `${checks.length + setChecks.length} checks`)}: what can be wrong, and what to do`,
      `${link("/format/errors/index.html", `${errorCodes.length} error codes`)} of the package`,
    ]),
  );
}

/** @param {Tables} tables */
function keyPages({ keySections, keys, architectures }) {
  const byPattern = new Map(keys.map((one) => [one.pattern, one]));
  const names = new Set(architectures.map(({ name }) => name));
  const linked = (/** @type {string} */ pattern) => (byPattern.has(pattern) ? key(pattern) : code(pattern));
  const listed = (/** @type {string[]} */ of) =>
    of.map((name) => (names.has(name) ? link(architectureUrl(name), escape(name)) : escape(name))).join(", ");
  const valueOf = (/** @type {Key} */ { isTokenId, isPerToken }) =>
    isTokenId
      ? `the id of a token: an index into ${key("tokenizer.ggml.tokens")}`
      : isPerToken
        ? "an array with one element for each token"
        : undefined;
  const pages = keys.map((one) =>
    page(
      keyUrl(one.pattern),
      one.pattern,
      `<p class="what">${prose(one.title)}</p>\n<p>${prose(one.description)}</p>`,
      facts([
        ["Type", one.types.map(code).join(" or ")],
        ["Unit", one.unit && escape(one.unit)],
        ["Value", valueOf(one)],
        ["Section", escape(one.section)],
        ["Known to", one.sources.map(escape).join(", ")],
        ["Replaced by", one.deprecatedFor && linked(one.deprecatedFor)],
        ["Note", one.note && prose(one.note)],
      ]),
      placeholders(one.pattern),
      one.values
        ? `<h2>Values</h2>\n${table(
            ["Value", "Name", "Meaning"],
            one.values.map(({ value, name, description }) => [code(String(value)), prose(name), prose(description)]),
          )}`
        : "",
      one.requiredBy
        ? `<h2>Who needs it</h2>\n${facts([
            ["llama.cpp, always", listed(one.requiredBy.llamaCpp)],
            ["llama.cpp, of some models", listed(one.requiredBy.llamaCppConditional)],
            ["Specification", listed(one.requiredBy.specification)],
          ])}\n<p>Without a key that it needs, llama.cpp refuses the file: ${check("missing-key")}.</p>`
        : "",
      `<p>A value of another type is found by the checks ${check("wrong-type")} and ${check("unexpected-type")}.</p>`,
    ),
  );
  const sections = keySections.map(({ title, patterns }) => {
    const rows = patterns.flatMap((pattern) => {
      const one = byPattern.get(pattern);
      return one ? [[key(pattern), prose(one.title), one.types.map(code).join(" ")]] : [];
    });
    return `<h2>${escape(title)}</h2>\n${table(["Key", "Title", "Types"], rows)}`;
  });
  const intro = `<p>${keys.length} keys: those of the specification, of llama.cpp, and of programs that write files.
<code>{arch}</code> stands for the architecture, <code>{id}</code> for a number, <code>{name}</code> for any text.</p>`;
  return [page("/format/keys/index.html", "Keys", intro, ...sections), ...pages];
}

/** @param {string} pattern */
function placeholders(pattern) {
  const texts = [
    pattern.includes("{arch}") && `<code>{arch}</code> stands for the value of ${key("general.architecture")}.`,
    pattern.includes("{id}") && "<code>{id}</code> stands for a number from 0 on.",
    pattern.includes("{name}") && "<code>{name}</code> stands for any text.",
  ].filter(Boolean);
  return texts.length > 0 ? `<p>${texts.join(" ")}</p>` : "";
}

/** @param {Tables} tables */
function typePages({ tensorTypes, fileTypes }) {
  const bits = (/** @type {TensorType} */ { blockSize, typeSize }) =>
    String(Number(((typeSize * 8) / blockSize).toFixed(4)));
  const pages = tensorTypes.map((type) => {
    const of = fileTypes.filter(({ tensorType }) => tensorType === type.name);
    return page(
      typeUrl(type.name),
      type.name,
      `<p class="what">Tensor type ${type.id}</p>`,
      type.isRemoved ? REMOVED_TYPE : layoutOfType(type, bits(type)),
      of.length > 0
        ? `<h2>File types</h2>\n${list(
            of.map(
              ({ name, id, description }) =>
                `${link(`/format/file-types.html#${name}`, escape(name))} (${id}): ${prose(description)}`,
            ),
          )}`
        : "",
    );
  });
  const rows = tensorTypes.map((type) => [
    String(type.id),
    link(typeUrl(type.name), escape(type.name)),
    ...(type.isRemoved ? ["", "", "removed"] : [String(type.blockSize), String(type.typeSize), bits(type)]),
  ]);
  const intro = `<p>Each tensor has one of these types. A quantized type stores a block of elements in few bytes.
The package reads all of them but the removed ones, with the same bits as ggml.</p>`;
  const head = ["Number", "Type", "Elements in a block", "Bytes in a block", "Bits for each element"];
  return [page("/format/types/index.html", "Tensor types", intro, table(head, rows)), ...pages];
}

const REMOVED_TYPE = `<p>ggml removed this type, and its layout is no longer defined. llama.cpp refuses files that have it:
${check("removed-tensor-type")}. Get a newer file of the model, or convert the original model again.</p>`;

/** @param {TensorType} type @param {string} bits */
function layoutOfType({ id, blockSize, typeSize, isConvertible, fields }, bits) {
  const wide = fields.map(({ offset, width, count, stride }) =>
    [offset, width, count, count > 1 ? stride : ""].map(String),
  );
  const isBlock = blockSize > 1;
  return [
    isBlock
      ? `<p>A block has ${blockSize} elements in ${typeSize} bytes. The length of a row is a multiple of ${blockSize}: ${check("partial-block")}.</p>`
      : `<p>An element has ${typeSize} ${typeSize === 1 ? "byte" : "bytes"}.</p>`,
    facts([
      ["Number in files", String(id)],
      ["Elements in a block", String(blockSize)],
      ["Bytes in a block", String(typeSize)],
      ["Bits for each element", bits],
      [
        "Other byte order",
        isConvertible ? `${code("npx gguf-wasm convert-endian")} converts it` : "no program defines it",
      ],
    ]),
    isBlock && wide.length > 0
      ? `<h2>Numbers wider than a byte</h2>\n<p>Files of the other byte order store the bytes of these numbers in reverse. All other bytes of a block are the same in both.</p>\n${table(["Offset", "Bytes", "Count", "Distance"], wide)}`
      : "",
  ].join("\n");
}

/** @param {Tables} tables */
function fileTypesPage({ fileTypes }) {
  const rows = fileTypes.map(({ id, name, tensorType, isRemoved, description, alias, advice }) => [
    String(id),
    `<span id="${escape(name)}">${escape(name)}</span>${alias ? ` (${escape(alias)})` : ""}`,
    link(typeUrl(tensorType), escape(tensorType)),
    `${isRemoved ? "Removed. " : ""}${prose(description)}${advice ? ` ${prose(upperFirst(advice))}` : ""}`,
  ]);
  const intro = `<p>${key("general.file_type")} names the mixture of tensor types of a whole file. It is a number of its own, not that of a tensor type.
The check ${check("wrong-file-type")} compares it with the tensors.</p>`;
  return page(
    "/format/file-types.html",
    "File types",
    intro,
    table(["Number", "Name", "Most tensors", "Meaning"], rows),
  );
}

const PREFIXES = /** @type {Record<string, string>} */ ({
  model: "",
  block: "blk.{n}.",
  "encoder-block": "enc.blk.{n}.",
  "decoder-block": "dec.blk.{n}.",
});
const NEEDS = /** @type {Record<string, string>} */ ({
  required: "required",
  optional: "used if present",
  tied: "without it, <code>token_embd.weight</code> is used",
});

/** @param {Tables} tables */
function architecturePages(tables) {
  const { architectures, fileKinds } = tables;
  const keysOf = keyLists(tables);
  const tensorsOf = tensorTable(tables);
  const pages = architectures.map((architecture) => {
    const { name, title, llamaCppKeys, isInLlamaCpp } = architecture;
    const kind = fileKinds.find((one) => one.name === architecture.kind);
    const loads = llamaCppKeys
      ? "llama.cpp loads models of this architecture."
      : isInLlamaCpp
        ? "llama.cpp has the name, and does not load such files as models."
        : `This architecture is unknown, perhaps newer than llama.cpp b11549 (October 2026): ${check("unknown-architecture")}.`;
    return page(
      architectureUrl(name),
      title === name ? name : `${title} (${name})`,
      `<p>${loads} The value of ${key("general.architecture")} is ${code(name)}.</p>`,
      facts([
        ["Kind of file", kind ? link(kindUrl(kind.name), escape(kind.title)) : "follows from metadata and tensors"],
      ]),
      keysOf(architecture),
      tensorsOf(architecture),
    );
  });
  const rows = architectures.map(({ name, title, isInLlamaCpp, llamaCppKeys }) => [
    link(architectureUrl(name), code(name)),
    escape(title),
    llamaCppKeys ? "loads it" : isInLlamaCpp ? "has the name only" : "does not have it",
  ]);
  const intro = `<p>The architecture of a model is the value of ${key("general.architecture")}. It decides which keys and tensors llama.cpp of October 2026 reads.</p>`;
  const head = ["Architecture", "Title", "llama.cpp"];
  return [page("/format/architectures/index.html", "Architectures", intro, table(head, rows)), ...pages];
}

/** The lists of the keys that an architecture needs. @param {Tables} tables */
function keyLists({ keys }) {
  const patterns = new Set(keys.map(({ pattern }) => pattern));
  return (/** @type {Architecture} */ { name, llamaCppKeys, llamaCppConditionalKeys, specificationKeys }) => {
    const item = (/** @type {string} */ one) => {
      const pattern = one.startsWith(`${name}.`) ? `{arch}${one.slice(name.length)}` : one;
      return patterns.has(pattern) ? link(keyUrl(pattern), code(one)) : code(one);
    };
    const lists = [
      ["Required by llama.cpp", llamaCppKeys],
      ["Required by llama.cpp of some models", llamaCppConditionalKeys],
      ["Required by the specification", specificationKeys],
    ].flatMap(([title, of]) => (Array.isArray(of) && of.length > 0 ? `<h3>${title}</h3>\n${list(of.map(item))}` : []));
    const effect = llamaCppKeys
      ? `<p>Without a required key, llama.cpp refuses the file: ${check("missing-key")}.</p>`
      : "";
    return lists.length > 0 ? ["<h2>Keys</h2>", ...lists, effect].join("\n") : "";
  };
}

/** The table of the tensors that llama.cpp reads of an architecture. @param {Tables} tables */
function tensorTable({ tensorNames }) {
  const titles = new Map(tensorNames.map(({ base, title }) => [base, title]));
  const titleOf = (/** @type {string} */ name) =>
    titles.get(name.replace(/\.(weight|bias|scale|input_scale)$/, "").replaceAll("#", "{n}")) ?? "";
  return (/** @type {Architecture} */ { llamaCppTensors }) => {
    const rows = (llamaCppTensors ?? []).flatMap(({ names, place, need, alternative, isConditional }) =>
      names.map((name) => [
        code(`${PREFIXES[place] ?? ""}${name}`),
        escape(titleOf(name)),
        `${NEEDS[need] ?? need}${isConditional ? ", in some models or blocks" : ""}${alternative ? `, or ${code(alternative)}` : ""}`,
      ]),
    );
    const intro = `<h2>Tensors</h2>\n<p>Without a required tensor, llama.cpp refuses the file: ${check("missing-tensor")}. It refuses tensors that it does not know, too: ${check("unknown-tensor")}.</p>`;
    return rows.length > 0 ? intro + table(["Tensor", "Title", "Need"], rows) : "";
  };
}

/** @param {Tables} tables */
function tensorsPage({ tensorNames }) {
  const rows = tensorNames.map(({ base, title, description, sections }) => [
    sections.map(({ prefix }) => code(prefix + base)).join("<br>"),
    escape(title),
    prose(description),
  ]);
  const intro = `<p>The standard names of tensors, without their suffix, such as <code>.weight</code> and <code>.bias</code>.
<code>{n}</code> stands for a number, mostly that of a block.</p>`;
  return page("/format/tensors.html", "Tensor names", intro, table(["Name", "Title", "Purpose"], rows));
}

/** @param {Tables} tables */
function kindPages({ fileKinds, architectures }) {
  const pages = fileKinds.map(({ name, title, description, isCompleteModel }) => {
    const of = architectures.filter(({ kind }) => kind === name);
    return page(
      kindUrl(name),
      title,
      `<p class="what">${code(name)}</p>\n<p>${prose(description)}</p>`,
      isCompleteModel
        ? "<p>llama.cpp loads such a file as a model of its own. The checks ask for all keys and tensors that the architecture requires.</p>"
        : `<p>llama.cpp does not load such a file as a model of its own. The checks of complete models do not apply to it: ${check("not-a-model")}.</p>`,
      `<p>In JavaScript, ${code("gguf.kind")} is ${code(name)}, and ${code("gguf.classification.evidence")} says why.</p>`,
      of.length > 0
        ? `<h2>Architectures</h2>\n<p>All files of these architectures are of this kind.</p>\n${list(
            of.map((one) => `${link(architectureUrl(one.name), code(one.name))} ${escape(one.title)}`),
          )}`
        : "",
    );
  });
  const intro =
    "<p>A GGUF file is a model, or something that belongs to one. The kind follows from its metadata and tensors.</p>";
  const rows = fileKinds.map(({ name, title, description }) => [
    link(kindUrl(name), escape(title)),
    code(name),
    prose(description),
  ]);
  return [
    page("/format/kinds/index.html", "Kinds of files", intro, table(["Kind", "Name", "Purpose"], rows)),
    ...pages,
  ];
}

const SEVERITIES = /** @type {Record<string, string>} */ ({
  error: "Programs refuse the file, or get wrong data from it.",
  warning: "Programs load the file, but something is probably wrong.",
  info: "Nothing is wrong, but it is worth knowing.",
});

/** @param {Tables} tables */
function checkPages({ checks: checksOfFiles, setChecks, keys }) {
  const patterns = new Set(keys.map(({ pattern }) => pattern));
  const withKeys = (/** @type {string} */ text) =>
    prose(text).replaceAll(/<code>([^<]+)<\/code>/g, (html, name) => (patterns.has(name) ? key(name) : html));
  const checks = [...checksOfFiles, ...setChecks];
  const pages = checks.map(({ code: name, severity = "", meaning, advice }) => {
    // The first sentence of a meaning is what the check finds, the others are what readers do.
    const end = meaning.search(/\. (?=[A-Z`]|llama\.cpp)/) + 1;
    const [cause, effect] = end > 0 ? [meaning.slice(0, end), meaning.slice(end + 1)] : [meaning, ""];
    return page(
      checkUrl(name),
      name,
      `<p class="what"><span class="${severity}">${upperFirst(severity)}</span>: ${SEVERITIES[severity]}</p>`,
      facts([
        ["Cause", withKeys(cause)],
        ["Effect", withKeys(effect || String(SEVERITIES[severity]))],
        ["What to do", withKeys(advice)],
      ]),
      `<p>The viewer lists findings in the panel Checks, ${code("gguf.validate()")} returns them, and ${code("npx gguf-wasm validate model.gguf")} prints them.
A finding names the key, the tensor or the offset. If the program can mend the problem, the finding has a fix: a button in the viewer,
${code("editor.apply(fix)")} in a program, ${code("--fix")} on the command line. The guide ${link("/guides/check.html", "Check a file")} has an example.</p>`,
    );
  });
  const groups = Object.entries({ error: "Errors", warning: "Warnings", info: "Infos" }).map(([severity, title]) => {
    const rows = checks.filter((one) => one.severity === severity).map((one) => [check(one.code), prose(one.meaning)]);
    return `<h2>${title}</h2>\n<p>${SEVERITIES[severity]}</p>\n${table(["Code", "Meaning"], rows)}`;
  });
  const intro = `<p>What <code>gguf.validate()</code>, the viewer and <code>npx gguf-wasm validate</code> look for. A code never changes: programs read it.</p>`;
  return [page("/format/checks/index.html", "Checks", intro, ...groups), ...pages];
}

/** @param {Tables} tables */
function errorPages({ errorCodes, checks }) {
  const pages = errorCodes.map(({ code: name, meaning, advice }) =>
    page(
      errorUrl(name),
      name,
      `<p class="what">Error code</p>`,
      facts([
        ["Cause", prose(meaning)],
        ["Effect", `The call throws or rejects with a ${code("GgufError")} whose ${code("code")} is ${code(name)}.`],
        ["What to do", prose(advice)],
      ]),
      `<p>The message says what failed in this case, and names the key, the tensor, the offset or the address.</p>`,
      checks.some((one) => one.code === name)
        ? `<p>${link(checkUrl(name), "A check has the same code")}. It finds the problem in a file that is open.</p>`
        : "",
    ),
  );
  const rows = errorCodes.map(({ code: name, meaning }) => [link(errorUrl(name), code(name)), prose(meaning)]);
  const intro =
    "<p>An error of the package has a code for programs, which never changes, and a message for people.</p>";
  return [page("/format/errors/index.html", "Error codes", intro, table(["Code", "Meaning"], rows)), ...pages];
}
