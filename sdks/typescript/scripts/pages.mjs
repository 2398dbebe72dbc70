// Bundles the pages of the tests as an application is bundled, with the built package and with React.
import { createRequire } from "node:module";

const root = `${import.meta.dirname}/..`;
const packages = `${root}/../../dashboard/node_modules`;
const { rolldown } = createRequire(`${packages}/`)("rolldown");

const bundle = await rolldown({
  input: ["page", "reactPage"].map((name) => `${root}/build/tests/${name}.js`),
  platform: "browser",
  resolve: { modules: [packages] },
});
await bundle.write({
  dir: `${root}/build/pages`,
  format: "esm",
  chunkFileNames: "[name].js",
  cleanDir: true,
});
await bundle.close();
