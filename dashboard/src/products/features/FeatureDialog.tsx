import { t } from "@lingui/core/macro";
import Alert from "@mui/material/Alert";
import MenuItem from "@mui/material/MenuItem";
import { useWatch } from "react-hook-form";
import { changed } from "../../api/changed";
import { api } from "../../api/client";
import { FeatureRequest } from "../../api/checks";
import { FormDialog } from "../../ui/form/FormDialog";
import { FormField } from "../../ui/form/FormField";
import { useApiForm } from "../../ui/form/useApiForm";
import { useNotifyChanged } from "../../ui/useNotifyChanged";
import { KIND_LABELS, type Feature } from "./feature";

const KIND_HINTS: Record<Feature["kind"], string> = {
  Flag: t`A license includes the feature or does not.`,
  Number: t`The license sets a number, for example 25 projects.`,
  Text: t`The license sets a text, for example a region.`,
};

interface FeatureDraft {
  name: string;
  displayName: string;
  description: string;
  kind: Feature["kind"];
}

const draftOf = (feature: Feature | undefined): FeatureDraft => ({
  name: feature?.name ?? "",
  displayName: feature?.displayName ?? "",
  description: feature?.description ?? "",
  kind: feature?.kind ?? "Flag",
});

const bodyOf = (draft: FeatureDraft) => ({
  name: draft.name.trim(),
  displayName: draft.displayName.trim() || null,
  description: draft.description.trim() || null,
  kind: draft.kind,
});

interface FeatureDialogProps {
  productId: string;
  /** The feature to edit; omit it to create one. */
  feature?: Feature;
  onClose: () => void;
}

/** Creates or edits a feature. */
export function FeatureDialog({ productId, feature, onClose }: FeatureDialogProps) {
  const notifyChanged = useNotifyChanged();
  const save = async (draft: FeatureDraft) => {
    const body = bodyOf(draft);
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
  const form = useApiForm({ values: draftOf(feature), checks: FeatureRequest, send: save });
  const { control, field } = form;
  const [name, kind] = useWatch({ control, name: ["name", "kind"] });
  const isRenamed = feature !== undefined && name.trim() !== feature.name;
  return (
    <FormDialog
      form={form}
      title={feature ? t`Edit feature ${feature.name}` : t`Add feature`}
      action={feature ? t`Save` : t`Add feature`}
      onClose={onClose}
    >
      <FormField
        {...field("name")}
        label={t`Name`}
        autoFocus
        input={{ spellCheck: false }}
        helperText={t`The name your application checks for, for example export-pdf.`}
      />
      {isRenamed && (
        <Alert severity="warning">
          {t`Entitlement sets are updated automatically. Applications that check for ${{ oldName: feature.name }} no longer find it, and existing license files contain the old name.`}
        </Alert>
      )}
      <FormField {...field("kind")} select label={t`Kind`} helperText={KIND_HINTS[kind]}>
        {Object.entries(KIND_LABELS).map(([key, label]) => (
          <MenuItem key={key} value={key}>
            {label}
          </MenuItem>
        ))}
      </FormField>
      <FormField
        {...field("displayName")}
        label={t`Display name`}
        input={{ dir: "auto" }}
        helperText={t`The name people see.`}
      />
      <FormField
        {...field("description")}
        label={t`Description`}
        multiline
        minRows={2}
        maxRows={8}
        input={{ dir: "auto" }}
      />
    </FormDialog>
  );
}
