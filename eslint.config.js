import js from "@eslint/js";
import { defineConfig, globalIgnores } from "eslint/config";
import tseslint from "typescript-eslint";

export default defineConfig(
  globalIgnores([
    "pkg/",
    "pkg-viewer/",
    "target/",
    "www/dist/",
    "www/public/",
    "fuzz/",
    "tests/fixtures/types/",
    "**/test-results/",
    "**/playwright-report/",
  ]),
  js.configs.recommended,
  tseslint.configs.recommended,
  {
    // tsc knows the globals of each environment.
    rules: {
      "no-undef": "off",
      eqeqeq: ["error", "always", { null: "ignore" }],
      // `const { a, ...others } = object` leaves a member out.
      "@typescript-eslint/no-unused-vars": ["error", { ignoreRestSiblings: true }],
    },
  },
  {
    files: ["www/src/**/*.ts"],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      "@typescript-eslint/no-floating-promises": "error",
      "@typescript-eslint/no-misused-promises": "error",
      "@typescript-eslint/await-thenable": "error",
      "max-lines-per-function": ["error", { max: 60, skipBlankLines: true, skipComments: true }],
    },
  },
);
