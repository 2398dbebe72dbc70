import type { LicenseType, Product, Schemas } from "../../api/types";
import { MODEL_TRAITS } from "../../ui/models";
import { endOfDay } from "../../ui/days";

/** The wizard's input. Fields have their API names; texts are as typed. */
export interface Draft {
  productId: string | null;
  /** Empty for a license without a policy. */
  policyId: string;
  /** The term that the policy gives, in words; empty if it gives none. */
  policyTerm: string;
  type: LicenseType | null;
  /** Empty for the newest published release. */
  softwareReleaseId: string;
  licenseName: string;
  issuedTo: string;
  /** Whether the license is mailed to its receiver; otherwise the product decides. */
  notify: boolean;
  issuer: string;
  customerInstitutionId: string;
  notes: string;
  metadata: { name: string; value: string }[];
  /** A day, `YYYY-MM-DD`. */
  expirationDate: string;
  maxActiveUsersCount: string;
  initialMeterBalance: string;
  deviceBindingMode: Schemas["DeviceBindingMode"];
  activationMode: Schemas["ActivationMode"];
  username: string;
  password: string;
  entitlementSetId: string;
  licenseKey: string;
}

/** Error messages by field name. */
export type Errors = Readonly<Record<string, string>>;

export const STEPS = ["product", "customer", "terms", "review"] as const;
export type Step = (typeof STEPS)[number];

export const STEP_LABELS: Record<Step, string> = {
  product: "Product and model",
  customer: "Customer",
  terms: "Terms",
  review: "Review",
};

export const EMPTY_DRAFT: Draft = {
  productId: null,
  policyId: "",
  policyTerm: "",
  type: null,
  softwareReleaseId: "",
  licenseName: "",
  issuedTo: "",
  notify: false,
  issuer: "",
  customerInstitutionId: "",
  notes: "",
  metadata: [],
  expirationDate: "",
  maxActiveUsersCount: "",
  initialMeterBalance: "",
  deviceBindingMode: "AutoBind",
  activationMode: "Online",
  username: "",
  password: "",
  entitlementSetId: "",
  licenseKey: "",
};

const FIELD_STEPS: Record<string, Step> = {
  productId: "product",
  policyId: "product",
  type: "product",
  softwareReleaseId: "product",
  licenseName: "customer",
  issuedTo: "customer",
  notify: "customer",
  issuer: "customer",
  customerInstitutionId: "customer",
  notes: "customer",
  metadata: "customer",
};

/** The step that contains a field. */
export const stepOf = (field: string): Step => FIELD_STEPS[field.split(".")[0] ?? ""] ?? "terms";

const REQUIRED = "Required.";

function missingProduct(draft: Draft): Errors {
  return {
    ...(!draft.productId && { productId: "Choose a product." }),
    ...(!draft.type && { type: "Choose a model." }),
  };
}

function missingCustomer(draft: Draft, product: Product | undefined): Errors {
  const named = draft.metadata.every(({ name, value }) => name.trim() || !value.trim());
  const needsIssuedTo = draft.type !== null && MODEL_TRAITS[draft.type].issuedToRequired;
  return {
    ...(!draft.policyId && !draft.licenseName.trim() && { licenseName: REQUIRED }),
    ...(needsIssuedTo && !draft.issuedTo.trim() && { issuedTo: REQUIRED }),
    ...(product?.accessType === "Associated" &&
      !draft.customerInstitutionId && { customerInstitutionId: REQUIRED }),
    ...(!named && { metadata: "Each value needs a name." }),
  };
}

/** Credits have at most six decimals; uses are whole numbers. */
function amountFault(text: string, meter: "credits" | "uses"): Errors {
  const amount = Number(text);
  if (!(amount > 0)) return { initialMeterBalance: "Enter a number above 0." };
  if (meter === "uses" && !Number.isInteger(amount))
    return { initialMeterBalance: "Enter a whole number." };
  if (!/^\d*(\.\d{0,6})?$/.test(text.trim()))
    return { initialMeterBalance: "Enter a number with at most 6 decimals." };
  return {};
}

function missingTerms(draft: Draft): Errors {
  const model = draft.type && MODEL_TRAITS[draft.type];
  if (!model) return {};
  const seats = Number(draft.maxActiveUsersCount);
  return {
    ...(model.expirationRequired &&
      !draft.expirationDate &&
      !draft.policyTerm && { expirationDate: REQUIRED }),
    ...(model.seats &&
      !(Number.isInteger(seats) && seats >= 1) && {
        maxActiveUsersCount: "Enter a whole number of at least 1.",
      }),
    ...(model.meter && amountFault(draft.initialMeterBalance, model.meter)),
    ...(model.credentials && draft.username && !draft.password && { password: REQUIRED }),
    ...(model.credentials && draft.password && !draft.username && { username: REQUIRED }),
  };
}

/** Validation errors of a step. The server validates the rest. */
export function missing(step: Step, draft: Draft, product: Product | undefined): Errors {
  switch (step) {
    case "product":
      return missingProduct(draft);
    case "customer":
      return missingCustomer(draft, product);
    case "terms":
      return missingTerms(draft);
    case "review":
      return {};
  }
}

/** Whether the license is mailed as soon as it is issued, because the user wants it. */
export const isMailed = (draft: Draft) => draft.notify && draft.issuedTo.trim() !== "";

/** The request body: only the fields of the chosen model. */
export function bodyOf(draft: Draft): Schemas["IssueLicenseRequest"] {
  const { type, productId } = draft;
  if (!type || !productId) throw new Error("Choose a product and a model first.");
  const model = MODEL_TRAITS[type];
  const pairs = draft.metadata.filter(({ name }) => name.trim());
  const text = (value: string) => value.trim() || null;
  return {
    productId,
    type,
    ...(draft.policyId && { policyId: draft.policyId }),
    softwareReleaseId: text(draft.softwareReleaseId),
    ...(draft.licenseName.trim() && { licenseName: draft.licenseName.trim() }),
    issuedTo: text(draft.issuedTo),
    ...(isMailed(draft) && { notify: true }),
    issuer: text(draft.issuer),
    customerInstitutionId: text(draft.customerInstitutionId),
    notes: text(draft.notes),
    metadata: Object.fromEntries(pairs.map(({ name, value }) => [name.trim(), value])),
    expirationDate: endOfDay(draft.expirationDate),
    entitlementSetId: text(draft.entitlementSetId),
    licenseKey: text(draft.licenseKey),
    activationMode: model.offline ? draft.activationMode : "Online",
    ...(model.seats && { maxActiveUsersCount: Number(draft.maxActiveUsersCount) }),
    ...(model.meter && { initialMeterBalance: Number(draft.initialMeterBalance) }),
    ...(model.binding && { deviceBindingMode: draft.deviceBindingMode }),
    ...(model.credentials && {
      username: text(draft.username),
      password: draft.password || null,
    }),
  };
}
