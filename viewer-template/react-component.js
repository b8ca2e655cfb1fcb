"use client";

import { createElement, useCallback, useLayoutEffect, useRef, useSyncExternalStore } from "react";

const subscribe = () => () => {};
const inBrowser = () => true;
const onServer = () => false;

/** What React takes over from the HTML of a server, or applies to it. */
const TAKEN_OVER = new Set(["children", "ref", "style"]);

/**
 * Makes the component of an element, for pages that a server renders. When React takes over such a page, it does not listen to the events
 * of custom elements and sets no properties: it expects that attributes say all. So these are left out at first, and given when the page is
 * taken over.
 */
export function component(tag) {
  return function Component(props) {
    const isTakenOver = useSyncExternalStore(subscribe, inBrowser, onServer);
    const element = useRef(null);
    const { ref: given } = props;
    const ref = useCallback(
      (node) => {
        element.current = node;
        if (typeof given === "function") return given(node);
        if (given) given.current = node;
      },
      [given],
    );
    useLayoutEffect(() => {
      const { gguf, failure } = element.current ?? {};
      if (!isTakenOver) return;
      // The file was open, or had failed, before anybody listened. Only the listeners of this element hear of it again.
      if (gguf) element.current.dispatchEvent(new CustomEvent("gguf-open", { detail: gguf }));
      if (failure) element.current.dispatchEvent(new CustomEvent("gguf-error", { detail: failure }));
    }, [isTakenOver]);
    return createElement(tag, { ...(isTakenOver ? props : attributesOf(props)), ref });
  };
}

function attributesOf(props) {
  const isAttribute = ([name, value]) =>
    TAKEN_OVER.has(name) || !(typeof value === "function" || (typeof value === "object" && value !== null));
  // The element may have set its style before.
  return { ...Object.fromEntries(Object.entries(props).filter(isAttribute)), suppressHydrationWarning: true };
}
