/** The order of what the page asks for first. */

import type { Plugin } from "vite";

/** A script in the head that blocks the parser. */
const BLOCKING = / *<script\s+src="([^"]+)"><\/script>\n/g;

/**
 * Moves scripts that block the parser behind all links of the head, and preloads them in their places. A browser usually looks for links
 * behind such a script while the script is fetched. Chromium does not if the page contains its Content-Security-Policy: it would ask for
 * the modules after the last of these scripts has come, a round trip later for each.
 */
export function blockingScriptsLast(): Plugin {
  return {
    name: "blocking-scripts-last",
    transformIndexHtml: {
      // Behind the links to the modules, which are added first.
      order: "post",
      handler: (page) => {
        const scripts = page.match(BLOCKING) ?? [];
        const links = page.replace(
          BLOCKING,
          (_, address) => `    <link rel="preload" as="script" href="${address}" />\n`,
        );
        return links.replace(/ *<\/head>/, (end) => scripts.join("") + end);
      },
    },
  };
}
