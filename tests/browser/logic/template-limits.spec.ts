/** Templates that would use up the memory of the page. The length of a result is bounded before it is made. */

import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "@playwright/test";
import { renderTemplate } from "../../../www/src/template/render-template.ts";

const render = (template: string, variables: Record<string, unknown> = {}) =>
  renderTemplate({ template, messages: [], addGenerationPrompt: false, variables });

const TOO_MUCH = { kind: "limit", message: "The template makes more than 128 MiB of texts and lists." };

/** Sets `ns.y` to a text that is doubled some times. */
const doubled = (times: number, text = "y") =>
  `{% set ns = namespace(y='${text}') %}{% for i in range(${times}) %}{% set ns.y = ns.y ~ ns.y %}{% endfor %}`;
/** Sets `ns.l` to nested lists. Each list contains the next one twice, so a few lists have 2²⁶ texts. */
const shared = "{% set ns = namespace(l=['x']) %}{% for i in range(26) %}{% set ns.l = [ns.l, ns.l] %}{% endfor %}";
/** Keeps a value for each of many steps. */
const kept = (value: string, before = "") =>
  `{% set all = namespace(l=[]) %}${before}{% for i in range(99999) %}{% for j in range(99) %}{% set all.l = [all.l, ${value}] %}{% endfor %}{% endfor %}`;
const pairs =
  "{% set ns = namespace(l=[]) %}{% for i in range(2000) %}{% set ns.l = ns.l + [['k' ~ i, i]] %}{% endfor %}";
const members = Array.from({ length: 2000 }, (_, index) => `'k${index}': 1`).join();

/** Templates by the operation that makes too much. */
const TEMPLATES: Readonly<Record<string, string>> = {
  "join of many numbers with a long text": `${doubled(12)}{{ range(99999) | join(ns.y) }}`,
  "join of a text": `${doubled(20)}{% set z = ns.y | join(separator='${"y".repeat(99)}') %}`,
  "replace, the filter": `${doubled(14)}{% set z = ns.y | replace('y', ns.y) %}`,
  "replace, the method": `${doubled(14)}{% set z = ns.y.replace('y', ns.y) %}`,
  "replace of nothing": `${doubled(14)}{% set f = ns.y.replace %}{% set z = f('', ns.y, 16000) %}`,
  "replace of a long pattern": `${doubled(22, "a.")}{% set z = 'b'.replace(ns.y, '') %}`,
  "indent of many lines": `${doubled(14, "\\n")}{% set z = ns.y | indent(9999, true, true) %}`,
  "a wide indent": "{% set z = 'a\\nb' | indent(width=99999999) %}",
  "an indent of JSON": "{% set z = [1] | tojson(indent=99999999) %}",
  "an indent of empty JSON": "{% set z = [] | tojson(indent=99999999) %}",
  "separators of JSON": `${doubled(16)}{% set z = range(9999) | tojson(separators=(ns.y, ':')) %}`,
  "escapes of JSON": `${doubled(24, "\\x01")}{% set z = ns.y | tojson(ensure_ascii=true) %}`,
  "escapes of a source": `${doubled(24, "\\x01")}{% set z = [ns.y] | string %}`,
  "shared lists as JSON": `${shared}{% set z = ns.l | tojson %}`,
  "shared lists that are written": `${shared}{{ ns.l }}`,
  "shared lists as a text": `${shared}{% set z = ns.l | string %}`,
  "shared lists that are joined": `${shared}{% set z = ns.l | join %}`,
  "shared lists after a text": `${shared}{% set z = 'a' + ns.l %}`,
  "a text after shared lists": `${shared}{% set z = ns.l ~ 'a' %}`,
  "shared lists as a reason": `${shared}{{ raise_exception(ns.l) }}`,
  "shared lists as a format": `${shared}{{ strftime_now(ns.l) }}`,
  "shared lists of a call block": `${shared}{% set f = {'k': ns.l}.get %}{% call f('k') %}{% endcall %}`,
  "shared lists of a filter block": `${shared}{% filter default(ns.l, true) %}{% endfilter %}`,
  "a long format of a time": `${doubled(24, "%B")}{% set z = strftime_now(ns.y) %}`,
  "~": doubled(64),
  "+ of texts": `{% set a = 'y' %}${"{% set a = a + a %}".repeat(40)}`,
  "+ of lists": `{% set a = [1] %}${"{% set a = a + a %}".repeat(40)}`,
  "a macro": `{% macro m(a) %}{{ a }}{{ a }}{% endmacro %}{% set a = 'y' %}${"{% set a = m(a) %}".repeat(40)}`,
  "set blocks": `{% set a = 'y' %}${"{% set a %}{{ a }}{{ a }}{% endset %}".repeat(28)}`,
  "filter blocks": `{% set a = 'y' %}${"{% set a %}{% filter trim %}{{ a }}{{ a }}{% endfilter %}{% endset %}".repeat(28)}`,
  "letters that become three": `${doubled(24, "ΐ")}{% set z = ns.y | upper %}`,
  "a comparison with upper case": `${doubled(24, "ΐ")}{% if ns.y is upper %}{% endif %}`,
  "the path of an attribute": `${doubled(24, ".")}{% set z = [{'a': 1}] | map(attribute=ns.y) %}`,
  "a text backwards": `${doubled(24, "€")}{% set z = ns.y[::-1] %}`,
  "parts of a text": kept("ns.y[1:]", doubled(20, "€")),
  "pieces of a text": kept("ns.y.split('y')", doubled(18)),
  slices: kept("list[:]", "{% set list = range(99999) %}"),
  namespaces: kept("namespace(ns.l)", pairs),
  "members of an object": kept("d | items", `{% set d = {${members}} %}`),
  "many steps": `{% set ns = namespace(l=range(99999)) %}${"{% set ns.l = ns.l + ns.l %}".repeat(5)}{% for i in ns.l %}{% endfor %}`,
  "many arguments": `{% set ns = namespace(l=range(99999)) %}${"{% set ns.l = ns.l + ns.l %}".repeat(6)}{{ namespace(*ns.l) }}`,
  "a long literal": `{% for i in range(99999) %}${"a".repeat(9999)}{% endfor %}`,
};

