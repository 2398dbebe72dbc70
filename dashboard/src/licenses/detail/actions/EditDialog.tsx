import { t } from "@lingui/core/macro";
import { useState } from "react";
import { api } from "../../../api/client";
import { ConfirmDialog } from "../../../ui/ConfirmDialog";
import { FormField } from "../../../ui/Form";
import { MarkdownEditor } from "../../../ui/MarkdownField";
import { isCapped } from "../traits";
import { useNotifyChanged } from "../../../ui/useNotifyChanged";
import { CatalogFields } from "./CatalogFields";
import type { LicenseDialogProps } from "./dialog";
import { changesOf, draftOf, type Draft } from "./draft";
import { useFeatures } from "../../../ui/useFeatures";
import { FeatureValueFields } from "../../FeatureValueFields";
import { MetadataFields } from "./MetadataFields";
import { SeatsField } from "./SeatsField";

type TextName = "licenseName" | "issuedTo" | "issuer" | "notes";

export function EditDialog({ license, onClose }: LicenseDialogProps) {
  const [draft, setDraft] = useState<Draft>(() => draftOf(license));
  const { data: features = [] } = useFeatures(license.productId);
  const notifyChanged = useNotifyChanged();
  const isFrozen = license.status === "Revoked";
  const set = (fields: Partial<Draft>) => {
    setDraft((before) => ({ ...before, ...fields }));
  };
  const save = async () => {
    const body = changesOf(license, draft, new Map(features.map(({ name, kind }) => [name, kind])));
    if (Object.keys(body).length === 0) return;
    await api.PUT("/api/licenses/{licenseId}", {
      params: { path: { licenseId: license.id } },
      body,
    });
    notifyChanged(t`License updated.`);
  };
  const text = (name: TextName) => ({
    name,
    value: draft[name],
    onValue: (value: string) => {
      set({ [name]: value });
    },
  });
  return (
    <ConfirmDialog
      title={t`Edit license`}
      action={t`Save`}
      onConfirm={save}
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
            {...text("licenseName")}
            label={t`Name`}
            required
            slotProps={{ htmlInput: { maxLength: 200 } }}
          />
          <FormField
            {...text("issuedTo")}
            label={t`Issued to`}
            helperText={t`An email address or a user ID.`}
            required={license.type !== "Perpetual"}
          />
          <FormField
            {...text("issuer")}
            label={t`Issuer`}
            slotProps={{ htmlInput: { maxLength: 500 } }}
          />
          {isCapped(license.type) && (
            <SeatsField
              value={draft.seats}
              onChange={(seats) => {
                set({ seats });
              }}
              helperText={t`Lowering it ends no sessions and removes no devices, but new ones are rejected until a seat is free.`}
            />
          )}
          <CatalogFields
            license={license}
            releaseId={draft.softwareReleaseId}
            entitlementSetId={draft.entitlementSetId}
            onRelease={(softwareReleaseId) => {
              set({ softwareReleaseId });
            }}
            onEntitlementSet={(entitlementSetId) => {
              set({ entitlementSetId });
            }}
          />
          <FeatureValueFields
            features={features}
            pairs={draft.featureValues}
            onChange={(featureValues) => {
              set({ featureValues });
            }}
          />
        </>
      )}
      <MarkdownEditor
        message={undefined}
        {...text("notes")}
        label={t`Notes`}
        helperText={t`For your team only; customers cannot see them.`}
      />
      <MetadataFields
        pairs={draft.metadata}
        onChange={(metadata) => {
          set({ metadata });
        }}
      />
    </ConfirmDialog>
  );
}
