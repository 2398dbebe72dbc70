// Says which modules of src import each other in a circle, by types too, and fails if any do.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

const modules = readdirSync("src", { recursive: true })
  .filter((name) => /\.tsx?$/.test(name) && !name.endsWith(".d.ts"))
  .map((name) => join("src", name));

/** What a module imports before it runs; `import()` waits until something is opened. */
const importsOf = (path) =>
  [...readFileSync(path, "utf8").matchAll(/^(?:import|export|\}) [^;]*?from "(\.[^"]+)";/gms)]
    .map(([, name]) => join(dirname(path), name))
    .flatMap((name) => [`${name}.ts`, `${name}.tsx`].filter((file) => existsSync(file)));

const imports = new Map(modules.map((path) => [path, importsOf(path)]));
const done = new Set();
const circles = [];

function follow(path, way) {
  const start = way.indexOf(path);
  if (start >= 0) circles.push([...way.slice(start), path].join(" -> "));
  if (start >= 0 || done.has(path)) return;
  for (const next of imports.get(path) ?? []) follow(next, [...way, path]);
  done.add(path);
}

for (const path of modules) follow(path, []);
if (circles.length > 0) {
  console.error(`These modules import each other in a circle:\n${circles.join("\n")}`);
  process.exit(1);
}
