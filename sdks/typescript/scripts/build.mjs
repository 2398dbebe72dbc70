// Bundles what the compiler has written into few files, which load fast and which the bundler of an
// application cannot split again: one for what is always needed, and one for each part that is loaded
// at its first use.
import { createRequire } from "node:module";
import { globSync, rmSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";

const root = resolve(`${import.meta.dirname}/..`);
const require = createRequire(`${root}/../../dashboard/package.json`);
const { rolldown } = require("rolldown");

// In a page, what is needed with the client: errors that only parts throw are loaded with these.
await bundleEntry("node", "index.js");
await bundleEntry("browser", "client.js");
// Last: the other two contain some of it.
await bundleEntry("sentences", "index.js");
for (const path of globSync(`${root}/dist/core/*.js`)) rmSync(path);

/** Bundles one entry; `whole` and all that it imports statically becomes one file. */
async function bundleEntry(name, whole) {
  const folder = `${root}/dist/${name}`;
  const together = new Set();
  const collect = {
    name: "collect",
    buildEnd() {
      const visit = (id) => {
        if (together.has(id)) return;
        together.add(id);
        for (const next of this.getModuleInfo(id)?.importedIds ?? []) visit(next);
      };
      visit(`${folder}/${whole}`);
    },
  };
  const bundle = await rolldown({
    input: { index: `${folder}/index.js` },
    platform: name === "node" ? "node" : "browser",
    plugins: [collect],
    preserveEntrySignatures: "allow-extension",
  });
  const { output } = await bundle.generate({
    format: "esm",
    chunkFileNames: "[name].js",
    codeSplitting: {
      groups: [{ name: whole.replace(".js", ""), test: (id) => together.has(id) }],
    },
  });
  await bundle.close();
  for (const path of globSync(`${folder}/*.js`)) rmSync(path);
  for (const { fileName, code } of output) writeFileSync(`${folder}/${fileName}`, code);
}
