// Writes what follows from the descriptions of the API and of webhooks, or with --check says whether
// it is fresh. The generator's warnings about the document fail both.
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import openapiTS, { astToString } from "openapi-typescript";
import { checksOf } from "./checks.mjs";
import { descriptionsOf, withKinds } from "./events.mjs";

console.warn = (warning) => {
  console.error(warning);
  process.exitCode = 1;
};
const at = (path) => new URL(`../../${path}`, import.meta.url);
const read = (path) => readFileSync(at(path), "utf8");
const source = at("docs/openapi.json");
const webhooks = JSON.parse(read("docs/asyncapi.json"));
const IMPORT = /import \{([^}]+)\} from "[./]+\/api\/checks"/g;
/** The requests that forms check, by the names that they import. */
const checked = globSync("dashboard/src/**/*.{ts,tsx}", { cwd: fileURLToPath(at(".")) })
  .flatMap((path) => [...read(path).matchAll(IMPORT)])
  .flatMap(([, names]) => names.split(",").map((name) => name.trim().split(" ")[0]));
const made = {
  "dashboard/src/api/schema.d.ts": astToString(
    await openapiTS(source, { alphabetize: true, rootTypes: false }),
  ),
  "dashboard/src/api/checks.ts": checksOf(JSON.parse(read("docs/openapi.json")), checked),
  "dashboard/src/webhooks/deliveredKinds.ts": descriptionsOf(webhooks),
  "docs/webhooks.md": withKinds(read("docs/webhooks.md"), webhooks),
};
for (const [path, text] of Object.entries(made)) {
  if (!process.argv.includes("--check")) writeFileSync(at(path), text);
  else if (read(path) !== text) {
    console.error(`${path} is stale: run \`make openapi\`.`);
    process.exit(1);
  }
}
