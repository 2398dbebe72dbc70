import { t } from "@lingui/core/macro";
import Alert from "@mui/material/Alert";
import MenuItem from "@mui/material/MenuItem";
import { useState } from "react";
import { changed } from "../../api/changed";
import { api } from "../../api/client";
import { LICENSE_TYPES } from "../../api/types";
import { FormField } from "../../ui/Form";
import { FormDialog } from "../../ui/FormDialog";
import { MODEL_LABELS } from "../../ui/labels";
import { useNotifyChanged } from "../../ui/useNotifyChanged";
import { bodyOf, draftOf, type Policy, type PolicyDraft } from "./policy";
import { PolicyTerms } from "./PolicyTerms";

interface PolicyDialogProps {
  productId: string;
  setNames: ReadonlyMap<string, string>;
  /** The policy to edit; omit it to create one. */
  policy?: Policy;
  onClose: () => void;
}

/** Creates or edits a policy. */
export function PolicyDialog({ productId, setNames, policy, onClose }: PolicyDialogProps) {
  const notifyChanged = useNotifyChanged();
  const [draft, setDraft] = useState(() => draftOf(policy));
  const set = (change: Partial<PolicyDraft>) => {
    setDraft((now) => ({ ...now, ...change }));
  };
  const save = async () => {
    const body = bodyOf(draft);
    if (policy)
      await api.PUT("/api/policies/{policyId}", {
        params: { path: { policyId: policy.id } },
        body: changed(body, policy),
      });
    else await api.POST("/api/policies", { body: { productId, ...body } });
    const { name } = body;
    notifyChanged(policy ? t`Policy ${name} updated.` : t`Policy ${name} added.`);
  };
  return (
    <FormDialog
      title={policy ? t`Edit policy ${policy.name}` : t`Add policy`}
      action={policy ? t`Save` : t`Add policy`}
      onSubmit={save}
      onClose={onClose}
    >
      {policy && (
        <Alert severity="info">
          {t`The change applies to new licenses only. To change licenses that exist, apply the policy to them afterwards.`}
        </Alert>
      )}
      <FormField
        name="name"
        label={t`Name`}
        required
        autoFocus
        slotProps={{ htmlInput: { maxLength: 200, dir: "auto" } }}
        value={draft.name}
        onValue={(name) => {
          set({ name });
        }}
        helperText={t`For example Team, yearly.`}
      />
      <FormField
        name="type"
        select
        label={t`Model`}
        value={draft.type}
        onValue={(type) => {
          set({ type: type as PolicyDraft["type"] });
        }}
      >
        {LICENSE_TYPES.map((type) => (
          <MenuItem key={type} value={type}>
            {MODEL_LABELS[type]}
          </MenuItem>
        ))}
      </FormField>
      <PolicyTerms draft={draft} set={set} />
      <FormField
        name="entitlementSetId"
        select
        label={t`Entitlement set`}
        value={draft.entitlementSetId}
        onValue={(entitlementSetId) => {
          set({ entitlementSetId });
        }}
        slotProps={{ inputLabel: { shrink: true }, select: { displayEmpty: true } }}
        helperText={t`Which features the licenses include.`}
      >
        <MenuItem value="">{t`Not restricted`}</MenuItem>
        {[...setNames].map(([id, name]) => (
          <MenuItem key={id} value={id}>
            {name}
          </MenuItem>
        ))}
      </FormField>
      <FormField
        name="licenseNamePattern"
        label={t`License name`}
        slotProps={{ htmlInput: { maxLength: 200, dir: "auto" } }}
        value={draft.licenseNamePattern}
        onValue={(licenseNamePattern) => {
          set({ licenseNamePattern });
        }}
        helperText={t`May contain ${{ product: "{product}" }}, ${{ customer: "{customer}" }}, ${{ policy: "{policy}" }} and ${{ date: "{date}" }}. Empty for the name of the policy.`}
      />
    </FormDialog>
  );
}
