import { t } from "@lingui/core/macro";
import type { Schemas } from "../api/types";
import { serviceUrl } from "../api/address";

export type Scope = Schemas["Scope"];
export type Reach = "None" | "Read" | "Write";

export const AREAS = [
  "Licenses",
  "Activations",
  "Products",
  "Releases",
  "Meter",
  "Statistics",
  "Webhooks",
  "Customers",
  "Connectors",
  "Members",
  "Audit",
] as const;
export type Area = (typeof AREAS)[number];
/** The access level for each area. */
export type Reaches = Record<Area, Reach>;

interface AreaWords {
  label: string;
  /** What a key may do that only reads. */
  read: string;
  /** What a key may do beyond that; null where there is nothing to write. */
  write: string | null;
}

/** What each area of scopes gives access to. */
export const AREA_WORDS: Record<Area, AreaWords> = {
  Licenses: {
    label: t`Licenses`,
    read: t`See licenses, license files and diagnostics.`,
    write: t`Issue, renew, change, suspend and revoke licenses.`,
  },
  Activations: {
    label: t`Activations`,
    read: t`See devices, sessions and access attempts.`,
    write: t`Approve, block and deactivate devices, end sessions.`,
  },
  Products: {
    label: t`Products`,
    read: t`See products, features, entitlement sets, public keys and telemetry.`,
    write: t`Create and change products, features and entitlement sets.`,
  },
  Releases: {
    label: t`Releases`,
    read: t`See releases and download their files.`,
    write: t`Create and publish releases, upload files.`,
  },
  Meter: {
    label: t`Meter`,
    read: t`See balances, ledgers, prices and statistics of use.`,
    write: t`Grant and adjust balances, set prices, reconcile.`,
  },
  Statistics: { label: t`Statistics`, read: t`See all statistics.`, write: null },
  Webhooks: {
    label: t`Webhooks`,
    read: t`See webhooks and their deliveries.`,
    write: t`Create, change and delete webhooks, send events again.`,
  },
  Customers: {
    label: t`Customers`,
    read: t`See customers.`,
    write: t`Create, change, merge and delete customers, send portal links.`,
  },
  Connectors: {
    label: t`Connectors`,
    read: t`See connectors, the events that they received, and orders.`,
    write: t`Create, change and delete connectors, and with them decide which orders get licenses.`,
  },
  Members: {
    label: t`Members`,
    read: t`See members and invitations.`,
    write: t`Invite, change and remove members, but no Owners.`,
  },
  Audit: { label: t`Audit log`, read: t`See who changed what.`, write: null },
};

/** The access levels that an area has. */
export const reachesOf = (area: Area): Reach[] =>
  AREA_WORDS[area].write === null ? ["None", "Read"] : ["None", "Read", "Write"];

const NOTHING = Object.fromEntries(AREAS.map((area) => [area, "None"])) as Reaches;

/** What a key is often made for, and the access that this needs. */
export const PRESETS: { label: string; hint: string; reaches: Reaches }[] = [
  {
    label: t`Read only`,
    hint: t`Sees everything and changes nothing.`,
    reaches: Object.fromEntries(AREAS.map((area) => [area, "Read"])) as Reaches,
  },
  {
    label: t`Shop`,
    hint: t`Issues and renews licenses, and keeps customers.`,
    reaches: { ...NOTHING, Licenses: "Write", Customers: "Write", Products: "Read" },
  },
  {
    label: t`Reporting`,
    hint: t`Sees licenses, customers, orders, usage and statistics.`,
    reaches: {
      ...NOTHING,
      Licenses: "Read",
      Customers: "Read",
      Connectors: "Read",
      Meter: "Read",
      Statistics: "Read",
    },
  },
];

/** The preset that is just this; undefined for a choice of one's own. */
export const presetOf = (reaches: Reaches) =>
  PRESETS.find((preset) => AREAS.every((area) => preset.reaches[area] === reaches[area]));

/** One scope per area; write includes read. */
export const scopesOf = (reaches: Reaches): Scope[] =>
  AREAS.flatMap((area) => {
    const reach = reaches[area];
    if (reach === "None") return [];
    return [
      area === "Statistics" || area === "Audit"
        ? (`${area}.Read` as const)
        : (`${area}.${reach}` as const),
    ];
  });

/** For example "Licenses: write", for each area a key has access to. */
export function scopeWords(scopes: readonly Scope[]): string[] {
  const held = new Set<string>(scopes);
  return AREAS.flatMap((area) => {
    const { label } = AREA_WORDS[area];
    if (held.has(`${area}.Write`)) return [t`${label}: write`];
    return held.has(`${area}.Read`) ? [t`${label}: read`] : [];
  });
}

const PATHS: Record<Area, string> = {
  Licenses: "licenses",
  Activations: "licenses/LICENSE_ID/activations",
  Products: "products",
  Releases: "products/PRODUCT_ID/releases",
  Meter: "meter/balance/LICENSE_ID",
  Statistics: "statistics/overview",
  Webhooks: "webhooks",
  Customers: "customers",
  Connectors: "connectors",
  Members: "institutions/INSTITUTION_ID/members",
  Audit: "institutions/INSTITUTION_ID/audit",
};

/** An example request for these scopes, with a placeholder for the secret. */
export function curlExample(scopes: readonly Scope[]): string {
  const area = AREAS.find((name) => scopes.some((scope) => scope.startsWith(name))) ?? "Licenses";
  return [`curl ${serviceUrl(`/api/${PATHS[area]}`)} \\`, '  -H "X-API-KEY: YOUR_API_KEY"'].join(
    "\n",
  );
}
