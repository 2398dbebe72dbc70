// What the OpenAPI document demands of the fields of requests, as TypeScript.

const HEAD = `// Written by \`npm run api\` from the OpenAPI document: what the server demands of the fields of the
// requests that forms import. A field of an object within one has a path: "settings.sessionTimeoutSeconds".
`;

/** The types of a value; one of a schema of its own, such as a choice, may come as a number too. */
const typesOf = (schema) => {
  const kinds = [schema, ...(schema.oneOf ?? [])];
  return kinds.some(({ $ref }) => $ref) ? [] : kinds.map(({ type }) => type);
};

/** The check of one field; undefined if anything will do. */
function checkOf(schema, isRequired) {
  const types = typesOf(schema);
  const isNumber = types.includes("integer") || types.includes("number");
  const { minLength = 0, maxLength, minimum, maximum } = schema;
  const check = {
    ...((minLength > 0 ? !types.includes("null") : isRequired && isNumber) && { required: true }),
    ...(minLength > 1 && { minLength }),
    ...(maxLength !== undefined && { maxLength }),
    ...(minimum !== undefined && { minimum }),
    ...(maximum !== undefined && { maximum }),
    ...(types.includes("integer") && { isWhole: true }),
  };
  return Object.keys(check).length > 0 ? check : undefined;
}

/** The checks of an object's fields, and of the objects within it. */
function* fieldsOf(name, schemas, prefix = "") {
  const { properties = {}, required = [] } = schemas[name];
  for (const [field, schema] of Object.entries(properties)) {
    const path = prefix + field;
    const check = checkOf(schema, required.includes(field));
    if (check) yield [path, check];
    const within = [schema, ...(schema.oneOf ?? [])]
      .find((one) => one.$ref)
      ?.$ref.split("/")
      .at(-1);
    if (within && schemas[within].properties) yield* fieldsOf(within, schemas, `${path}.`);
  }
}

const isKey = (text) => /^[A-Za-z]\w*$/.test(text);

const objectOf = (check) =>
  `{ ${Object.entries(check)
    .map(([key, value]) => `${key}: ${value}`)
    .join(", ")} }`;

/** The module: a constant for each of these requests that has fields to check. */
export function checksOf({ components: { schemas } }, requests) {
  const constants = [...new Set(requests)].sort().map((name) => {
    const lines = [...fieldsOf(name, schemas)].map(
      ([path, check]) => `  ${isKey(path) ? path : JSON.stringify(path)}: ${objectOf(check)},`,
    );
    return `\nexport const ${name} = {\n${lines.join("\n")}\n};\n`;
  });
  return HEAD + constants.join("");
}
