import { t } from "@lingui/core/macro";
import Alert from "@mui/material/Alert";
import { changed } from "../../api/changed";
import { EntitlementSetRequest } from "../../api/checks";
import { api } from "../../api/client";
import { FormDialog } from "../../ui/form/FormDialog";
import { FormField } from "../../ui/form/FormField";
import { useApiForm } from "../../ui/form/useApiForm";
import { ProblemAlert } from "../../ui/ProblemAlert";
import { useNotifyChanged } from "../../ui/useNotifyChanged";
import { useFeatures } from "../../ui/useFeatures";
import { bodyOf, draftOf, type EntitlementSet, type SetDraft } from "./entitlementSet";
import { EntriesField } from "./EntriesField";

interface EntitlementSetDialogProps {
  productId: string;
  /** The set to edit; omit it to create one. */
  set?: EntitlementSet;
  onClose: () => void;
}

/** Creates or edits an entitlement set. */
export function EntitlementSetDialog({ productId, set, onClose }: EntitlementSetDialogProps) {
  const notifyChanged = useNotifyChanged();
  const { data: features, error } = useFeatures(productId);
  const save = async (draft: SetDraft) => {
    const body = bodyOf(draft, features ?? []);
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
  const form = useApiForm({ values: draftOf(set), checks: EntitlementSetRequest, send: save });
  return (
    <FormDialog
      form={form}
      title={set ? t`Edit entitlement set ${set.name}` : t`Add entitlement set`}
      action={set ? t`Save` : t`Add entitlement set`}
      // Without its features, the set would be saved as an empty one.
      disabled={!features}
      onClose={onClose}
    >
      <FormField
        {...form.field("name")}
        label={t`Name`}
        autoFocus
        input={{ dir: "auto" }}
        helperText={t`For example Standard or Professional.`}
      />
      {error && <ProblemAlert error={error} />}
      <EntriesField form={form} features={features} />
      {set && (
        <Alert severity="info">
          {t`The change applies to every license with this set at its next online validation. Existing license files keep their features until they are refreshed.`}
        </Alert>
      )}
    </FormDialog>
  );
}
