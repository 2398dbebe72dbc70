import Alert from "@mui/material/Alert";
import MenuItem from "@mui/material/MenuItem";
import { useState } from "react";
import { changed } from "../../api/changed";
import { api } from "../../api/client";
import { FormField } from "../../ui/Form";
import { FormDialog } from "../../ui/FormDialog";
import { useNotifyChanged } from "../../ui/useNotifyChanged";
import type { Feature } from "./feature";

const KINDS: Record<Feature["kind"], { label: string; hint: string }> = {
  Flag: { label: "Flag", hint: "A license includes the feature or does not." },
  Number: { label: "Number", hint: "A license has a number of it, for example 25 projects." },
  Text: { label: "Text", hint: "A license has a text of it, for example a region." },
};

interface FeatureDialogProps {
  productId: string;
  /** The feature to edit; omit it to create one. */
  feature?: Feature;
  onClose: () => void;
}

/** Creates or edits a feature. */
export function FeatureDialog({ productId, feature, onClose }: FeatureDialogProps) {
  const notifyChanged = useNotifyChanged();
  const [draft, setDraft] = useState({
    name: feature?.name ?? "",
    displayName: feature?.displayName ?? "",
    description: feature?.description ?? "",
    kind: feature?.kind ?? "Flag",
  });
  const set = (change: Partial<typeof draft>) => {
    setDraft((now) => ({ ...now, ...change }));
  };
  const isRenamed = feature !== undefined && draft.name.trim() !== feature.name;
  const save = async () => {
    const body = {
      name: draft.name.trim(),
      displayName: draft.displayName.trim() || null,
      description: draft.description.trim() || null,
      kind: draft.kind,
    };
    if (feature)
      await api.PUT("/api/features/{featureId}", {
        params: { path: { featureId: feature.id } },
        body: changed(body, feature),
      });
    else
      await api.POST("/api/products/{productId}/features", {
        params: { path: { productId } },
        body,
      });
    notifyChanged(`Feature ${body.name} ${feature ? "updated" : "added"}.`);
  };
  return (
    <FormDialog
      title={feature ? `Edit feature ${feature.name}` : "Add feature"}
      action={feature ? "Save" : "Add feature"}
      onSubmit={save}
      onClose={onClose}
    >
      <FormField
        name="name"
        label="Name"
        required
        autoFocus
        slotProps={{ htmlInput: { maxLength: 128, spellCheck: false } }}
        value={draft.name}
        onValue={(name) => {
          set({ name });
        }}
        helperText="The name your application checks for, for example export-pdf."
      />
      {isRenamed && (
        <Alert severity="warning">
          Entitlement sets are updated automatically. Applications that check for {feature.name} no
          longer find it, and existing license files contain the old name.
        </Alert>
      )}
      <FormField
        name="kind"
        select
        label="Kind"
        value={draft.kind}
        onValue={(kind) => {
          set({ kind: kind as Feature["kind"] });
        }}
        helperText={KINDS[draft.kind].hint}
      >
        {Object.entries(KINDS).map(([kind, { label }]) => (
          <MenuItem key={kind} value={kind}>
            {label}
          </MenuItem>
        ))}
      </FormField>
      <FormField
        name="displayName"
        label="Display name"
        slotProps={{ htmlInput: { maxLength: 500, dir: "auto" } }}
        value={draft.displayName}
        onValue={(displayName) => {
          set({ displayName });
        }}
        helperText="The name people see."
      />
      <FormField
        name="description"
        label="Description"
        multiline
        minRows={2}
        maxRows={8}
        slotProps={{ htmlInput: { maxLength: 20_000, dir: "auto" } }}
        value={draft.description}
        onValue={(description) => {
          set({ description });
        }}
      />
    </FormDialog>
  );
}
