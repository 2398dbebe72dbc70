import { t } from "@lingui/core/macro";
import type { Product } from "../../api/types";
import { dayAfter } from "../../ui/days";
import { MODEL_TRAITS } from "../../ui/models";
import type { Kinds } from "../../ui/pairs";
import { countOf, type Draft } from "./issueDraft";

/** Error messages by field name. */
export type Errors = Readonly<Record<string, string>>;

/** What the page knows beside the draft. */
export interface Known {
  /** Undefined until chosen and loaded. */
  product: Product | undefined;
  kinds: Kinds;
}

/** What fields are called where they are listed as missing, in the order of the page. */
const LABELS: Readonly<Record<string, string>> = {
  productId: t`product`,
  customerInstitutionId: t`customer institution`,
  issuedTo: t`issued to (for this model)`,
  type: t`model`,
  expirationDate: t`expiration date`,
  username: t`username`,
  password: t`password`,
  maxActiveUsersCount: t`max active users`,
  initialMeterBalance: t`balance`,
};

/** As many licenses can be issued at once. */
export const COUNT_MAX = 500;

const REQUIRED = t`Required.`;
/** As much of an address as can be known without its server. */
export const EMAIL = /^[^\s@]+@[^\s@]+$/;
const USER_ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

function customerErrors(draft: Draft, product: Product | undefined): Errors {
  const issuedTo = draft.issuedTo.trim();
  const isNeeded = draft.type !== null && MODEL_TRAITS[draft.type].issuedToRequired;
  const isKnown = EMAIL.test(issuedTo) || USER_ID.test(issuedTo);
  return {
    ...(isNeeded && !issuedTo && { issuedTo: REQUIRED }),
    ...(issuedTo && !isKnown && { issuedTo: t`Enter an email address or a user ID.` }),
    ...(product?.accessType === "Associated" &&
      !draft.customerInstitutionId && { customerInstitutionId: REQUIRED }),
  };
}

/** Credits have at most six decimals; uses are whole numbers. */
function amountErrors(text: string, meter: "credits" | "uses"): Errors {
  const amount = Number(text);
  if (!(amount > 0)) return { initialMeterBalance: t`Enter a number above 0.` };
  if (meter === "uses" && !Number.isInteger(amount))
    return { initialMeterBalance: t`Enter a whole number.` };
  if (!/^\d*(\.\d{0,6})?$/.test(text.trim()))
    return { initialMeterBalance: t`Enter a number with at most 6 decimals.` };
  return {};
}

function endErrors({ expirationDate, policyTerm }: Draft, isRequired: boolean): Errors {
  if (isRequired && !expirationDate && !policyTerm) return { expirationDate: REQUIRED };
  if (expirationDate && expirationDate < dayAfter({}))
    return { expirationDate: t`Choose today or a later day.` };
  return {};
}

function termErrors(draft: Draft): Errors {
  const model = draft.type && MODEL_TRAITS[draft.type];
  if (!model) return {};
  const seats = Number(draft.maxActiveUsersCount);
  return {
    ...endErrors(draft, model.expirationRequired),
    ...(model.seats &&
      !(Number.isInteger(seats) && seats >= 1) && {
        maxActiveUsersCount: t`Enter a whole number of at least 1.`,
      }),
    ...(model.meter && amountErrors(draft.initialMeterBalance, model.meter)),
    ...(model.credentials && draft.username && !draft.password && { password: REQUIRED }),
    ...(model.credentials && draft.password && !draft.username && { username: REQUIRED }),
  };
}

function restErrors(draft: Draft, kinds: Kinds): Errors {
  const isNamed = draft.metadata.every(({ name, value }) => name.trim() || !value.trim());
  const isGiven = draft.featureValues.every(
    ([name, typed]) => kinds.get(name) === "Flag" || typed.trim(),
  );
  const count = countOf(draft);
  return {
    ...(!(Number.isInteger(count) && count >= 1 && count <= COUNT_MAX) && {
      count: t`Enter a whole number from 1 to ${{ most: COUNT_MAX }}.`,
    }),
    ...(count > 1 &&
      draft.licenseKey.trim() && {
        licenseKey: t`A key of your own is for one license only.`,
      }),
    ...(!isGiven && { featureValues: t`Enter a value, or remove the feature.` }),
    ...(!isNamed && { metadata: t`Each value needs a name.` }),
  };
}

/** What is wrong or missing. The server checks the rest. */
export const errorsOf = (draft: Draft, { product, kinds }: Known): Errors => ({
  ...(!draft.productId && { productId: t`Choose a product.` }),
  ...(!draft.type && { type: t`Choose a model.` }),
  ...termErrors(draft),
  ...customerErrors(draft, product),
  ...restErrors(draft, kinds),
});

const isEmpty = (value: unknown) => value === null || value === "";

/** The fields that are still to be filled in, as the page calls them. */
export function missingOf(draft: Draft, known: Known): string[] {
  const errors = errorsOf(draft, known);
  return Object.entries(LABELS)
    .filter(([name]) => name in errors && isEmpty(draft[name as keyof Draft]))
    .map(([, label]) => label);
}
