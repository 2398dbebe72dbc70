import {
  chosen,
  type DraftOf,
  fieldsOf,
  OPTIONAL_NUMBER,
  OPTIONAL_TEXT,
  TEXT,
} from "../../api/fields";
import { METADATA } from "../../ui/MetadataFields";
import { MODEL_TRAITS } from "../../ui/models";
import { policyTerms, type TermDraft, termsOfPolicy } from "../../ui/terms/terms";
import type { LicenseType, Schemas } from "../../api/types";

export type Policy = Schemas["Policy"];

export type TermUnit = "durationDays" | "durationMonths";

const FIELDS = fieldsOf({
  name: TEXT,
  type: chosen<LicenseType>("Subscription"),
  durationDays: OPTIONAL_NUMBER,
  durationMonths: OPTIONAL_NUMBER,
  termStarts: chosen<Policy["termStarts"]>("Issue"),
  updatesDays: OPTIONAL_NUMBER,
  maxActiveUsersCount: OPTIONAL_NUMBER,
  initialMeterBalance: OPTIONAL_NUMBER,
  renewalGrant: OPTIONAL_NUMBER,
  entitlementSetId: OPTIONAL_TEXT,
  licenseNamePattern: OPTIONAL_TEXT,
  metadata: METADATA,
});

/** What the dialog holds; texts are as typed, and empty for what each license is given. */
export interface PolicyDraft extends DraftOf<typeof FIELDS>, TermDraft {
  /** Which length of the term counts. */
  unit: TermUnit;
}

export const draftOf = (policy: Policy | undefined): PolicyDraft => ({
  ...policyTerms(policy),
  ...FIELDS.draftOf(policy),
  ...(!policy && { durationMonths: "12" }),
  unit: policy && policy.durationDays !== null ? "durationDays" : "durationMonths",
});

/** The request body: what the chosen model cannot have is null. */
export function bodyOf(draft: PolicyDraft) {
  const { seats, meter } = MODEL_TRAITS[draft.type];
  const body = FIELDS.bodyOf(draft);
  return {
    ...termsOfPolicy(draft.type, draft),
    ...body,
    durationDays: draft.unit === "durationDays" ? body.durationDays : null,
    durationMonths: draft.unit === "durationMonths" ? body.durationMonths : null,
    termStarts: body[draft.unit] === null ? ("Issue" as const) : body.termStarts,
    maxActiveUsersCount: seats && body.maxActiveUsersCount,
    initialMeterBalance: meter && body.initialMeterBalance,
    renewalGrant: meter && body.renewalGrant,
  };
}
