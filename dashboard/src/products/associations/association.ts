import { t } from "@lingui/core/macro";
import type { Schemas } from "../../api/types";

export type Association = Schemas["Association"];

/** The name of the other side once it has accepted; before that, the invited address or ID. */
export const nameOf = ({ institutionName, email, institutionId }: Association): string =>
  institutionName ?? email ?? institutionId ?? t`an institution`;

export const isExpired = ({ status, expiresAt }: Association): boolean =>
  status === "Invited" && expiresAt !== null && new Date(expiresAt) <= new Date();
