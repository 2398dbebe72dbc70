// Prints the size of the SDK in a page, bundled with the dashboard's bundler, minified and compressed:
// what a page loads that imports the client, and what it loads at the first use of each part. Fails
// if the page loads more than promised.
import { createRequire } from "node:module";
import { resolve } from "node:path";
import process from "node:process";
import { gzipSync } from "node:zlib";

const root = resolve(`${import.meta.dirname}/..`);
const require = createRequire(`${root}/../../dashboard/package.json`);
const { rolldown } = require("rolldown");

// Of these, the dates of maintenance and fallback take 0.3 kB, and keeping license keys apart 0.3 kB:
// license.bin is judged at once. The device key takes 0.9 kB: the first request is proven.
const LIMIT = 19_500;
const PAGE = `import { LicenseClient, LicetError } from "${root}/dist/browser/index.js";
Object.assign(globalThis, { LicenseClient, LicetError });`;
const page = {
  name: "page",
  resolveId: (id) => (id === "page" ? id : null),
  load: (id) => (id === "page" ? PAGE : null),
};

const bundle = await rolldown({
  input: "page",
  plugins: [page],
  platform: "browser",
  preserveEntrySignatures: false,
});
const { output } = await bundle.generate({
  format: "esm",
  minify: true,
  chunkFileNames: "[name].js",
});
await bundle.close();

const chunks = new Map(output.map((chunk) => [chunk.fileName, chunk]));
const sizes = new Map(
  output.map(({ fileName, code }) => [fileName, gzipSync(code, { level: 9 }).length]),
);
const entry = loadedWith("page.js");
const later = [...chunks.keys()].filter((name) => !entry.has(name));

/** A file with all that it imports at once. */
function loadedWith(name, found = new Set()) {
  if (found.has(name)) return found;
  found.add(name);
  for (const next of chunks.get(name).imports) loadedWith(next, found);
  return found;
}

function sum(names) {
  return [...names].reduce((total, name) => total + sizes.get(name), 0);
}

function kilobytes(bytes) {
  return `${(bytes / 1000).toFixed(1)} kB`;
}

console.log("licet in a page, minified and gzipped:");
console.log(`  ${kilobytes(sum(entry))} at once`);
for (const name of later) console.log(`  ${kilobytes(sizes.get(name))} ${name} at its first use`);
console.log(`  ${kilobytes(sum(sizes.keys()))} in all`);
if (sum(entry) > LIMIT) {
  console.error(`A page may load ${kilobytes(LIMIT)} at once.`);
  process.exitCode = 1;
}
