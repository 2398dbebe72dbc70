import { numberOrNull, textOrNull } from "../../api/fields";
import { metadataOf } from "../../ui/MetadataFields";
import { MODEL_TRAITS } from "../../ui/models";
import type { Pair } from "../../ui/pairs";
import { policyTerms, type TermDraft, termsOfPolicy } from "../../ui/terms/terms";
import type { LicenseType, Schemas } from "../../api/types";

export type Policy = Schemas["Policy"];

/** What the dialog holds; texts are as typed, and empty for what each license is given. */
export interface PolicyDraft extends TermDraft {
  name: string;
  type: LicenseType;
  durationDays: string;
  durationMonths: string;
  /** Which of the two counts. */
  unit: TermUnit;
  termStarts: Policy["termStarts"];
  updatesDays: string;
  maxActiveUsersCount: string;
  initialMeterBalance: string;
  renewalGrant: string;
  entitlementSetId: string;
  licenseNamePattern: string;
  metadata: readonly Pair[];
}

export type TermUnit = "durationDays" | "durationMonths";

const text = (value: number | null) => (value === null ? "" : String(value));

export const draftOf = (policy: Policy | undefined): PolicyDraft => ({
  ...policyTerms(policy),
  name: policy?.name ?? "",
  type: policy?.type ?? "Subscription",
  durationDays: text(policy?.durationDays ?? null),
  durationMonths: policy ? text(policy.durationMonths) : "12",
  unit: policy && policy.durationDays !== null ? "durationDays" : "durationMonths",
  termStarts: policy?.termStarts ?? "Issue",
  updatesDays: text(policy?.updatesDays ?? null),
  maxActiveUsersCount: text(policy?.maxActiveUsersCount ?? null),
  initialMeterBalance: text(policy?.initialMeterBalance ?? null),
  renewalGrant: text(policy?.renewalGrant ?? null),
  entitlementSetId: policy?.entitlementSetId ?? "",
  licenseNamePattern: policy?.licenseNamePattern ?? "",
  metadata: Object.entries(policy?.metadata ?? {}),
});

/** The request body: what the chosen model cannot have is null. */
export function bodyOf(draft: PolicyDraft) {
  const model = MODEL_TRAITS[draft.type];
  const duration = numberOrNull(draft[draft.unit]);
  return {
    ...termsOfPolicy(draft.type, draft),
    name: draft.name.trim(),
    type: draft.type,
    durationDays: draft.unit === "durationDays" ? duration : null,
    durationMonths: draft.unit === "durationMonths" ? duration : null,
    termStarts: duration === null ? ("Issue" as const) : draft.termStarts,
    updatesDays: numberOrNull(draft.updatesDays),
    maxActiveUsersCount: model.seats ? numberOrNull(draft.maxActiveUsersCount) : null,
    initialMeterBalance: model.meter ? numberOrNull(draft.initialMeterBalance) : null,
    renewalGrant: model.meter ? numberOrNull(draft.renewalGrant) : null,
    entitlementSetId: draft.entitlementSetId || null,
    licenseNamePattern: textOrNull(draft.licenseNamePattern),
    metadata: metadataOf(draft.metadata),
  };
}
