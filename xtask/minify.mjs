// Prints the scripts of a folder without comments and spaces, as an object by their names. Functions of scripts keep their names, which
// stacks of errors show.

import { readdirSync, readFileSync } from "node:fs";
import { minifySync } from "rolldown/utils";
import { breakLines } from "./break-lines.mjs";

const [folder = ""] = process.argv.slice(2);

/** @param {string} name */
function minified(name) {
  const text = readFileSync(`${folder}/${name}`, "utf8");
  const { code, errors } = minifySync(name, text, {
    module: true,
    compress: { target: "es2022" },
    mangle: { toplevel: false },
  });
  if (errors.length > 0) throw new Error(`${name}: ${errors.map(({ message }) => message).join(", ")}`);
  return `${breakLines(name, code)}\n`;
}

const names = readdirSync(folder).filter((name) => name.endsWith(".js"));
console.log(JSON.stringify(Object.fromEntries(names.map((name) => [name, minified(name)]))));
