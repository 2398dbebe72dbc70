import type { License, Schemas } from "../../../api/types";
import { valueOf } from "../../../ui/featureValues";
import { metadataOf } from "../../../ui/MetadataFields";
import { ownTextFieldsOf, ownTextsOf, type OwnTexts } from "../../ownTexts";
import type { Kinds, Pair } from "../../../ui/pairs";

type LicenseChange = Schemas["LicenseChange"];

/** The form values for the fields of a license. */
export interface Draft extends OwnTexts {
  licenseName: string;
  issuedTo: string;
  customerInstitutionId: string;
  graceDays: string;
  maxActiveUsersCount: string;
  entitlementSetId: string;
  softwareReleaseId: string;
  activationMode: License["activationMode"];
  /** Empty for models without one. */
  deviceBindingMode: NonNullable<License["deviceBindingMode"]> | "";
  username: string;
  /** Empty to keep the password. */
  password: string;
  notes: string;
  featureValues: readonly Pair[];
  metadata: readonly Pair[];
}

export const draftOf = (license: License): Draft => ({
  ...ownTextsOf(license),
  licenseName: license.licenseName,
  issuedTo: license.issuedTo ?? "",
  customerInstitutionId: license.customerInstitutionId ?? "",
  graceDays: license.graceDays ? String(license.graceDays) : "",
  maxActiveUsersCount: String(license.maxActiveUsersCount ?? ""),
  entitlementSetId: license.entitlementSetId ?? "",
  softwareReleaseId: license.softwareReleaseId,
  activationMode: license.activationMode,
  deviceBindingMode: license.deviceBindingMode ?? "",
  username: license.username ?? "",
  password: "",
  notes: license.notes ?? "",
  featureValues: Object.entries(license.featureValues).map(
    ([name, value]) => [name, String(value)] as const,
  ),
  metadata: Object.entries(license.metadata),
});

const textOrNull = (text: string) => text.trim() || null;

/** Username and password come and go together; a password that is not typed stays. */
const credentialsOf = ({ username, password }: Draft): LicenseChange => {
  const name = textOrNull(username);
  if (name === null) return { username: null, ...(password === "" && { password: null }) };
  return { username: name, ...(password !== "" && { password }) };
};

const fieldsOf = (draft: Draft, kinds: Kinds): LicenseChange => ({
  licenseName: draft.licenseName.trim(),
  issuedTo: textOrNull(draft.issuedTo),
  ...ownTextFieldsOf(draft),
  customerInstitutionId: draft.customerInstitutionId || null,
  graceDays: Number(draft.graceDays),
  entitlementSetId: draft.entitlementSetId || null,
  softwareReleaseId: draft.softwareReleaseId,
  activationMode: draft.activationMode,
  ...credentialsOf(draft),
  notes: textOrNull(draft.notes),
  metadata: metadataOf(draft.metadata),
  featureValues: Object.fromEntries(
    draft.featureValues
      .filter(([name]) => name !== "")
      .map(([name, typed]) => [name, valueOf({ kind: kinds.get(name) ?? "Flag" }, typed)] as const),
  ),
  ...(draft.deviceBindingMode !== "" && { deviceBindingMode: draft.deviceBindingMode }),
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
