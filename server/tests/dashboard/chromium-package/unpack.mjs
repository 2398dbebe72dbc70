// Decompresses the browser of the package beside it, and the archives of its libraries and fonts.
import { createReadStream, createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { createBrotliDecompress } from "node:zlib";

for (const name of ["chromium", "al2023.tar", "swiftshader.tar", "fonts.tar"])
  await pipeline(
    createReadStream(`node_modules/@sparticuz/chromium/bin/${name}.br`),
    createBrotliDecompress(),
    createWriteStream(name),
  );
