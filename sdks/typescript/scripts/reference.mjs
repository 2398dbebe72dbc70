// Prints the reference of the TypeScript SDK as Markdown: what the entries for Node, for React and for
// sentences export, with its comments.
import { createRequire } from "node:module";

const root = `${import.meta.dirname}/..`;
const require = createRequire(`${root}/../../dashboard/package.json`);
const ts = require("typescript");

const entry = `${root}/src/node/index.ts`;
const react = `${root}/src/react/index.ts`;
const sentences = `${root}/src/sentences/index.ts`;
const { config } = ts.readConfigFile(`${root}/tsconfig.json`, ts.sys.readFile);
const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
const program = ts.createProgram([entry, react, sentences], options);
const checker = program.getTypeChecker();

const { SymbolFlags, TypeFormatFlags } = ts;
const FLAT = TypeFormatFlags.NoTruncation | TypeFormatFlags.UseAliasDefinedOutsideCurrentScope;
const SECTIONS = [
  ["Classes", (item) => isClass(item) && !isError(item)],
  ["Errors", isError],
  ["Functions and constants", (item) => item.flags & (SymbolFlags.Function | SymbolFlags.Variable)],
  ["Types", () => true],
];

function isClass(item) {
  return item.flags & SymbolFlags.Class;
}

function isError(item) {
  return isClass(item) && item.name.endsWith("Error");
}

function resolved(item) {
  return item.flags & SymbolFlags.Alias ? checker.getAliasedSymbol(item) : item;
}

function exportsOf(file) {
  const symbol = checker.getSymbolAtLocation(program.getSourceFile(file));
  return checker.getExportsOfModule(symbol).map(resolved);
}

/** The comment of a declaration, with a line for each of its tags. */
function* comment(item) {
  const text = ts.displayPartsToString(item.getDocumentationComment(checker));
  if (text) yield `${text}\n`;
  const tags = item.getJsDocTags(checker).map(({ name, text }) => ({
    name,
    text: ts.displayPartsToString(text).replaceAll(/\s+/g, " "),
  }));
  for (const { name, text } of tags) {
    const [first, ...rest] = text.split(" ");
    if (name === "param") yield `- \`${first}\`: ${rest.join(" ")}`;
    if (name === "throws") yield `- Throws \`${first}\`: ${rest.join(" ")}`;
  }
  if (tags.length > 0) yield "";
}

function* code(text) {
  yield `\`\`\`ts\n${text}\n\`\`\`\n`;
}

function typeOf(item) {
  return checker.typeToString(checker.getTypeOfSymbol(item), undefined, FLAT);
}

/** The public members of a class or an interface. */
function members(item) {
  const type = checker.getDeclaredTypeOfSymbol(item);
  const statics = isClass(item) ? checker.getPropertiesOfType(checker.getTypeOfSymbol(item)) : [];
  return [
    ...statics.filter(({ name }) => name !== "prototype"),
    ...checker.getPropertiesOfType(type),
  ].filter(
    (member) =>
      !/^(#|__)/.test(member.name) &&
      member.valueDeclaration?.getSourceFile().fileName.includes("/src/") &&
      !(
        ts.getCombinedModifierFlags(member.valueDeclaration) &
        ts.ModifierFlags.NonPublicAccessibilityModifier
      ),
  );
}

function* classPage(item) {
  yield* comment(item);
  for (const member of members(item)) {
    const signatures = checker.getTypeOfSymbol(member).getCallSignatures();
    yield `#### ${item.name}.${member.name}\n`;
    const texts = signatures.map(
      (signature) => member.name + checker.signatureToString(signature, undefined, FLAT),
    );
    yield* code(texts.length > 0 ? texts.join("\n") : `${member.name}: ${typeOf(member)}`);
    yield* comment(member);
  }
}

function* fieldsPage(item) {
  yield* comment(item);
  const fields = members(item);
  if (fields.length > 0) yield "| field | type | |\n|---|---|---|";
  for (const field of fields) {
    const text = [...comment(field)].join(" ").replaceAll(/\s+/g, " ").trim();
    const cells = [`\`${field.name}\``, `\`${typeOf(field)}\``, text];
    yield `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  }
  if (fields.length > 0) yield "";
}

function* page(item) {
  yield `### ${item.name}\n`;
  if (isError(item)) yield* comment(item);
  else if (isClass(item)) yield* classPage(item);
  else if (item.flags & SymbolFlags.Interface) yield* fieldsPage(item);
  else if (item.flags & SymbolFlags.TypeAlias) {
    const type = checker.getDeclaredTypeOfSymbol(item);
    const text = checker.typeToString(type, undefined, FLAT | TypeFormatFlags.InTypeAlias);
    yield* code(`type ${item.name} = ${text}`);
    yield* comment(item);
  } else {
    yield* code(`${item.name}: ${typeOf(item)}`);
    yield* comment(item);
  }
}

console.log("# `licet` for TypeScript\n");
console.log("What the package exports for Node. The entry for browsers has the same names.\n");
const exported = exportsOf(entry);
const shown = new Set();
for (const [name, belongs] of SECTIONS) {
  const items = exported.filter((item) => !shown.has(item) && belongs(item));
  console.log(`## ${name}\n`);
  for (const item of items) {
    shown.add(item);
    for (const line of page(item)) console.log(line);
  }
}
console.log("## React\n\nWhat `licet/react` exports.\n");
for (const item of exportsOf(react)) for (const line of page(item)) console.log(line);
console.log("## Sentences\n\nWhat `licet/sentences` exports.\n");
for (const item of exportsOf(sentences)) for (const line of page(item)) console.log(line);
