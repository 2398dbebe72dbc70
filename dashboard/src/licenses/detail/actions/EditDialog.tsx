import { t } from "@lingui/core/macro";
import { api } from "../../../api/client";
import { LicenseChange } from "../../../api/checks";
import { ConfirmFormDialog } from "../../../ui/ConfirmDialog";
import { FormField } from "../../../ui/form/FormField";
import { useApiForm } from "../../../ui/form/useApiForm";
import { MarkdownField } from "../../../ui/MarkdownField";
import { isCapped } from "../traits";
import { MODEL_TRAITS } from "../../../ui/models";
import { useNotifyChanged } from "../../../ui/useNotifyChanged";
import { useProduct } from "../../../ui/useProduct";
import { OwnTextFields } from "../../ownTexts";
import {
  BINDING_WORDS,
  CustomerInstitutionField,
  GraceField,
  MODE_WORDS,
  ModeField,
} from "../../termFields";
import { CatalogFields } from "./CatalogFields";
import { CredentialFields } from "./CredentialFields";
import type { LicenseDialogProps } from "./dialog";
import { changesOf, draftOf } from "./draft";
import { useFeatures } from "../../../ui/useFeatures";
import { MetadataFields } from "../../../ui/MetadataFields";
import { SeatsField } from "./SeatsField";
import { ValuesField } from "./ValuesField";

export function EditDialog({ license, onClose }: LicenseDialogProps) {
  const { data: features = [] } = useFeatures(license.productId);
  const notifyChanged = useNotifyChanged();
  const { data: product } = useProduct(license.productId);
  const model = MODEL_TRAITS[license.type];
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
          <CustomerInstitutionField {...field("customerInstitutionId")} product={product} />
          <OwnTextFields form={form} />
          <GraceField {...field("graceDays")} />
          {isCapped(license.type) && (
            <SeatsField
              {...field("maxActiveUsersCount")}
              helperText={t`Lowering it ends no sessions and removes no devices, but new ones are rejected until a seat is free.`}
            />
          )}
          {model.offline && (
            <ModeField {...field("activationMode")} label={t`Activation mode`} words={MODE_WORDS} />
          )}
          {model.binding && (
            <ModeField
              {...field("deviceBindingMode")}
              label={t`Device binding mode`}
              words={BINDING_WORDS}
            />
          )}
          {model.credentials && <CredentialFields license={license} form={form} />}
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
