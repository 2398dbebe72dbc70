import { t } from "@lingui/core/macro";
import Alert from "@mui/material/Alert";
import MenuItem from "@mui/material/MenuItem";
import { useState } from "react";
import { changed } from "../../api/changed";
import { api } from "../../api/client";
import { FormField } from "../../ui/Form";
import { FormDialog } from "../../ui/FormDialog";
import { useNotifyChanged } from "../../ui/useNotifyChanged";
import { KIND_LABELS, type Feature } from "./feature";

const KIND_HINTS: Record<Feature["kind"], string> = {
  Flag: t`A license includes the feature or does not.`,
  Number: t`A license has a number of it, for example 25 projects.`,
  Text: t`A license has a text of it, for example a region.`,
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
    const { name } = body;
    notifyChanged(feature ? t`Feature ${name} updated.` : t`Feature ${name} added.`);
  };
  return (
    <FormDialog
      title={feature ? t`Edit feature ${feature.name}` : t`Add feature`}
      action={feature ? t`Save` : t`Add feature`}
      onSubmit={save}
      onClose={onClose}
    >
      <FormField
        name="name"
        label={t`Name`}
        required
        autoFocus
        slotProps={{ htmlInput: { maxLength: 128, spellCheck: false } }}
        value={draft.name}
        onValue={(name) => {
          set({ name });
        }}
        helperText={t`The name your application checks for, for example export-pdf.`}
      />
      {isRenamed && (
        <Alert severity="warning">
          {t`Entitlement sets are updated automatically. Applications that check for ${{ oldName: feature.name }} no longer find it, and existing license files contain the old name.`}
        </Alert>
      )}
      <FormField
        name="kind"
        select
        label={t`Kind`}
        value={draft.kind}
        onValue={(kind) => {
          set({ kind: kind as Feature["kind"] });
        }}
        helperText={KIND_HINTS[draft.kind]}
      >
        {Object.entries(KIND_LABELS).map(([kind, label]) => (
          <MenuItem key={kind} value={kind}>
            {label}
          </MenuItem>
        ))}
      </FormField>
      <FormField
        name="displayName"
        label={t`Display name`}
        slotProps={{ htmlInput: { maxLength: 500, dir: "auto" } }}
        value={draft.displayName}
        onValue={(displayName) => {
          set({ displayName });
        }}
        helperText={t`The name people see.`}
      />
      <FormField
        name="description"
        label={t`Description`}
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
