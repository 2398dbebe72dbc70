import type { Schemas } from "../../api/types";

export type Association = Schemas["Association"];

/** What to call the other side: its name once it has accepted, before that whom was invited. */
export const nameOf = ({ institutionName, email, institutionId }: Association): string =>
  institutionName ?? email ?? institutionId ?? "an institution";

export const isExpired = ({ status, expiresAt }: Association): boolean =>
  status === "Invited" && expiresAt !== null && new Date(expiresAt) <= new Date();
