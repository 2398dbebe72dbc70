import type { License, Schemas } from "../../../api/types";
import { valueOf } from "../../../ui/featureValues";
import type { Kinds, Pair } from "../../pairs";

type LicenseChange = Schemas["LicenseChange"];

/** The form values for the fields of a license. */
export interface Draft {
  licenseName: string;
  issuedTo: string;
  issuer: string;
  maxActiveUsersCount: string;
  entitlementSetId: string;
  softwareReleaseId: string;
  notes: string;
  featureValues: readonly Pair[];
  metadata: readonly Pair[];
}

export const draftOf = (license: License): Draft => ({
  licenseName: license.licenseName,
  issuedTo: license.issuedTo ?? "",
  issuer: license.issuer ?? "",
  maxActiveUsersCount: String(license.maxActiveUsersCount ?? ""),
  entitlementSetId: license.entitlementSetId ?? "",
  softwareReleaseId: license.softwareReleaseId,
  notes: license.notes ?? "",
  featureValues: Object.entries(license.featureValues).map(
    ([name, value]) => [name, String(value)] as const,
  ),
  metadata: Object.entries(license.metadata),
});

const textOrNull = (text: string) => text.trim() || null;

const fieldsOf = (draft: Draft, kinds: Kinds): LicenseChange => ({
  licenseName: draft.licenseName.trim(),
  issuedTo: textOrNull(draft.issuedTo),
  issuer: textOrNull(draft.issuer),
  entitlementSetId: draft.entitlementSetId || null,
  softwareReleaseId: draft.softwareReleaseId,
  notes: textOrNull(draft.notes),
  metadata: Object.fromEntries(
    draft.metadata
      .map(([name, value]) => [name.trim(), value] as const)
      .filter(([name, value]) => name !== "" || value !== ""),
  ),
  featureValues: Object.fromEntries(
    draft.featureValues
      .filter(([name]) => name !== "")
      .map(([name, typed]) => [name, valueOf({ kind: kinds.get(name) ?? "Flag" }, typed)] as const),
  ),
  ...(draft.maxActiveUsersCount !== "" && {
    maxActiveUsersCount: Number(draft.maxActiveUsersCount),
  }),
});

/** The fields that the form changes. */
export function changesOf(license: License, draft: Draft, kinds: Kinds): LicenseChange {
  const before = new Map(Object.entries(fieldsOf(draftOf(license), kinds)));
  const changed = Object.entries(fieldsOf(draft, kinds)).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before.get(name)),
  );
  return Object.fromEntries(changed);
}
