/** What the palette finds in an open file. */

import { keyInfo, tokenizerModels } from "../gguf/library.ts";
import { valueText } from "../metadata/metadata-rows.ts";
import { type OpenFile, panelsOf, type View } from "../panels.ts";
import { lastListed } from "../repository/listing.ts";
import { fileWords, otherFiles } from "../repository/siblings.ts";
import { Vocabulary } from "../tokenizer/vocabulary.ts";
import { formatId } from "../ui/numbers.ts";
import { truncate } from "../ui/text.ts";
import { listSource, type PaletteItem, type PaletteSource } from "../ui/palette-source.ts";

/** The longest part of a value or a name, in UTF-16 units. A value may have megabytes. */
const LONGEST = 80;
const LONGEST_NAME = 200;

interface Ways {
  /** Shows a panel. */
  readonly show: (view: View) => void;
  /** Sends an event to the viewer, which shows rows. */
  readonly tell: (event: string, detail: unknown) => void;
}

/** The panels of a file, its actions, and its keys, tensors and tokens. */
export function fileSources(file: OpenFile, actions: readonly PaletteItem[], ways: Ways): PaletteSource[] {
  const panels = panelsOf(file).map(({ name, title, group }) => ({
    title,
    about: group === "tool" ? "Tool" : "Panel",
    run: () => ways.show(name),
  }));
  return [
    listSource("Panels", panels, { isListed: true }),
    listSource("Actions", actions, { isListed: true }),
    keySource(file, ways),
    tensorSource(file, ways),
    ...tokenSource(file, ways),
    ...siblingSource(file, ways),
  ];
}

/** The other files of the repository, once they have been listed. */
function siblingSource({ hubFile }: OpenFile, { tell }: Ways): PaletteSource[] {
  const listed = hubFile && lastListed(hubFile.place, hubFile.headers);
  if (!listed) return [];
  const files = otherFiles(listed, hubFile.address).flat();
  const items = files.map((file) => ({
    title: truncate(file.name, LONGEST_NAME),
    about: fileWords(file),
    run: () => tell("gguf-open-shard", { source: file.url, isAlone: false }),
  }));
  return [listSource(`Files of ${hubFile.place}`, items)];
}

function keySource({ edits, entries }: OpenFile, { tell }: Ways): PaletteSource {
  const rows = (edits?.rows ?? entries).filter(({ mark }) => mark !== "removed");
  return {
    title: "Metadata",
    length: rows.length,
    texts: (from, to) => rows.slice(from, to).map(({ entry }) => truncate(entry.key, LONGEST_NAME)),
    item: (at) => {
      const { entry, position } = rows[at] as (typeof rows)[number];
      const title = keyInfo(entry.key)?.title;
      const value = truncate(valueText(entry.value, entry.type), LONGEST);
      return {
        title: truncate(entry.key, LONGEST_NAME),
        about: title === undefined ? value : `${title}: ${value}`,
        run: () => tell("gguf-show-row", { key: entry.key, index: position }),
      };
    },
  };
}

function tensorSource({ gguf, edits, model }: OpenFile, { tell }: Ways): PaletteSource {
  const tensors = edits?.tensors ?? model.set?.tensors ?? gguf.tensors;
  return {
    title: "Tensors",
    length: tensors.length,
    texts: (from, to) => tensors.slice(from, to).map(({ name }) => truncate(name, LONGEST_NAME)),
    item: (at) => {
      const { name, type, dimensions } = tensors[at] as (typeof tensors)[number];
      return {
        title: truncate(name, LONGEST_NAME),
        about: `${type} · ${dimensions.join(" × ")}`,
        run: () => tell("gguf-show-row", { tensor: name }),
      };
    },
  };
}

/** The tokens, found by their stored texts. Nearly every token has some letters of a word, so the letters must stand together. */
function tokenSource({ gguf, edits }: OpenFile, { tell }: Ways): PaletteSource[] {
  const vocabulary = Vocabulary.of(edits?.metadata ?? gguf.metadata, tokenizerModels());
  if (!vocabulary) return [];
  return [
    {
      title: "Tokens",
      length: vocabulary.size,
      isStrict: true,
      texts: (from, to) => {
        vocabulary.readUpTo(to);
        return Array.from({ length: to - from }, (_, at) => truncate(vocabulary.stored(from + at), LONGEST_NAME));
      },
      item: (id) => ({
        title: truncate(vocabulary.stored(id), LONGEST),
        about: `Token ${formatId(id)}`,
        run: () => tell("gguf-show-tokens", { filter: String(id), search: "id" }),
      }),
    },
  ];
}
