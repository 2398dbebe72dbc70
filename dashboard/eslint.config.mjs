import { readdirSync } from "node:fs";
import js from "@eslint/js";
import hooks from "eslint-plugin-react-hooks";
import ts from "typescript-eslint";

// Imports go one way: app -> features -> ui -> api, and no feature knows another.
const folders = readdirSync("src", { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name);
const features = folders.filter((name) => !["app", "ui", "api"].includes(name));
const above = {
  api: ["ui", "app", ...features],
  ui: ["app", ...features],
  ...Object.fromEntries(
    features.map((name) => [name, ["app", ...features.filter((other) => other !== name)]]),
  ),
};

export default ts.config(
  { ignores: ["src/api/schema.d.ts", "src/api/checks.ts"] },
  js.configs.recommended,
  ...ts.configs.strict,
  { files: ["src/**"], ...hooks.configs.flat["recommended-latest"] },
  {
    files: ["src/**"],
    rules: {
      "max-lines": ["error", 600],
      "no-console": "error",
      "no-restricted-syntax": [
        "error",
        {
          selector: "JSXAttribute[name.name='color'][value.value=/^text[.]/]",
          message: "MUI colors nothing by it: write textSecondary.",
        },
        {
          selector: "JSXAttribute[name.name='sx']",
          message:
            "Lay out with Row and Column; what else a place needs is in a CSS module beside it.",
        },
      ],
      "@typescript-eslint/consistent-type-imports": "error",
    },
  },
  ...Object.entries(above).map(([name, forbidden]) => ({
    files: [`src/${name}/**`],
    ignores: ["src/ui/icons.ts"],
    rules: {
      "no-restricted-imports": [
        "error",
        {
          patterns: [
            { group: ["lucide-react"], message: "Icons have their names in ui/icons.ts." },
            ...forbidden.map((other) => ({ regex: `^(\\.\\./)+${other}(/|$)` })),
          ],
        },
      ],
    },
  })),
);
