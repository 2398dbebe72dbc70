import { t } from "@lingui/core/macro";
import { FormField } from "../../ui/Form";
import type { Schemas } from "../../api/types";

type Feature = Pick<Schemas["Feature"], "name" | "kind">;

interface ValueFieldsProps {
  /** The chosen features; flags have no value to enter. */
  features: readonly Feature[];
  values: Readonly<Record<string, string>>;
  onChange: (values: Record<string, string>) => void;
}

/** The values of features with a number or a text, as typed. */
export const ValueFields = ({ features, values, onChange }: ValueFieldsProps) =>
  features
    .filter(({ kind }) => kind !== "Flag")
    .map(({ name, kind }) => (
      <FormField
        key={name}
        name={name}
        label={t`Value of ${name}`}
        required
        type={kind === "Number" ? "number" : "text"}
        value={values[name] ?? ""}
        onValue={(value) => {
          onChange({ ...values, [name]: value });
        }}
        slotProps={{ htmlInput: kind === "Number" ? { step: "any" } : { maxLength: 200 } }}
      />
    ));
