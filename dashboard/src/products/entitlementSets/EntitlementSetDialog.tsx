import { t } from "@lingui/core/macro";
import Alert from "@mui/material/Alert";
import Autocomplete from "@mui/material/Autocomplete";
import TextField from "@mui/material/TextField";
import { useState } from "react";
import { changed } from "../../api/changed";
import { api } from "../../api/client";
import { FormField } from "../../ui/Form";
import { FormDialog } from "../../ui/FormDialog";
import { ProblemAlert } from "../../ui/ProblemAlert";
import { useNotifyChanged } from "../../ui/useNotifyChanged";
import { useFeatures } from "../../ui/useFeatures";
import type { EntitlementSet } from "./entitlementSet";
import { entriesOf, valuesOf } from "./entries";
import { ValueFields } from "./ValueFields";

interface EntitlementSetDialogProps {
  productId: string;
  /** The set to edit; omit it to create one. */
  set?: EntitlementSet;
  onClose: () => void;
}

/** Creates or edits an entitlement set. */
export function EntitlementSetDialog({ productId, set, onClose }: EntitlementSetDialogProps) {
  const notifyChanged = useNotifyChanged();
  const { data: offered = [], error, isPending } = useFeatures(productId);
  const [name, setName] = useState(set?.name ?? "");
  const [featureNames, setFeatureNames] = useState<string[]>(set?.featureNames ?? []);
  const [values, setValues] = useState(() => valuesOf(set?.entries ?? []));
  const chosen = offered.filter((feature) => featureNames.includes(feature.name));
  const save = async () => {
    const body = { name: name.trim(), entries: entriesOf(chosen, values) };
    if (set)
      await api.PUT("/api/entitlement-sets/{setId}", {
        params: { path: { setId: set.id } },
        body: changed(body, set),
      });
    else
      await api.POST("/api/products/{productId}/entitlement-sets", {
        params: { path: { productId } },
        body,
      });
    notifyChanged(
      set ? t`Entitlement set ${body.name} updated.` : t`Entitlement set ${body.name} added.`,
    );
  };
  return (
    <FormDialog
      title={set ? t`Edit entitlement set ${set.name}` : t`Add entitlement set`}
      action={set ? t`Save` : t`Add entitlement set`}
      onSubmit={save}
      onClose={onClose}
    >
      <FormField
        name="name"
        label={t`Name`}
        required
        autoFocus
        slotProps={{ htmlInput: { maxLength: 200, dir: "auto" } }}
        value={name}
        onValue={setName}
        helperText={t`For example Standard or Professional.`}
      />
      {error && <ProblemAlert error={error} />}
      <Autocomplete
        multiple
        disableCloseOnSelect
        loading={isPending}
        options={offered.map((feature) => feature.name)}
        value={featureNames}
        onChange={(_, names) => {
          setFeatureNames(names);
        }}
        noOptionsText={t`No more features`}
        renderInput={(props) => (
          <TextField
            {...props}
            label={t`Features`}
            helperText={t`The features that licenses with this set include.`}
          />
        )}
      />
      <ValueFields features={chosen} values={values} onChange={setValues} />
      {featureNames.length === 0 && (
        <Alert severity="info">
          {t`A set without features includes none: licenses with this set can run the application but use no features.`}
        </Alert>
      )}
      {set && (
        <Alert severity="info">
          {t`The change applies to every license with this set at its next online validation. Existing license files keep their features until they are refreshed.`}
        </Alert>
      )}
    </FormDialog>
  );
}
