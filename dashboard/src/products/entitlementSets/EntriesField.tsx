import { t } from "@lingui/core/macro";
import Alert from "@mui/material/Alert";
import Autocomplete from "@mui/material/Autocomplete";
import TextField from "@mui/material/TextField";
import { useFieldArray } from "react-hook-form";
import type { Schemas } from "../../api/types";
import { FormField } from "../../ui/form/FormField";
import type { ApiForm } from "../../ui/form/useApiForm";
import type { SetDraft } from "./entitlementSet";

interface EntriesFieldProps {
  form: ApiForm<SetDraft>;
  /** What the product has; undefined while it is not known. */
  features: readonly Schemas["Feature"][] | undefined;
}

/** The features of a set, with the values of those that have a number or a text. */
export function EntriesField({ form, features }: EntriesFieldProps) {
  const { fields, append, remove } = useFieldArray({ control: form.control, name: "entries" });
  const names = fields.map(({ featureName }) => featureName);
  const choose = (chosen: string[]) => {
    remove(names.flatMap((name, at) => (chosen.includes(name) ? [] : [at])));
    const added = chosen.filter((name) => !names.includes(name));
    append(
      added.map((featureName) => ({ featureName, value: "" })),
      { shouldFocus: false },
    );
  };
  return (
    <>
      <Autocomplete
        multiple
        disableCloseOnSelect
        loading={features === undefined}
        options={(features ?? []).map(({ name }) => name)}
        value={names}
        onChange={(_, chosen) => choose(chosen)}
        noOptionsText={t`No more features`}
        renderInput={(props) => (
          <TextField
            {...props}
            label={t`Features`}
            helperText={t`The features that licenses with this set include.`}
          />
        )}
      />
      {fields.map(({ id, featureName }, at) => {
        const kind = features?.find(({ name }) => name === featureName)?.kind;
        if (kind === undefined || kind === "Flag") return null;
        return (
          <FormField
            key={id}
            {...form.field(`entries.${at}.value`)}
            label={t`Value of ${{ name: featureName }}`}
            required
            {...(kind === "Number"
              ? { type: "number", input: { step: "any" } }
              : { demand: { maxLength: 200 } })}
          />
        );
      })}
      {names.length === 0 && (
        <Alert severity="info">
          {t`A set without features includes none: licenses with this set can run the application but use no features.`}
        </Alert>
      )}
    </>
  );
}
