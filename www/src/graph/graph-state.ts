/** The state of the graph that a link to the page contains: what is open, chosen, searched, and how it is shown. */

import { formatList, formatShortText, parseList, parseShortText, type StateField } from "../ui/state-field.ts";

export const COLOURINGS = [
  { name: "part", title: "Part" },
  { name: "bits", title: "Bits" },
  { name: "size", title: "Size" },
  { name: "device", title: "Device" },
  { name: "error", title: "Error" },
] as const;

export type Colouring = (typeof COLOURINGS)[number]["name"];

/** An absent member has its default. Boxes are named by their ids. */
export interface GraphState {
  /** The boxes that are open, and those that are folded, other than at the beginning. `ALL` opens every box. */
  readonly open?: readonly string[] | undefined;
  readonly folded?: readonly string[] | undefined;
  readonly box?: string | undefined;
  readonly colour?: Colouring | undefined;
  readonly search?: string | undefined;
  /** The graph as a list. */
  readonly as?: "list" | undefined;
  /** The zoom, in percent with one decimal. Absent: one at which the texts can be read. */
  readonly zoom?: number | undefined;
}

/** What stands for all boxes. No box has this id. */
const ALL = "*";
/** The zoom in percent. */
export const ZOOM = { least: 20, most: 250 } as const;

export const GRAPH_STATE_FIELDS: readonly StateField<GraphState>[] = [
  { name: "open", format: ({ open }) => formatList(open), parse: (encoded) => idsOf("open", encoded) },
  { name: "folded", format: ({ folded }) => formatList(folded), parse: (encoded) => idsOf("folded", encoded) },
  { name: "box", format: ({ box }) => formatShortText(box), parse: (encoded) => textOf("box", encoded) },
  {
    name: "colour",
    format: ({ colour = "" }) => colour,
    parse: (encoded) => {
      const colour = COLOURINGS.find(({ name }) => name === encoded)?.name;
      return colour && { colour };
    },
  },
  { name: "search", format: ({ search }) => formatShortText(search), parse: (encoded) => textOf("search", encoded) },
  { name: "as", format: ({ as = "" }) => as, parse: (encoded) => (encoded === "list" ? { as: "list" } : undefined) },
  {
    name: "zoom",
    format: ({ zoom }) => (zoom === undefined ? "" : String(zoom)),
    parse: (encoded) => {
      const zoom = /^\d{1,3}(?:\.\d)?$/.test(encoded) ? Number(encoded) : undefined;
      return zoom !== undefined && zoom >= ZOOM.least && zoom <= ZOOM.most ? { zoom } : undefined;
    },
  },
];

function idsOf(member: "open" | "folded", encoded: string): GraphState | undefined {
  const ids = parseList(encoded);
  return ids.length > 0 ? { [member]: ids } : undefined;
}

function textOf(member: "box" | "search", encoded: string): GraphState | undefined {
  const text = parseShortText(encoded);
  return text === "" ? undefined : { [member]: text };
}

/** The state without members that have their defaults, in one order, so that equal states are equal as JSON. */
export function tidied({ open = [], folded = [], box, colour, search = "", as, zoom }: GraphState): GraphState {
  return {
    ...(open.length > 0 ? { open } : {}),
    ...(folded.length > 0 ? { folded } : {}),
    ...(box === undefined ? {} : { box }),
    ...(colour === undefined || colour === "part" ? {} : { colour }),
    ...(search === "" ? {} : { search }),
    ...(as === undefined ? {} : { as }),
    ...(zoom === undefined ? {} : { zoom }),
  };
}

/** What a state must know of a box. */
interface Foldable {
  readonly id: string;
  /** Whether it is open at the beginning. */
  readonly isOpen?: boolean;
}

export function isOpenIn({ open = [], folded = [] }: GraphState, { id, isOpen = false }: Foldable): boolean {
  return !folded.includes(id) && (isOpen || open.includes(id) || open.includes(ALL));
}

/** The state in which a box is open or folded. */
export function withOpen(state: GraphState, { id, isOpen = false }: Foldable, opens: boolean): GraphState {
  const without = (ids: readonly string[] = []) => ids.filter((one) => one !== id);
  const [open, folded] = [without(state.open), without(state.folded)];
  const wasOpen = isOpen || open.includes(ALL);
  return tidied({
    ...state,
    open: opens && !wasOpen ? [...open, id] : open,
    folded: !opens && wasOpen ? [...folded, id] : folded,
  });
}

/** The state in which all boxes are open, or are as at the beginning. */
export function withAll(state: GraphState, opens: boolean): GraphState {
  return tidied({ ...state, open: opens ? [ALL] : [], folded: [] });
}
