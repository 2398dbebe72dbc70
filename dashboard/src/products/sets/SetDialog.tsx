import Alert from "@mui/material/Alert";
import Autocomplete from "@mui/material/Autocomplete";
import TextField from "@mui/material/TextField";
import { useState } from "react";
import { changed } from "../../api/changed";
import { api } from "../../api/client";
import { FormField } from "../../ui/Form";
import { FormDialog } from "../../ui/FormDialog";
import { ProblemAlert } from "../../ui/ProblemAlert";
import { useChanged } from "../../ui/useChanged";
import { useFeatureNames, type EntitlementSet } from "./set";

interface SetDialogProps {
  productId: string;
  /** The set to be changed; without one it is made. */
  set?: EntitlementSet;
  onClose: () => void;
}

/** Makes an entitlement set, or changes its name and features. */
export function SetDialog({ productId, set, onClose }: SetDialogProps) {
  const tell = useChanged();
  const { data: offered, error, isPending } = useFeatureNames(productId);
  const [name, setName] = useState(set?.name ?? "");
  const [featureNames, setFeatureNames] = useState<string[]>(set?.featureNames ?? []);
  const save = async () => {
    const body = { name: name.trim(), featureNames };
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
    tell(`The entitlement set ${body.name} was ${set ? "changed" : "added"}.`);
  };
  return (
    <FormDialog
      title={set ? `Edit entitlement set ${set.name}` : "Add entitlement set"}
      action={set ? "Save" : "Add entitlement set"}
      onSubmit={save}
      onClose={onClose}
    >
      <FormField
        name="name"
        label="Name"
        required
        autoFocus
        slotProps={{ htmlInput: { maxLength: 200, dir: "auto" } }}
        value={name}
        onValue={setName}
        helperText="Such as Standard or Professional."
      />
      {error && <ProblemAlert error={error} />}
      <Autocomplete
        multiple
        disableCloseOnSelect
        loading={isPending}
        options={offered ?? []}
        value={featureNames}
        onChange={(_, chosen) => {
          setFeatureNames(chosen);
        }}
        noOptionsText="The product has no further features."
        renderInput={(props) => (
          <TextField
            {...props}
            label="Features"
            helperText="What licenses with this set may use."
          />
        )}
      />
      {featureNames.length === 0 && (
        <Alert severity="info">
          A set without features grants none: licenses that use it may run the application and no
          feature of it.
        </Alert>
      )}
      {set && (
        <Alert severity="info">
          The change counts for every license that uses the set, at its next online check. License
          files that are out there keep the features they were issued with until they are renewed.
        </Alert>
      )}
    </FormDialog>
  );
}
