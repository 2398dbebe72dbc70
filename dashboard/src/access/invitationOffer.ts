import { t } from "@lingui/core/macro";
import type { Role, Schemas } from "../api/types";

/** An invitation as its recipient sees it; `email` is null if the address has an account. */
export type Offer = Schemas["InvitationPreview"];

const ROLE_DESCRIPTIONS: Record<Role, string> = {
  Owner: t`You own the institution together with its other Owners.`,
  Admin: t`You manage products, licenses and people.`,
  Member: t`You can view what is assigned to you.`,
  Viewer: t`You can view everything and change nothing.`,
};

const INVITED_AS: Record<Role, string> = {
  Owner: t`You have been invited as Owner.`,
  Admin: t`You have been invited as Admin.`,
  Member: t`You have been invited as Member.`,
  Viewer: t`You have been invited as Viewer.`,
};

export const invitedAs = (role: Role): string => INVITED_AS[role];

export const roleDescription = (role: Role): string => ROLE_DESCRIPTIONS[role];
