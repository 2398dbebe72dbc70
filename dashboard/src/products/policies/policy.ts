import { numberOrNull, textOrNull } from "../../api/fields";
import { metadataOf } from "../../ui/MetadataFields";
import { matchOf, matchText } from "../../ui/MachineMatchField";
import { MODEL_TRAITS, hasDevices } from "../../ui/models";
import type { Pair } from "../../ui/pairs";
import type { LicenseType, Schemas } from "../../api/types";

export type Policy = Schemas["Policy"];

/** What the dialog holds; texts are as typed, and empty for what each license is given. */
export interface PolicyDraft {
  name: string;
  type: LicenseType;
  durationDays: string;
  durationMonths: string;
  /** Which of the two counts. */
  unit: TermUnit;
  termStarts: Policy["termStarts"];
  graceDays: string;
  updatesDays: string;
  fallback: Policy["fallback"];
  fallbackAfterMonths: string;
  maxActiveUsersCount: string;
  initialMeterBalance: string;
  renewalGrant: string;
  activationMode: NonNullable<Policy["activationMode"]> | "";
  deviceBindingMode: NonNullable<Policy["deviceBindingMode"]> | "";
  deviceProof: NonNullable<Policy["deviceProof"]> | "";
  offlineActivation: NonNullable<Policy["offlineActivation"]> | "";
  machineMatch: string;
  onClone: NonNullable<Policy["onClone"]> | "";
  maxBorrowDays: string;
  maxBorrowedSeats: string;
  maxOfflineCredits: string;
  onUnreturned: NonNullable<Policy["onUnreturned"]>;
  entitlementSetId: string;
  licenseNamePattern: string;
  metadata: readonly Pair[];
}

export type TermUnit = "durationDays" | "durationMonths";

const text = (value: number | null) => (value === null ? "" : String(value));

export const draftOf = (policy: Policy | undefined): PolicyDraft => ({
  name: policy?.name ?? "",
  type: policy?.type ?? "Subscription",
  durationDays: text(policy?.durationDays ?? null),
  durationMonths: policy ? text(policy.durationMonths) : "12",
  unit: policy && policy.durationDays !== null ? "durationDays" : "durationMonths",
  termStarts: policy?.termStarts ?? "Issue",
  graceDays: policy?.graceDays ? String(policy.graceDays) : "",
  updatesDays: text(policy?.updatesDays ?? null),
  fallback: policy?.fallback ?? "None",
  fallbackAfterMonths: String(policy?.fallbackAfterMonths ?? 12),
  maxActiveUsersCount: text(policy?.maxActiveUsersCount ?? null),
  initialMeterBalance: text(policy?.initialMeterBalance ?? null),
  renewalGrant: text(policy?.renewalGrant ?? null),
  activationMode: policy?.activationMode ?? "",
  deviceBindingMode: policy?.deviceBindingMode ?? "",
  deviceProof: policy?.deviceProof ?? "",
  offlineActivation: policy?.offlineActivation ?? "",
  machineMatch: policy?.machineMatch ? matchText(policy.machineMatch) : "",
  onClone: policy?.onClone ?? "",
  maxBorrowDays: text(policy?.maxBorrowDays ?? null),
  maxBorrowedSeats: text(policy?.maxBorrowedSeats ?? null),
  maxOfflineCredits: text(policy?.maxOfflineCredits ?? null),
  onUnreturned: policy?.onUnreturned ?? "Charge",
  entitlementSetId: policy?.entitlementSetId ?? "",
  licenseNamePattern: policy?.licenseNamePattern ?? "",
  metadata: Object.entries(policy?.metadata ?? {}),
});

/** The request body: what the chosen model cannot have is null. */
export function bodyOf(draft: PolicyDraft) {
  const model = MODEL_TRAITS[draft.type];
  const duration = numberOrNull(draft[draft.unit]);
  return {
    name: draft.name.trim(),
    type: draft.type,
    durationDays: draft.unit === "durationDays" ? duration : null,
    durationMonths: draft.unit === "durationMonths" ? duration : null,
    termStarts: duration === null ? ("Issue" as const) : draft.termStarts,
    graceDays: numberOrNull(draft.graceDays) ?? 0,
    updatesDays: numberOrNull(draft.updatesDays),
    fallback: draft.type === "Trial" ? ("None" as const) : draft.fallback,
    fallbackAfterMonths: numberOrNull(draft.fallbackAfterMonths) ?? 12,
    maxActiveUsersCount: model.seats ? numberOrNull(draft.maxActiveUsersCount) : null,
    initialMeterBalance: model.meter ? numberOrNull(draft.initialMeterBalance) : null,
    renewalGrant: model.meter ? numberOrNull(draft.renewalGrant) : null,
    activationMode: (model.offline && draft.activationMode) || null,
    deviceBindingMode: (model.binding && draft.deviceBindingMode) || null,
    deviceProof: draft.deviceProof || null,
    offlineActivation: (model.offline && draft.offlineActivation) || null,
    machineMatch: hasDevices(model) && draft.machineMatch ? matchOf(draft.machineMatch) : null,
    onClone: (model.seats === "devices" && draft.onClone) || null,
    maxBorrowDays:
      model.seats === "sessions" || model.meter ? numberOrNull(draft.maxBorrowDays) : null,
    maxBorrowedSeats: model.seats === "sessions" ? numberOrNull(draft.maxBorrowedSeats) : null,
    maxOfflineCredits: model.meter ? numberOrNull(draft.maxOfflineCredits) : null,
    onUnreturned: model.meter ? draft.onUnreturned : null,
    entitlementSetId: draft.entitlementSetId || null,
    licenseNamePattern: textOrNull(draft.licenseNamePattern),
    metadata: metadataOf(draft.metadata),
  };
}
