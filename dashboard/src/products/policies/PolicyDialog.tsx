import { t } from "@lingui/core/macro";
import Alert from "@mui/material/Alert";
import MenuItem from "@mui/material/MenuItem";
import { changed } from "../../api/changed";
import { PolicyRequest } from "../../api/checks";
import { api } from "../../api/client";
import { LICENSE_TYPES } from "../../api/types";
import { FormDialog } from "../../ui/form/FormDialog";
import { FormField } from "../../ui/form/FormField";
import { useApiForm } from "../../ui/form/useApiForm";
import { MODEL_LABELS } from "../../ui/labels";
import { MetadataFields } from "../../ui/MetadataFields";
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
  const save = async (draft: PolicyDraft) => {
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
  const form = useApiForm({ values: draftOf(policy), checks: PolicyRequest, send: save });
  const { field } = form;
  return (
    <FormDialog
      form={form}
      title={policy ? t`Edit policy ${policy.name}` : t`Add policy`}
      action={policy ? t`Save` : t`Add policy`}
      onClose={onClose}
    >
      {policy && (
        <Alert severity="info">
          {t`The change applies to new licenses only. To change licenses that exist, apply the policy to them afterwards.`}
        </Alert>
      )}
      <FormField
        {...field("name")}
        label={t`Name`}
        autoFocus
        input={{ dir: "auto" }}
        helperText={t`For example Team, yearly.`}
      />
      <FormField {...field("type")} select label={t`Model`}>
        {LICENSE_TYPES.map((type) => (
          <MenuItem key={type} value={type}>
            {MODEL_LABELS[type]}
          </MenuItem>
        ))}
      </FormField>
      <PolicyTerms form={form} />
      <FormField
        {...field("entitlementSetId")}
        select
        label={t`Entitlement set`}
        slotProps={{ select: { displayEmpty: true } }}
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
        {...field("licenseNamePattern")}
        label={t`License name`}
        demand={{ maxLength: 200 }}
        input={{ dir: "auto" }}
        helperText={t`May contain ${{ product: "{product}" }}, ${{ customer: "{customer}" }}, ${{ policy: "{policy}" }} and ${{ date: "{date}" }}. Empty for the name of the policy.`}
      />
      <MetadataFields {...field("metadata")} />
    </FormDialog>
  );
}
