/** What an editor shows of the client and its options, by TypeScript's own language service. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { it } from "node:test";
import { fileURLToPath } from "node:url";

import type * as typescript from "typescript";

import { ROOT } from "./vectors.js";

const require = createRequire(new URL("dashboard/package.json", ROOT));
const ts = require("typescript") as typeof typescript;
const FILE = fileURLToPath(new URL("sdks/typescript/application.ts", ROOT));
const SOURCE = `
import { LicenseClient } from "./dist/node/index.js";
const client = new LicenseClient({ });
const license = await client.open({ });
`;

function read(path: string): string | undefined {
  return path === FILE ? SOURCE : ts.sys.readFile(path);
}

const editor = ts.createLanguageService({
  getCompilationSettings: () => ({
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ESNext,
    lib: ["lib.esnext.d.ts"],
    strict: true,
    types: [],
  }),
  getScriptFileNames: () => [FILE],
  getScriptVersion: () => "1",
  getScriptSnapshot: (path) => {
    const text = read(path);
    return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
  },
  getCurrentDirectory: () => fileURLToPath(ROOT),
  getDefaultLibFileName: (options) => ts.getDefaultLibFilePath(options),
  fileExists: (path) => path === FILE || ts.sys.fileExists(path),
  readFile: read,
});

/** What is shown of each option inside the braces after a call, by its name. */
function shownOptions(call: string): Map<string, { type: string; text: string }> {
  const place = SOURCE.indexOf(call) + call.length + "({ ".length;
  const entries = editor.getCompletionsAtPosition(FILE, place, {})?.entries ?? [];
  return new Map(
    entries.map(({ name }) => {
      const shown = editor.getCompletionEntryDetails(
        FILE,
        place,
        name,
        {},
        undefined,
        {},
        undefined,
      );
      return [
        name,
        {
          type: ts.displayPartsToString(shown?.displayParts),
          text: ts.displayPartsToString(shown?.documentation).replaceAll(/\s+/g, " "),
        },
      ];
    }),
  );
}

void it("shows type, default and a sentence of each option of a client", () => {
  const source = readFileSync(new URL("sdks/typescript/src/core/options.ts", ROOT), "utf8");
  const shown = shownOptions("new LicenseClient");
  assert.deepEqual(
    [...shown.keys()].sort(),
    [...source.matchAll(/^ {2}readonly (\w+)\?:/gm)].map(([, name]) => name).sort(),
  );
  for (const [name, { type, text }] of shown) {
    assert.ok(type.startsWith(`(property) ClientOptions.${name}?: `), type);
    assert.match(text, /\bdefault\b|\brequired\b/, name);
    assert.match(text, /\.$/, name);
  }
});

void it("shows type and a sentence of each option of open()", () => {
  const shown = shownOptions("client.open");
  assert.deepEqual([...shown.keys()].sort(), ["instanceId", "onChange", "onLost", "onRegained"]);
  for (const [name, { type, text }] of shown) {
    const kind = name === "instanceId" ? "string" : "((";
    assert.ok(type.includes(`.${name}?: ${kind}`), type);
    assert.match(text, /\.$/, name);
  }
});

void it("shows what each argument of the constructor is, and what open() does", () => {
  const place = SOURCE.indexOf("({ });") + 1;
  const help = editor.getSignatureHelpItems(FILE, place, undefined);
  const parameters = help?.items[0]?.parameters ?? [];
  assert.ok(parameters.length > 0);
  for (const { documentation, displayParts } of parameters) {
    assert.notEqual(
      ts.displayPartsToString(documentation),
      "",
      ts.displayPartsToString(displayParts),
    );
  }
  const opening = editor.getQuickInfoAtPosition(FILE, SOURCE.indexOf("open("));
  assert.match(ts.displayPartsToString(opening?.documentation), /^Validates the license/);
});
