/** The package as it is built: its files, their size, and what an import of it loads. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { it } from "node:test";
import { fileURLToPath } from "node:url";

import * as source from "../src/node/index.js";
import { ROOT } from "./vectors.js";

const PACKAGE = fileURLToPath(new URL("sdks/typescript", ROOT));
const NETWORK = ["node:http", "node:https", "node:net", "node:tls"];
const IMPORT = `
import { registerHooks } from "node:module";
const loaded = [];
registerHooks({
  load(url, context, next) {
    loaded.push(url);
    return next(url, context);
  },
});
const names = Object.keys(await import("licet"));
console.log(JSON.stringify({ loaded, names }));
`;

function run(...args: string[]): string {
  return execFileSync(process.execPath, args, { cwd: PACKAGE, encoding: "utf8" });
}

void it("loads few files at once in Node, and nothing of the network", () => {
  const { loaded, names } = JSON.parse(run("--input-type=module", "--eval", IMPORT)) as {
    loaded: string[];
    names: string[];
  };
  assert.ok(loaded.filter((url) => url.startsWith("file:")).length <= 3, loaded.join("\n"));
  assert.deepEqual(
    NETWORK.filter((name) => loaded.includes(name)),
    [],
  );
  assert.deepEqual(
    Object.keys(source).filter((name) => !names.includes(name)),
    [],
  );
});

void it("has German only in an entry of its own, which is one file", () => {
  const loads = IMPORT.replace(`import("licet")`, `import("licet/sentences")`);
  const { loaded, names } = JSON.parse(run("--input-type=module", "--eval", loads)) as {
    loaded: string[];
    names: string[];
  };
  assert.deepEqual(names.sort(), ["LANGUAGES", "SENTENCES", "sentence"]);
  assert.equal(loaded.filter((url) => url.startsWith("file:")).length, 1, loaded.join("\n"));
  const others = ["browser", "node"].flatMap((folder) =>
    readdirSync(join(PACKAGE, "dist", folder)).map((name) => join(PACKAGE, "dist", folder, name)),
  );
  assert.deepEqual(
    others.filter((path) => readFileSync(path, "utf8").includes("Lizenz")),
    [],
  );
});

void it("is as small in a page as it promises", () => {
  assert.match(run("scripts/size.mjs"), / at once\n/);
});
