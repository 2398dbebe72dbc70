// Writes the TypeScript in the documentation as modules, so that the compiler checks it.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";

const root = `${import.meta.dirname}/..`;
const docs = `${root}/../../docs`;
const samples = `${root}/../../server/src/licet_server/kit/web/openapi/samples.md`;
const target = `${root}/build/snippets`;
rmSync(target, { recursive: true, force: true });
mkdirSync(target, { recursive: true });
const pages = readdirSync(docs).filter((name) => name.endsWith(".md") && name !== "README.md");
for (const page of [`${root}/README.md`, samples, ...pages.map((name) => `${docs}/${name}`)]) {
  const text = readFileSync(page, "utf8");
  for (const [number, found] of [...text.matchAll(/^( *)```(tsx?)\n([^]*?)^\1```/gm)].entries()) {
    // Pages about the dashboard show parts of its components.
    if (found[2] === "tsx" && !found[3].includes('from "licet')) continue;
    const name = page.replace(/.*\/|\.md/g, "");
    const code = found[3].replaceAll(new RegExp(`^${found[1]}`, "gm"), "");
    writeFileSync(`${target}/${name}-${number + 1}.${found[2]}`, `${code}export {};\n`);
  }
}
