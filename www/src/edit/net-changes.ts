/**
 * The difference between the original file and the edited one, from the steps of an editor: several steps at one place are one change, and steps
 * that cancel each other are none.
 */

import type { Change } from "gguf-wasm/full";

/** A change with the steps that made it, in their order. */
export interface NetChange extends Change {
  readonly steps: readonly Change[];
}

/** A change while the steps are read. It is dropped if later steps cancel it. */
interface Place {
  net: NetChange | undefined;
}

/** The net difference that steps make, in the order of their first steps. */
export function netChanges(steps: readonly Change[]): NetChange[] {
  const changes = new Changes();
  for (const step of steps) changes.add(step);
  return changes.list;
}

class Changes {
  readonly #places: Place[] = [];
  /** The places by the subject of a change: an entry or a tensor, and what of it has changed. */
  readonly #open = new Map<string, Map<string, Place>>();

  get list(): NetChange[] {
    return this.#places.flatMap(({ net }) => (net === undefined || isNothing(net) ? [] : [net]));
  }

  add(step: Change): void {
    const subject = subjectOf(step);
    const places = this.#open.get(subject) ?? new Map<string, Place>();
    this.#open.set(subject, places);
    const added = places.get("add");
    const aspect = aspectOf(step);
    if (aspect === "remove") {
      this.#remove(step, places);
      this.#open.delete(subject);
    } else if (added?.net && isOfAdded(aspect)) added.net = joinAdded(added.net, step);
    else {
      const before = aspect === undefined ? undefined : places.get(aspect);
      if (before?.net) before.net = join(before.net, step);
      else {
        const place = { net: { ...step, steps: [step] } };
        this.#places.push(place);
        // Inserted elements move those after them, and a change of elements ends that of the whole value, so neither is joined with later steps.
        for (const name of [...places.keys()]) if (isEndedBy(name, aspect)) places.delete(name);
        if (aspect !== undefined) places.set(aspect, place);
        else places.set(`apart ${this.#places.length}`, place);
      }
    }
  }

  /** A removal stands for all changes of the entry or tensor. Of an added entry, nothing is left. */
  #remove(step: Change, places: Map<string, Place>): void {
    const earlier = [...places.values()].flatMap(({ net }) => net ?? []);
    for (const place of places.values()) place.net = undefined;
    if (earlier.some(({ kind }) => kind === "add")) return;
    const [value, name] = [earlier.find(isOfValue), earlier.find(isOfName)];
    const steps = [...earlier.flatMap((net) => net.steps), step];
    this.#places.push({
      net: {
        ...step,
        ...pick(value, "from", "fromType"),
        ...pick(name, "key", "tensor"),
        steps,
      },
    });
  }
}

function subjectOf({ kind, entryId, tensorId }: Change): string {
  if (tensorId !== undefined) return `tensor ${tensorId}`;
  return entryId === undefined ? kind : `entry ${entryId}`;
}

/** What a step changes of its subject. Undefined if it is not joined with other steps. */
function aspectOf({ kind, index }: Change): string | undefined {
  switch (kind) {
    case "set":
    case "retype":
      return "value";
    case "rename":
    case "rename-tensor":
      return "name";
    case "set-element":
      return `element ${index}`;
    case "remove":
    case "remove-tensor":
      return "remove";
    case "add":
    case "move":
    case "version":
    case "byte-order":
      return kind;
    default:
      return undefined;
  }
}

/** Whether a step on an added entry is a part of adding it. */
function isOfAdded(aspect: string | undefined): boolean {
  return aspect === "value" || aspect === "name" || aspect === "move";
}

function isEndedBy(name: string, aspect: string | undefined): boolean {
  if (name === "value") return aspect === undefined || aspect.startsWith("element ");
  return name.startsWith("element ") && (aspect === undefined || aspect === "value");
}

const isOfValue = ({ kind }: Change) => kind === "set" || kind === "retype";
const isOfName = ({ kind }: Change) => kind === "rename" || kind === "rename-tensor";

/** The members of a change that it has. */
function pick<Name extends keyof Change>(change: Change | undefined, ...names: Name[]): Partial<Change> {
  return Object.fromEntries(names.flatMap((name) => (change?.[name] === undefined ? [] : [[name, change[name]]])));
}

/** A change with a later step at the same place. */
function join(net: NetChange, step: Change): NetChange {
  const kind = net.kind === step.kind ? net.kind : "set";
  const { from: _before, fromType: _beforeType, to: _after, toType: _afterType, index: _index, ...rest } = net;
  return {
    ...rest,
    kind,
    ...pick(net, "from", "fromType"),
    ...pick(step, "to", "toType", "index"),
    ...(step.toType === undefined ? pick(net, "toType") : {}),
    steps: [...net.steps, step],
  };
}

/** An added entry with a later step. */
function joinAdded(net: NetChange, step: Change): NetChange {
  const steps = [...net.steps, step];
  if (isOfName(step)) return { ...net, ...(typeof step.to === "string" ? { key: step.to } : {}), steps };
  if (step.kind === "move") return { ...net, ...pick(step, "index"), steps };
  const { to: _after, ...rest } = net;
  return { ...rest, ...pick(step, "to", "toType"), steps };
}

/** Whether steps have cancelled each other. Arrays are not compared: that takes time, and each change copies them. */
function isNothing({ kind, from, to, fromType, toType, steps }: NetChange): boolean {
  if (steps.length < 2 || kind === "add" || kind === "remove" || kind === "remove-tensor") return false;
  return from !== undefined && typeof from !== "object" && Object.is(from, to) && fromType === toType;
}
