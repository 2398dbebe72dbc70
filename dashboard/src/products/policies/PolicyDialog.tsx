import { t } from "@lingui/core/macro";
import Alert from "@mui/material/Alert";
import { useWatch } from "react-hook-form";
import {
  changed,
  chosen,
  type DraftOf,
  fieldsOf,
  OPTIONAL_NUMBER,
  OPTIONAL_TEXT,
  TEXT,
} from "../../api/fields";
import { PolicyRequest } from "../../api/checks";
import { api, at } from "../../api/client";
import { LICENSE_TYPES, type LicenseType, type Schemas } from "../../api/types";
import { FormDialog } from "../../ui/form/FormDialog";
import { FormField } from "../../ui/form/FormField";
import { type ApiForm, useApiForm } from "../../ui/form/useApiForm";
import { MODEL_LABELS } from "../../ui/labels";
import { Row } from "../../ui/layout/layout";
import { MetadataFields, METADATA } from "../../ui/MetadataFields";
import { MODEL_TRAITS } from "../../ui/models";
import { TermFields } from "../../ui/terms/TermFields";
import { policyTerms, type TermDraft, termsOfPolicy } from "../../ui/terms/terms";

interface PolicyDialogProps {
  productId: string;
  setNames: ReadonlyMap<string, string>;
  /** The policy to edit; omit it to create one. */
  policy?: Policy;
  onClose: () => void;
}

/** Creates or edits a policy. */
export function PolicyDialog({ productId, setNames, policy, onClose }: PolicyDialogProps) {
  const form = useApiForm({
    values: draftOf(policy),
    checks: PolicyRequest,
    send: (draft) => {
      const body = bodyOf(draft);
      if (!policy) return api.POST("/api/policies", { body: { productId, ...body } });
      const path = at({ policyId: policy.id });
      return api.PUT("/api/policies/{policyId}", { ...path, body: changed(body, policy) });
    },
    done: ({ name }) => (policy ? t`Policy ${name} updated.` : t`Policy ${name} added.`),
  });
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
        autoFocus
        input={{ dir: "auto" }}
        helperText={t`For example Team, yearly.`}
      />
      <FormField
        {...field("type")}
        label={t`Model`}
        options={LICENSE_TYPES.map((type) => [type, MODEL_LABELS[type]] as const)}
      />
      <PolicyTerms form={form} />
      <FormField
        {...field("entitlementSetId")}
        slotProps={{ select: { displayEmpty: true } }}
        helperText={t`Which features the licenses include.`}
        options={[["", t`Not restricted`], ...setNames]}
      />
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

const LATER = t`Leave empty to set it for each license.`;

/** The terms that the chosen model has. */
function PolicyTerms({ form }: { form: ApiForm<PolicyDraft> }) {
  const { control, field } = form;
  const [type, unit] = useWatch({ control, name: ["type", "unit"] });
  const duration = useWatch({ control, name: unit });
  const model = MODEL_TRAITS[type];
  const terms = { form, type, areOpen: true } as const;
  return (
    <>
      <Row gap="l" align="stretch" folds>
        <FormField
          key={unit}
          {...field(unit)}
          type="number"
          label={unit === "durationDays" ? t`Term in days` : t`Term in months`}
          helperText={model.expirationRequired ? LATER : t`Empty: the license does not expire.`}
        />
        <FormField
          {...field("unit")}
          label={t`Counted in`}
          options={[
            ["durationMonths", t`Months`],
            ["durationDays", t`Days`],
          ]}
        />
        <FormField
          {...field("termStarts")}
          label={t`The term starts`}
          disabled={duration === ""}
          options={[
            ["Issue", t`When the license is issued`],
            ["FirstUse", t`With the first use`],
          ]}
        />
      </Row>
      <TermFields {...terms} group="grace" />
      <FormField
        {...field("updatesDays")}
        type="number"
        helperText={t`How long after the issue new releases are covered. Empty: no end.`}
      />
      <TermFields {...terms} group="fallback" />
      {model.seats && (
        <FormField
          {...field("maxActiveUsersCount")}
          type="number"
          demand={{ minimum: 1, maximum: 1_000_000 }}
          helperText={LATER}
        />
      )}
      {model.meter && (
        <FormField
          {...field("initialMeterBalance")}
          type="number"
          demand={{ minimum: 0, maximum: 1e12, isWhole: model.meter !== "credits" }}
          input={{ step: model.meter === "credits" ? "any" : 1 }}
          label={model.meter === "credits" ? t`Initial credits` : t`Initial uses`}
          helperText={LATER}
        />
      )}
      {model.meter && (
        <FormField
          {...field("renewalGrant")}
          type="number"
          demand={{ minimum: 0, maximum: 1e12, isWhole: model.meter !== "credits" }}
          input={{ step: model.meter === "credits" ? "any" : 1 }}
          label={model.meter === "credits" ? t`Credits per renewal` : t`Uses per renewal`}
          helperText={t`What each renewal in a shop adds to the balance. Empty: nothing.`}
        />
      )}
      <TermFields {...terms} group="away" />
      <TermFields {...terms} group="modes" />
      <TermFields {...terms} group="devices" />
    </>
  );
}

export type Policy = Schemas["Policy"];

type TermUnit = "durationDays" | "durationMonths";

const FIELDS = fieldsOf({
  name: TEXT,
  type: chosen<LicenseType>("Subscription"),
  durationDays: OPTIONAL_NUMBER,
  durationMonths: OPTIONAL_NUMBER,
  termStarts: chosen<Policy["termStarts"]>("Issue"),
  updatesDays: OPTIONAL_NUMBER,
  maxActiveUsersCount: OPTIONAL_NUMBER,
  initialMeterBalance: OPTIONAL_NUMBER,
  renewalGrant: OPTIONAL_NUMBER,
  entitlementSetId: OPTIONAL_TEXT,
  licenseNamePattern: OPTIONAL_TEXT,
  metadata: METADATA,
});

/** What the dialog holds; texts are as typed, and empty for what each license is given. */
interface PolicyDraft extends DraftOf<typeof FIELDS>, TermDraft {
  /** Which length of the term counts. */
  unit: TermUnit;
}

const draftOf = (policy: Policy | undefined): PolicyDraft => ({
  ...policyTerms(policy),
  ...FIELDS.draftOf(policy),
  ...(!policy && { durationMonths: "12" }),
  unit: policy && policy.durationDays !== null ? "durationDays" : "durationMonths",
});

/** The request body: what the chosen model cannot have is null. */
function bodyOf(draft: PolicyDraft) {
  const { seats, meter } = MODEL_TRAITS[draft.type];
  const body = FIELDS.bodyOf(draft);
  return {
    ...termsOfPolicy(draft.type, draft),
    ...body,
    durationDays: draft.unit === "durationDays" ? body.durationDays : null,
    durationMonths: draft.unit === "durationMonths" ? body.durationMonths : null,
    termStarts: body[draft.unit] === null ? ("Issue" as const) : body.termStarts,
    maxActiveUsersCount: seats && body.maxActiveUsersCount,
    initialMeterBalance: meter && body.initialMeterBalance,
    renewalGrant: meter && body.renewalGrant,
  };
}
