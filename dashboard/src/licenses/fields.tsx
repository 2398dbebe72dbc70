import { t } from "@lingui/core/macro";
import type { FieldValues, Path } from "react-hook-form";
import type { LicenseType, Product } from "../api/types";
import { FormField } from "../ui/form/FormField";
import type { FieldProps, ApiForm } from "../ui/form/useApiForm";
import { MODEL_LABELS } from "../ui/labels";
import type { MeterKind } from "../ui/models";
import { MODEL_TEXT } from "./modelText";
import { $api } from "../api/client";
import { fieldWords } from "../ui/fields";

type ModelFieldProps<Values extends FieldValues, Name extends Path<Values>> = FieldProps<
  Values,
  Name
> & {
  value: LicenseType;
  models: readonly LicenseType[];
  onValue?: (next: LicenseType) => void;
};

/** The model that licenses are converted to. */
export const ModelField = <Values extends FieldValues, Name extends Path<Values>>({
  value,
  models,
  onValue,
  ...field
}: ModelFieldProps<Values, Name>) => (
  <FormField
    {...field}
    // The server takes numbers for models, too.
    check={undefined}
    label={t`Model`}
    helperText={MODEL_TEXT[value].description}
    onValue={(next) => onValue?.(next as LicenseType)}
    options={models.map((model) => [model, MODEL_LABELS[model]] as const)}
  />
);

const SEATS = { required: true, minimum: 1, maximum: 1_000_000 };

/** How many seats a license has. */
export const SeatsField = <Values extends FieldValues, Name extends Path<Values>>(
  props: FieldProps<Values, Name> & { helperText?: string },
) => <FormField {...props} type="number" label={t`Max active users`} demand={SEATS} />;

/** The balance with which a license begins to be metered. */
export const BalanceField = <Values extends FieldValues, Name extends Path<Values>>({
  meter,
  ...field
}: FieldProps<Values, Name> & { meter: MeterKind }) => (
  <FormField
    {...field}
    type="number"
    label={meter === "credits" ? t`Initial credits` : t`Initial uses`}
    demand={{ required: true, minimum: 0, isWhole: meter === "uses" }}
    input={{ step: meter === "credits" ? "any" : 1 }}
    helperText={t`You can grant more at any time.`}
  />
);

type Associated = Pick<Product, "id" | "accessType" | "associatedInstitutionIds"> | undefined;

/** The names of the institutions that are associated with the product. */
export function useCustomerNames(product: Associated) {
  const { data } = $api.useQuery(
    "get",
    "/api/products/{productId}/associations",
    { params: { path: { productId: product?.id ?? "" }, query: { pageSize: 100 } } },
    { enabled: product?.accessType === "Associated" },
  );
  return (id: string) =>
    data?.items.find((item) => item.institutionId === id)?.institutionName ?? id;
}

/** The customer institution of a license for an Associated product; nothing for others. */
export function CustomerInstitutionField<Values extends FieldValues, Name extends Path<Values>>({
  product,
  ...field
}: FieldProps<Values, Name> & { product: Associated }) {
  const ids = product?.associatedInstitutionIds ?? [];
  const nameOf = useCustomerNames(product);
  if (product?.accessType !== "Associated") return null;
  return (
    <FormField
      {...field}
      required
      label={t`Customer institution`}
      helperText={
        ids.length === 0
          ? t`No institution is associated with the product yet. Invite one under Associations on its page.`
          : t`The product is available to these institutions only.`
      }
      options={ids.map((id) => [id, nameOf(id)] as const)}
    />
  );
}

/** Texts of a license that are stored and shown as they are typed, with what forms say of them. */
const OWN_TEXTS = [
  { name: "issuer", helperText: t`The seller, as shown to the customer.` },
] as const;

type OwnText = (typeof OWN_TEXTS)[number]["name"];

/** What was typed. */
export type OwnTexts = Record<OwnText, string>;

const each = <Value,>(value: (name: OwnText) => Value) =>
  Object.fromEntries(OWN_TEXTS.map(({ name }) => [name, value(name)])) as Record<OwnText, Value>;

export const NO_OWN_TEXTS: OwnTexts = each(() => "");

export const ownTextsOf = (license: Record<OwnText, string | null>): OwnTexts =>
  each((name) => license[name] ?? "");

/** The fields of a request: null for what is empty. */
export const ownTextFieldsOf = (draft: OwnTexts): Record<OwnText, string | null> =>
  each((name) => draft[name].trim() || null);

/** What is shown of them, in words. */
export const ownTextFactsOf = (license: Record<OwnText, string | null>) =>
  OWN_TEXTS.map(({ name }) => [fieldWords(name), license[name]?.trim() ?? ""] as const);

export const OwnTextFields = <Values extends FieldValues & OwnTexts>({
  form,
}: {
  form: ApiForm<Values>;
}) =>
  OWN_TEXTS.map(({ name, helperText }) => (
    <FormField
      key={name}
      {...form.field(name as Path<Values>)}
      label={fieldWords(name)}
      helperText={helperText}
    />
  ));
