// Writes the TypeScript in the documentation as modules, so that the compiler checks it.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";

const root = `${import.meta.dirname}/..`;
const target = `${root}/build/snippets`;
rmSync(target, { recursive: true, force: true });
mkdirSync(target, { recursive: true });
for (const page of ["README.md", "../../docs/sdk-typescript.md"]) {
  const text = readFileSync(`${root}/${page}`, "utf8");
  for (const [number, found] of [...text.matchAll(/^```ts\n([^]*?)^```/gm)].entries()) {
    const name = page.replace(/.*\/|\.md/g, "");
    writeFileSync(`${target}/${name}-${number + 1}.ts`, `${found[1]}export {};\n`);
  }
}
