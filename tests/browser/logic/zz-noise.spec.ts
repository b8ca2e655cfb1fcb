import { test } from "@playwright/test";
import { parseTemplate } from "../../../www/src/template/parse-template.ts";
import { syntaxFacts } from "../../../www/src/template/syntax-facts.ts";
import { TEMPLATES } from "../../template/conversations.mjs";
test("x", () => {
  for (const [name, t] of Object.entries(TEMPLATES)) {
    const { program, tokens } = parseTemplate(t);
    if (!program) continue;
    const f = syntaxFacts(t, program, tokens);
    console.log(name, f.tests.length, f.tests.map(({ expression, values }) => `${expression}: ${values.join(",").slice(0, 90)}`).join(" ; "));
  }
});
