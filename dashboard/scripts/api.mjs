// Writes src/api/schema.d.ts and src/api/checks.ts from the OpenAPI document, or with --check says
// whether they are fresh. The generator's warnings about the document fail both.
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import openapiTS, { astToString } from "openapi-typescript";
import { checksOf } from "./checks.mjs";

console.warn = (warning) => {
  console.error(warning);
  process.exitCode = 1;
};
const source = new URL("../../docs/openapi.json", import.meta.url);
const root = new URL("..", import.meta.url);
const IMPORT = /import \{([^}]+)\} from "[./]+\/api\/checks"/g;
/** The requests that forms check, by the names that they import. */
const checked = globSync("src/**/*.{ts,tsx}", { cwd: fileURLToPath(root) })
  .flatMap((path) => [...readFileSync(new URL(path, root), "utf8").matchAll(IMPORT)])
  .flatMap(([, names]) => names.split(",").map((name) => name.trim().split(" ")[0]));
const made = {
  "schema.d.ts": astToString(await openapiTS(source, { alphabetize: true, rootTypes: false })),
  "checks.ts": checksOf(JSON.parse(readFileSync(source, "utf8")), checked),
};
for (const [name, text] of Object.entries(made)) {
  const target = new URL(`../src/api/${name}`, import.meta.url);
  if (!process.argv.includes("--check")) writeFileSync(target, text);
  else if (readFileSync(target, "utf8") !== text) {
    console.error(`src/api/${name} is stale: run \`make openapi\`.`);
    process.exit(1);
  }
}
