import { createRequire } from "node:module";

// The linter is one of the dashboard's packages.
const require = createRequire(`${import.meta.dirname}/../../dashboard/package.json`);
const js = require("@eslint/js");
const ts = require("typescript-eslint");

// Imports go one way: the entries know the core, the core knows neither Node nor the browser.
const forbidden = {
  core: ["node:*", "*/node/*", "*/browser/*"],
  node: ["*/browser/*"],
  browser: ["node:*", "*/node/*"],
  react: ["node:*", "*/node/*", "*/browser/*"],
  sentences: ["node:*", "*/node/*", "*/browser/*"],
};

export default ts.config(
  { ignores: ["build", "dist", "scripts/*.d.ts"] },
  js.configs.recommended,
  { files: ["scripts/**"], languageOptions: { globals: { console: "readonly" } } },
  {
    files: ["**/*.ts"],
    extends: [...ts.configs.strictTypeChecked],
    languageOptions: {
      parserOptions: { project: "./tests/tsconfig.json", tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      "max-lines": ["error", 600],
      "no-console": "error",
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/restrict-template-expressions": [
        "error",
        { allowNumber: true, allowNullish: true },
      ],
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
      "@typescript-eslint/no-unnecessary-condition": [
        "error",
        { allowConstantLoopConditions: true },
      ],
    },
  },
  ...Object.entries(forbidden).map(([folder, group]) => ({
    files: [`src/${folder}/**`],
    rules: { "no-restricted-imports": ["error", { patterns: [{ group }] }] },
  })),
);