test("the length of a result is bounded before it is made", () => {
  for (const [operation, template] of Object.entries(TEMPLATES))
    expect(render(template).problem, operation).toEqual(TOO_MUCH);
});

test("the worker renders these templates with little memory", () => {
  // Templates that keep many small values take longer.
  const templates = Object.values(TEMPLATES).filter((template) => !template.includes("all.l"));
  const assets = new URL("../../../www/dist/assets/", import.meta.url);
  const worker = readdirSync(fileURLToPath(assets)).find((name) => /^template-worker-.*\.js$/.test(name));
  expect(worker).toBeDefined();
  // The worker removes the globals of its realm.
  const script = `
    const [templates, { stdout }] = [${JSON.stringify(templates)}, process];
    const kinds = [];
    Object.assign(globalThis, { self: globalThis, postMessage: (message) => kinds.push(message.response?.problem?.kind) });
    await import(${JSON.stringify(new URL(String(worker), assets).href)});
    for (const template of templates) {
      const request = { kind: "render", input: { template, messages: [], addGenerationPrompt: true, variables: {} } };
      const before = kinds.length;
      onmessage({ data: { id: 1, job: "run", request } });
      for (let turn = 0; turn < 9 && kinds.length === before; turn += 1) await undefined;
    }
    stdout.write(JSON.stringify(kinds.slice(1)));`;
  // Without a limit, each template needs more than 500 MB, and Node ends.
  const node = spawnSync(process.execPath, ["--max-old-space-size=400", "--input-type=module", "-e", script]);
  expect(node.stderr.toString().slice(0, 1000)).toBe("");
  expect(JSON.parse(node.stdout.toString())).toEqual(templates.map(() => "limit"));
});

test("a rendering that ends has its whole text", () => {
  expect(render("{{ range(100000) | length }}").rendering?.text).toBe("100000");
  const pieces = { text: "x,".repeat(2 ** 19) };
  expect(render("{{ text.split(',') | length }}", pieces).rendering?.text).toBe("524289");
  expect(render("{{ raise_exception(text) }}", pieces).problem?.message.length).toBe(10_000);
  const long = render("{% for i in range(1100) %}{{ x }}{% endfor %}", { x: "y".repeat(1000) }).rendering;
  expect(long).toEqual({ text: "y".repeat(1_000_000), isCut: true });
});

test("a range over shared lists is refused before their text is made", () => {
  const { problem } = render(`${shared}{{ range(ns.l) }}`);
  expect(problem).toEqual({ kind: "run-time", message: "range() takes whole numbers." });
});

test("limits of ranges and of calls have their own messages", () => {
  const range = /^range\(\) has more than 100000 elements/;
  expect(render("{% for i in range(100001) %}{% endfor %}").problem?.message).toMatch(range);
  expect(render("{{ range(10 ** 300) }}").problem?.message).toMatch(range);
  expect(render("{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}").problem?.message).toMatch(/calls itself too often/);
  expect(render("{% set ns = namespace(l=0) %}{% set ns.l = [ns, ns] %}{{ ns }}").problem?.kind).toBe("limit");
});

test("parts of a text are those of Python, whose characters are code points", () => {
  const text = "a😀b€c";
  for (const [slice, part] of [
    ["[1:]", "😀b€c"],
    ["[:2]", "a😀"],
    ["[-4:-1]", "😀b€"],
    ["[-9:1]", "a"],
    ["[3:1]", ""],
    ["[:9]", text],
    ["[::2]", "abc"],
    ["[::-1]", "c€b😀a"],
  ])
    expect(render(`{{ text${slice} }}`, { text }).rendering?.text, slice).toBe(part);
});
