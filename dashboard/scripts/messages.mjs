// Brings the catalogs in locales/ up to date with the messages in src, or with --check says whether
// they are, and whether every message is translated.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";

const folder = new URL("../locales/", import.meta.url);
const catalogs = () =>
  readdirSync(folder).map((name) => [name, readFileSync(new URL(name, folder), "utf8")]);
// A second worker reads the whole tool again, which takes longer than the messages do.
const extract = () =>
  execFileSync("lingui", ["extract", "--clean", "--workers", "1"], {
    stdio: ["ignore", "ignore", "inherit"],
  });

if (!process.argv.includes("--check")) {
  extract();
} else {
  const before = catalogs();
  extract();
  const after = new Map(catalogs());
  const stale = before.filter(([name, text]) => after.get(name) !== text).map(([name]) => name);
  for (const [name, text] of before) writeFileSync(new URL(name, folder), text);
  if (stale.length > 0) {
    console.error(
      `locales/${stale.join(", ")} is stale: run \`npm run messages\`, and translate what is new.`,
    );
    process.exit(1);
  }
  for (const [name, text] of before)
    if (/\nmsgstr ""\n(\n|$)/.test(text)) {
      console.error(`locales/${name} lacks translations: fill in each empty msgstr.`);
      process.exit(1);
    }
}
