// Writes the TypeScript in the documentation as modules, so that the compiler checks it.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";

const root = `${import.meta.dirname}/..`;
const docs = `${root}/../../docs`;
const target = `${root}/build/snippets`;
rmSync(target, { recursive: true, force: true });
mkdirSync(target, { recursive: true });
const pages = readdirSync(docs).filter((name) => name.endsWith(".md") && name !== "README.md");
for (const page of [`${root}/README.md`, ...pages.map((name) => `${docs}/${name}`)]) {
  const text = readFileSync(page, "utf8");
  for (const [number, found] of [...text.matchAll(/^( *)```ts\n([^]*?)^\1```/gm)].entries()) {
    const name = page.replace(/.*\/|\.md/g, "");
    const code = found[2].replaceAll(new RegExp(`^${found[1]}`, "gm"), "");
    writeFileSync(`${target}/${name}-${number + 1}.ts`, `${code}export {};\n`);
  }
}
