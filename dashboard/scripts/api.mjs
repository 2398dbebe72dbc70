// Writes src/api/schema.d.ts from the OpenAPI document, or with --check says whether it is fresh.
import { readFileSync, writeFileSync } from "node:fs";
import openapiTS, { astToString } from "openapi-typescript";

const target = new URL("../src/api/schema.d.ts", import.meta.url);
const source = new URL("../../docs/openapi.json", import.meta.url);
const made = astToString(await openapiTS(source, { alphabetize: true, rootTypes: false }));
if (process.argv.includes("--check")) {
  if (readFileSync(target, "utf8") !== made) {
    console.error("src/api/schema.d.ts is stale: run `make openapi`.");
    process.exit(1);
  }
} else {
  writeFileSync(target, made);
}
