import { useState } from "react";
import { api } from "../../../api/client";
import { ConfirmDialog } from "../../../ui/ConfirmDialog";
import { FormField } from "../../../ui/Form";
import { isCapped } from "../facts";
import { useChanged } from "../../../ui/useChanged";
import { CatalogFields } from "./CatalogFields";
import type { LicenseDialogProps } from "./dialog";
import { changesOf, draftOf, type Draft } from "./draft";
import { MetadataFields } from "./MetadataFields";
import { SeatsField } from "./SeatsField";

type TextName = "licenseName" | "issuedTo" | "issuer" | "notes";

export function EditDialog({ license, onClose }: LicenseDialogProps) {
  const [draft, setDraft] = useState<Draft>(() => draftOf(license));
  const changed = useChanged();
  const set = (fields: Partial<Draft>) => {
    setDraft((before) => ({ ...before, ...fields }));
  };
  const save = async () => {
    const body = changesOf(license, draft);
    if (Object.keys(body).length === 0) return;
    await api.PUT("/api/licenses/{licenseId}", {
      params: { path: { licenseId: license.id } },
      body,
    });
    changed("The license is saved.");
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
      title="Edit license"
      action="Save"
      onConfirm={save}
      onClose={onClose}
      consequence="Applications read the new facts at their next check. License files that customers have keep the old ones until they are refreshed."
    >
      <FormField
        {...text("licenseName")}
        label="Name"
        required
        slotProps={{ htmlInput: { maxLength: 200 } }}
      />
      <FormField
        {...text("issuedTo")}
        label="Issued to"
        helperText="An e-mail address, or the id of a user."
        required={license.type !== "Perpetual"}
      />
      <FormField {...text("issuer")} label="Issuer" slotProps={{ htmlInput: { maxLength: 500 } }} />
      {isCapped(license.type) && (
        <SeatsField
          value={draft.seats}
          onChange={(seats) => {
            set({ seats });
          }}
          helperText="Fewer seats throw nobody out; nobody new is let in until there is room."
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
      <FormField
        {...text("notes")}
        label="Notes"
        helperText="Markdown, for your team. Customers do not see them."
        multiline
        minRows={3}
        maxRows={12}
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
