// The types of the packed package in a strict TypeScript program.

import { after, before, test } from "node:test";
import { createProject, npmScript } from "../project.mjs";

/** @type {import("../project.mjs").Project} */
let project;
before(async () => {
  project = await createProject();
});
after(() => project?.remove());

for (const module of ["nodenext", "preserve"]) {
  test(`they check with strict, skipLibCheck: false and module: ${module}`, async () => {
    const resolution = module === "preserve" ? ["--moduleResolution", "bundler"] : [];
    const options = ["--noEmit", "--strict", "--skipLibCheck", "false", "--target", "es2022"];
    const lib = ["--lib", "es2022,dom,dom.iterable,dom.asynciterable"];
    await npmScript(
      "typescript/bin/tsc",
      [...options, ...lib, "--module", module, ...resolution, "types-main.ts", "types-reader.ts"],
      project.dir,
    );
  });
}
