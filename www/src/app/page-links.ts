/** The links of the page to files and rows. */

import type { GgufViewer } from "../viewer/viewer.ts";
import { relativeAddress } from "./history-state.ts";
import { formatHash } from "./page-hash.ts";

export const SAMPLE = formatHash({ url: "sample.gguf" });
/** A link that opens another file at an entry or a tensor. */
export const rowLink: GgufViewer["rowLink"] = (url, row) =>
  formatHash({ url: relativeAddress(url), view: row.key === undefined ? "tensors" : "metadata", ...row });

/** The link to a file on this page. */
export const linkTo = (url: string) => formatHash({ url });

/** The link to the files of a repository. */
export const repositoryLink = (place: string) => formatHash({ repo: place });

/** The link to the conversion of the model of a repository. */
export const convertLink = (place: string) => formatHash({ repo: place, "repo.as": "gguf" });
