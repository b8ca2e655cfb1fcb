import type { ClassAttributes, HTMLAttributes } from "react";

/** React listens to an event of a custom element if a property has its name after `on`. */
type Handlers<Events> = { [Name in keyof Events & string as `on${Name}`]?: (event: Events[Name]) => void };

/** What the component of an element takes: HTML attributes, its properties, and listeners for its events. */
export type ElementProps<Element, Properties, Events> = Omit<HTMLAttributes<Element>, keyof Properties> &
  ClassAttributes<Element> & { [Name in keyof Properties]?: Properties[Name] | undefined } & Handlers<Events>;
