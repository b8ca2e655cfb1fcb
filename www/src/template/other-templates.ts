/** The chat templates of another model: of a repository on Hugging Face, or of a GGUF file. */

import type { MetadataValue } from "gguf-wasm/explain";
import type { Failure } from "../gguf/failure.ts";
import { type HubOptions, hubText } from "../gguf/hub-text.ts";
import { HUB, repositoryPage } from "../gguf/repository-place.ts";
import { templateNameOf } from "./template-list.ts";

export interface NamedTemplate {
  /** "" for the default template. */
  readonly name: string;
  readonly text: string;
}

/** The templates of another model, the default one first. There is at least one. */
export interface OtherTemplates {
  /** The repository, or the name of the file. */
  readonly title: string;
  readonly templates: readonly NamedTemplate[];
}

/** The most bytes of a template, and of a JSON file: the tokens of some models make it long. */
const MOST_TEMPLATE_BYTES = 2_000_000;
const MOST_JSON_BYTES = 16_000_000;
/** The most templates of a model. Real ones have one to three. */
const MOST_TEMPLATES = 20;

/** The files that may have the templates, in the order of transformers. */
const FILES = [
  { name: "chat_template.jinja", most: MOST_TEMPLATE_BYTES, read: (text: string) => [{ name: "", text }] },
  { name: "tokenizer_config.json", most: MOST_JSON_BYTES, read: templatesOfJson },
  { name: "chat_template.json", most: MOST_JSON_BYTES, read: templatesOfJson },
];

/** The address of the files of a place: `owner/name`, with or without `@revision` and `/folder`. */
function folderOf(place: string): string {
  const page = repositoryPage(place);
  const [, revision = "main", folder = ""] =
    /^(?:@([^/]*))?(.*)$/s.exec(place.slice(page.length - `${HUB}/`.length)) ?? [];
  return `${page}/resolve/${revision}${folder.split("/").map(encodeURIComponent).join("/")}`;
}

/**
 * Asks the hub for the templates of a place, one file after the other: `owner/name`, with or without `@revision` and `/folder`. Throws only
 * if the signal is aborted.
 */
export async function hubTemplates(
  place: string,
  options: HubOptions,
): Promise<OtherTemplates | { readonly failure: Failure }> {
  let url = "";
  for (const { name, most, read } of FILES) {
    url = `${folderOf(place)}/${name}`;
    const answer = await hubText({ url, about: "template", most, redirects: true }, options);
    if (answer.failure) {
      if (answer.failure.status === 404) continue;
      return { failure: answer.failure };
    }
    const templates = read(answer.text);
    if (templates === undefined)
      return { failure: { code: "bad-response", message: `${name} is not valid JSON`, about: "template", url } };
    if (templates.length > 0) return { title: place, templates };
  }
  return { failure: { code: "no-template", message: `${place} has no template`, about: "template", url } };
}

/**
 * The templates of a configuration: a text, or a list of `{ name, template }`. Undefined if the text is no JSON object; none if it has no
 * template.
 */
export function templatesOfJson(text: string): NamedTemplate[] | undefined {
  let config: unknown;
  try {
    config = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof config !== "object" || config === null) return undefined;
  const { chat_template: given } = config as { chat_template?: unknown };
  if (typeof given === "string") return [{ name: "", text: given }];
  if (!Array.isArray(given)) return [];
  const named = given.slice(0, MOST_TEMPLATES).flatMap((one: unknown): NamedTemplate[] => {
    const { name, template } = (one ?? {}) as Partial<Record<string, unknown>>;
    if (typeof name !== "string" || typeof template !== "string") return [];
    return [{ name: name === "default" ? "" : name, text: template }];
  });
  return defaultFirst(named);
}

/** The templates of a GGUF file. */
export function templatesOfEntries(metadata: ReadonlyMap<string, MetadataValue>): NamedTemplate[] {
  const named = [...metadata].flatMap(([key, value]): NamedTemplate[] => {
    const name = templateNameOf(key);
    return name === undefined || typeof value !== "string" ? [] : [{ name, text: value }];
  });
  return defaultFirst(named).slice(0, MOST_TEMPLATES);
}

function defaultFirst(templates: readonly NamedTemplate[]): NamedTemplate[] {
  return [...templates].sort((a, b) => Number(a.name !== "") - Number(b.name !== ""));
}
