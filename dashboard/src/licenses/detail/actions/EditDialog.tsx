import { t } from "@lingui/core/macro";
import { api } from "../../../api/client";
import { LicenseChange } from "../../../api/checks";
import { ConfirmFormDialog } from "../../../ui/ConfirmDialog";
import { FormField } from "../../../ui/form/FormField";
import { useApiForm } from "../../../ui/form/useApiForm";
import { MarkdownField } from "../../../ui/MarkdownField";
import { isCapped } from "../traits";
import { useNotifyChanged } from "../../../ui/useNotifyChanged";
import { CatalogFields } from "./CatalogFields";
import type { LicenseDialogProps } from "./dialog";
import { changesOf, draftOf } from "./draft";
import { useFeatures } from "../../../ui/useFeatures";
import { MetadataFields } from "./MetadataFields";
import { SeatsField } from "./SeatsField";
import { ValuesField } from "./ValuesField";

export function EditDialog({ license, onClose }: LicenseDialogProps) {
  const { data: features = [] } = useFeatures(license.productId);
  const notifyChanged = useNotifyChanged();
  const isFrozen = license.status === "Revoked";
  const form = useApiForm({
    values: draftOf(license),
    checks: LicenseChange,
    send: async (draft) => {
      const kinds = new Map(features.map(({ name, kind }) => [name, kind]));
      const body = changesOf(license, draft, kinds);
      if (Object.keys(body).length === 0) return;
      await api.PUT("/api/licenses/{licenseId}", {
        params: { path: { licenseId: license.id } },
        body,
      });
      notifyChanged(t`License updated.`);
    },
  });
  const { field } = form;
  return (
    <ConfirmFormDialog
      form={form}
      title={t`Edit license`}
      action={t`Save`}
      onClose={onClose}
      consequence={
        isFrozen
          ? t`The license is revoked: only its notes and metadata can still change.`
          : t`Applications get the changes with their next validation. Existing license files keep the old values until they are refreshed.`
      }
    >
      {!isFrozen && (
        <>
          <FormField
            {...field("licenseName")}
            label={t`Name`}
            demand={{ required: true, maxLength: 200 }}
          />
          <FormField
            {...field("issuedTo")}
            label={t`Issued to`}
            helperText={t`An email address or a user ID.`}
            required={license.type !== "Perpetual"}
          />
          <FormField {...field("issuer")} label={t`Issuer`} />
          {isCapped(license.type) && (
            <SeatsField
              {...field("maxActiveUsersCount")}
              helperText={t`Lowering it ends no sessions and removes no devices, but new ones are rejected until a seat is free.`}
            />
          )}
          <CatalogFields license={license} form={form} />
          <ValuesField {...field("featureValues")} features={features} />
        </>
      )}
      <MarkdownField
        {...field("notes")}
        label={t`Notes`}
        helperText={t`For your team only; customers cannot see them.`}
      />
      <MetadataFields {...field("metadata")} />
    </ConfirmFormDialog>
  );
}
