import type { Schemas } from "../api/types";

export type Scope = Schemas["Scope"];
export type Reach = "None" | "Read" | "Write";

export const AREAS = ["Licenses", "Activations", "Products", "Releases"] as const;
export type Area = (typeof AREAS)[number];

interface AreaWords {
  label: string;
  opens: string;
}

/** What each area of scopes gives access to. */
export const AREA_WORDS: Record<Area, AreaWords> = {
  Licenses: {
    label: "Licenses",
    opens: "Licenses, license files, diagnostics, balances and ledgers.",
  },
  Activations: { label: "Devices and sessions", opens: "Activated devices and live sessions." },
  Products: {
    label: "Products",
    opens: "Products, features, entitlement sets and public keys.",
  },
  Releases: { label: "Releases", opens: "Releases and their files." },
};

/** One scope per area; write includes read. */
export const scopesOf = (reaches: Record<Area, Reach>): Scope[] =>
  AREAS.flatMap((area) => {
    const reach = reaches[area];
    return reach === "None" ? [] : [`${area}.${reach}` as const];
  });

/** For example "Licenses: write", for each area a key has access to. */
export function scopeWords(scopes: readonly Scope[]): string[] {
  return AREAS.flatMap((area) => {
    const { label } = AREA_WORDS[area];
    if (scopes.includes(`${area}.Write`)) return [`${label}: write`];
    return scopes.includes(`${area}.Read`) ? [`${label}: read`] : [];
  });
}

const PATHS: Record<Area, string> = {
  Licenses: "licenses",
  Activations: "licenses/LICENSE_ID/activations",
  Products: "products",
  Releases: "products/PRODUCT_ID/releases",
};

/** An example request for these scopes, with a placeholder for the secret. */
export function curlExample(scopes: readonly Scope[]): string {
  const area = AREAS.find((name) => scopes.some((scope) => scope.startsWith(name))) ?? "Licenses";
  return [
    `curl ${location.origin}/api/${PATHS[area]} \\`,
    '  -H "Authorization: Bearer YOUR_API_KEY"',
  ].join("\n");
}
