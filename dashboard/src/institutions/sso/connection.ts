import type { Schemas } from "../../api/types";

export type Connection = Schemas["Sso"];
export type Role = Schemas["Role"];

/** Props of each section of single sign-on. */
export interface SsoProps {
  institutionId: string;
  onChanged: () => Promise<unknown>;
}

/** What the form holds, as text. */
export interface Draft {
  issuer: string;
  clientId: string;
  clientSecret: string;
  domains: string;
  enforced: boolean;
  defaultRole: string;
  roleClaim: string;
  roleMap: string;
}

export const draftOf = (connection: Connection | undefined): Draft => ({
  issuer: connection?.issuer ?? "",
  clientId: connection?.clientId ?? "",
  clientSecret: "",
  domains: connection?.domains.join("\n") ?? "",
  enforced: connection?.enforced ?? false,
  defaultRole: connection ? (connection.defaultRole ?? "") : "Viewer",
  roleClaim: connection?.roleClaim ?? "",
  roleMap: Object.entries(connection?.roleMap ?? {})
    .map(([value, role]) => `${value} = ${role}`)
    .join("\n"),
});

const linesOf = (text: string) =>
  text
    .split(/[\n,]/)
    .map((line) => line.trim())
    .filter(Boolean);

/** The change that the server takes; an empty secret stays as it is. */
export const changeOf = (draft: Draft): Schemas["SsoChange"] => ({
  issuer: draft.issuer.trim(),
  clientId: draft.clientId.trim(),
  ...(draft.clientSecret && { clientSecret: draft.clientSecret }),
  domains: linesOf(draft.domains),
  enforced: draft.enforced,
  defaultRole: (draft.defaultRole || null) as Role | null,
  roleClaim: draft.roleClaim.trim() || null,
  roleMap: Object.fromEntries(
    linesOf(draft.roleMap).map((line) => {
      const at = line.lastIndexOf("=");
      return [line.slice(0, at).trim(), line.slice(at + 1).trim() as Role];
    }),
  ),
});
