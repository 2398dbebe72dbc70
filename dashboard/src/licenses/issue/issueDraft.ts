import { textOrNull } from "../../api/fields";
import type { LicenseType, Schemas } from "../../api/types";
import { dayOrNull } from "../../ui/days";
import { valueOf } from "../../ui/featureValues";
import { MODEL_LABELS } from "../../ui/labels";
import { MODEL_TRAITS } from "../../ui/models";
import { termOf } from "../../ui/policyTerms";
import { seatsText } from "../../ui/quantities";
import { licenseTerms, termsOfLicense } from "../../ui/terms/terms";
import { NO_OWN_TEXTS, ownTextFieldsOf } from "../fields";
import type { Kinds, Pair } from "../../ui/pairs";

/** What was typed and chosen, at first. Fields have their API names; texts are as typed. */
export const EMPTY_DRAFT = {
  ...NO_OWN_TEXTS,
  ...licenseTerms(),
  productId: null as string | null,
  /** Empty for a license without a policy. */
  policyId: "",
  /** The term that the policy gives, in words; empty if it gives none. */
  policyTerm: "",
  type: null as LicenseType | null,
  /** Empty for the highest release of the product's default channel. */
  softwareReleaseId: "",
  /** Empty for the name that the policy gives, or that the page suggests. */
  licenseName: "",
  issuedTo: "",
  /** What a new customer is called; empty for their address. */
  customerName: "",
  /** The company of a new customer. */
  company: "",
  /** Whether the license is mailed to its receiver; null as the product says. */
  notify: null as boolean | null,
  customerInstitutionId: "",
  notes: "",
  metadata: [] as { name: string; value: string }[],
  tags: [] as readonly string[],
  /** A day, `YYYY-MM-DD`. */
  expirationDate: "",
  /** A day; empty for none, or for what the policy gives. */
  updatesUntil: "",
  maxActiveUsersCount: "",
  initialMeterBalance: "",
  username: "",
  password: "",
  entitlementSetId: "",
  featureValues: [] as readonly Pair[],
  licenseKey: "",
  /** How many licenses with these terms, each with a key of its own. */
  count: "1",
};

export type Draft = typeof EMPTY_DRAFT;

/** What belongs to a product, and goes when another one is chosen. */
export const WITHOUT_PRODUCT = {
  policyId: "",
  policyTerm: "",
  softwareReleaseId: "",
  entitlementSetId: "",
  customerInstitutionId: "",
  featureValues: [],
} satisfies Partial<Draft>;

const text = (value: number | null) => (value === null ? "" : String(value));

/** What the policy says, as input that can still be changed. */
export const draftUnder = (policy: Schemas["Policy"]): Partial<Draft> => ({
  ...licenseTerms(policy),
  policyId: policy.id,
  type: policy.type,
  policyTerm: termOf(policy),
  expirationDate: "",
  updatesUntil: "",
  maxActiveUsersCount: text(policy.maxActiveUsersCount),
  initialMeterBalance: text(policy.initialMeterBalance),
  entitlementSetId: policy.entitlementSetId ?? "",
});

/** The same terms for another license; what only one license can have is left out. */
export const againOf = (draft: Draft): Draft => ({
  ...draft,
  customerName: "",
  company: "",
  licenseKey: "",
  username: "",
  password: "",
  count: "1",
});

const LONGEST_NAME = 200;

/** The name of a license without a policy for which none was typed: whose it is, or what. */
export function suggestedName(draft: Draft, customerName: string | undefined): string {
  const { type } = draft;
  if (!type) return "";
  const seats = MODEL_TRAITS[type].seats ? Number(draft.maxActiveUsersCount) : 0;
  const what = seats > 0 ? `${MODEL_LABELS[type]}, ${seatsText(seats)}` : MODEL_LABELS[type];
  return (customerName ?? what).slice(0, LONGEST_NAME);
}

/** The name that a license gets; empty for that of its policy. */
export const nameOf = (draft: Draft, customerName: string | undefined): string =>
  draft.licenseName.trim() || (draft.policyId ? "" : suggestedName(draft, customerName));

/** How many licenses the draft stands for. */
export const countOf = ({ count }: Draft): number => Number(count);

/** Whether the license is mailed when it is issued; `isAutomatic` says whether the product does. */
export const isMailed = (draft: Draft, isAutomatic: boolean): boolean =>
  countOf(draft) === 1 && draft.issuedTo.trim() !== "" && (draft.notify ?? isAutomatic);

function labelsOf({ featureValues, metadata, tags }: Draft, kinds: Kinds) {
  const pairs = metadata.filter(({ name }) => name.trim());
  const values = featureValues.map(
    ([name, typed]) => [name, valueOf({ kind: kinds.get(name) ?? "Flag" }, typed)] as const,
  );
  return {
    metadata: Object.fromEntries(pairs.map(({ name, value }) => [name.trim(), value])),
    ...(tags.length > 0 && { tags: [...tags] }),
    ...(values.length > 0 && { featureValues: Object.fromEntries(values) }),
  };
}

/** The request body: only the fields of the chosen model. */
export function bodyOf(draft: Draft, name: string, kinds: Kinds): Schemas["IssueLicenseRequest"] {
  const { type, productId } = draft;
  if (!type || !productId) throw new Error("Choose a product and a model first.");
  const model = MODEL_TRAITS[type];
  const { graceDays, ...terms } = termsOfLicense(type, draft);
  return {
    productId,
    type,
    ...(draft.policyId && { policyId: draft.policyId }),
    softwareReleaseId: textOrNull(draft.softwareReleaseId),
    ...(name && { licenseName: name }),
    issuedTo: textOrNull(draft.issuedTo),
    ...(draft.notify !== null &&
      draft.issuedTo.trim() && { notify: isMailed(draft, draft.notify) }),
    ...ownTextFieldsOf(draft),
    customerInstitutionId: textOrNull(draft.customerInstitutionId),
    notes: textOrNull(draft.notes),
    ...labelsOf(draft, kinds),
    expirationDate: dayOrNull(draft.expirationDate),
    updatesUntil: dayOrNull(draft.updatesUntil),
    entitlementSetId: textOrNull(draft.entitlementSetId),
    licenseKey: textOrNull(draft.licenseKey),
    ...terms,
    // Nothing typed is what the policy gives.
    ...(draft.graceDays !== "" && { graceDays }),
    ...(model.seats && { maxActiveUsersCount: Number(draft.maxActiveUsersCount) }),
    ...(model.meter && { initialMeterBalance: Number(draft.initialMeterBalance) }),
    ...(model.credentials && {
      username: textOrNull(draft.username),
      password: draft.password || null,
    }),
  };
}
