// What the catalog of events says of the kinds that webhooks receive, for the dashboard and the docs.

const HEAD = `import { t } from "@lingui/core/macro";

// Written by \`npm run api\` from the AsyncAPI document of webhooks.

/** What happened, by the kind of event; the audit log has more kinds. */
export const DESCRIPTIONS = {
`;

const kindsOf = ({ components }) =>
  Object.entries(components.messages).filter(([kind]) => kind !== "webhook.test");

/** The descriptions of the event kinds, to be translated. */
export function descriptionsOf(document) {
  const lines = kindsOf(document).map(([kind, { summary }]) => `  "${kind}": t\`${summary}\`,\n`);
  return `${HEAD}${lines.join("")}} as const;\n`;
}

const TABLE = /(\| kind \| what happened \|\n\|---\|---\|\n)(?:\|.*\n)*/;

/** The page with the table of the event kinds as they are now. */
export function withKinds(page, document) {
  const rows = kindsOf(document).map(([kind, { summary }]) => `| \`${kind}\` | ${summary} |\n`);
  return page.replace(TABLE, `$1${rows.join("")}`);
}
