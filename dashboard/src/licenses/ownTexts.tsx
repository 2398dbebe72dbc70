import { t } from "@lingui/core/macro";
import type { FieldValues, Path } from "react-hook-form";
import { fieldWords } from "../ui/fields";
import { FormField } from "../ui/form/FormField";
import type { ApiForm } from "../ui/form/useApiForm";

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
