// Prints the size of the SDK in a page: bundled, minified and compressed.
import { createRequire } from "node:module";
import { gzipSync } from "node:zlib";

const require = createRequire(`${import.meta.dirname}/../../../dashboard/package.json`);
const { rolldown } = require("rolldown");

const bundle = await rolldown({ input: `${import.meta.dirname}/../dist/browser/index.js` });
const { output } = await bundle.generate({ format: "esm", minify: true });
const size = gzipSync(output[0].code, { level: 9 }).length;
console.log(`licet for browsers: ${(size / 1000).toFixed(1)} kB gzipped`);
