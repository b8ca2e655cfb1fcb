import { runInNewContext } from "node:vm";
import { expect, test } from "@playwright/test";
import { bookmarklet } from "../../../www/src/app/bookmarklet.ts";
import { locationHash } from "../../../www/src/app/location-hash.ts";

/** What the bookmark does on a page: the addresses that it goes to, and the properties of the page that it reads. */
function use(page: string, on: string): { went: string[]; read: string[] } {
  const address = bookmarklet(page);
  expect(address.startsWith("javascript:")).toBe(true);
  // Everything after the scheme is decoded and run, as a browser does it.
  const script = decodeURIComponent(new URL(address).href.slice("javascript:".length));
  const [went, read]: [string[], string[]] = [[], []];
  const target = { href: on, assign: (url: string) => void went.push(url) };
  const location = new Proxy(target, {
    get: (of, name: "href") => (read.push(name), of[name]),
    set: () => {
      throw new Error("the bookmark sets nothing");
    },
  });
  // A result would replace the page.
  expect(runInNewContext(script, { location, encodeURIComponent })).toBeUndefined();
  return { went, read };
}

const { parse } = locationHash([]);

for (const page of [
  "https://viewer.example/",
  "https://viewer.example/a%20b/?x=%22%27&y=1",
  "http://localhost:8080/it's/(here)/",
]) {
  test(`the bookmark of ${page} opens what it is used on`, () => {
    for (const on of [
      "https://huggingface.co/owner/name",
      "https://huggingface.co/owner/name/blob/main/a%20b/model-Q4_K_M.gguf?download=true#L1",
      "https://huggingface.co/owner/name/tree/main?x=%26&view=tensors&tensor=y",
      "https://evil.example/\"');alert(1)//%22&key=x",
    ]) {
      const { went, read } = use(page, on);
      expect(read.sort()).toEqual(["assign", "href"]);
      expect(went).toHaveLength(1);
      expect(went[0]?.startsWith(`${page}#url=`)).toBe(true);
      expect(new URL(went[0] ?? "").origin).toBe(new URL(page).origin);
      // The whole address is the file, and no other field of the hash.
      expect(parse(new URL(went[0] ?? "").hash)).toEqual({ url: on });
    }
  });
}
