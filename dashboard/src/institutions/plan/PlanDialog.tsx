import { plural, t } from "@lingui/core/macro";
import DialogContentText from "@mui/material/DialogContentText";
import MenuItem from "@mui/material/MenuItem";
import { PlanRequest } from "../../api/checks";
import { api } from "../../api/client";
import type { Institution, Schemas } from "../../api/types";
import { FormDialog } from "../../ui/form/FormDialog";
import { FormField } from "../../ui/form/FormField";
import { useApiForm } from "../../ui/form/useApiForm";
import { PLAN_LABELS } from "../../ui/labels";
import { Row } from "../../ui/layout/layout";
import { useNotifyChanged } from "../../ui/useNotifyChanged";

type Plan = Schemas["Plan"];

type Limits = Schemas["PlanLimits"];

const PLANS: Record<Plan, Limits> = {
  Free: { products: 3, licenses: 100 },
  Pro: { products: 50, licenses: 10_000 },
  Unlimited: { products: null, licenses: null },
};

/** A plan and its limits: "Free: 3 products, 100 licenses". */
function planText(name: Plan): string {
  const plan = PLAN_LABELS[name];
  const { products, licenses } = PLANS[name];
  return products === null || licenses === null
    ? t`${plan}: no limits`
    : t`${plan}: ${plural(products, { other: "# products" })}, ${plural(licenses, { other: "# licenses" })}`;
}

/** The custom limit of an institution that overrides its plan's; empty if there is none. */
const ownLimit = ({ plan, limits }: Institution, what: keyof Limits) =>
  limits[what] === PLANS[plan][what] ? "" : String(limits[what] ?? "");

const draftOf = (institution: Institution) => ({
  plan: institution.plan,
  limits: {
    products: ownLimit(institution, "products"),
    licenses: ownLimit(institution, "licenses"),
  },
});

const limitOf = (text: string) => (text.trim() === "" ? null : Number(text));

const bodyOf = ({ plan, limits }: ReturnType<typeof draftOf>) => ({
  plan,
  limits: { products: limitOf(limits.products), licenses: limitOf(limits.licenses) },
});

interface PlanDialogProps {
  institution: Institution;
  onClose: () => void;
}

/** Lets a system Admin change the plan and override its limits. */
export function PlanDialog({ institution, onClose }: PlanDialogProps) {
  const notifyChanged = useNotifyChanged();
  const form = useApiForm({
    values: draftOf(institution),
    checks: PlanRequest,
    send: async (draft) => {
      await api.PUT("/api/institutions/{institutionId}/plan", {
        params: { path: { institutionId: institution.id } },
        body: bodyOf(draft),
      });
      notifyChanged(
        t`${{ institution: institution.name }} is now on the ${{ plan: PLAN_LABELS[draft.plan] }} plan.`,
      );
    },
  });
  const limit = (what: keyof Limits, label: string) => (
    <FormField
      {...form.field(`limits.${what}`)}
      type="number"
      label={label}
      demand={{ minimum: 0 }}
      helperText={t`Leave empty to use the plan's limit.`}
    />
  );
  return (
    <FormDialog form={form} title={t`Change plan`} action={t`Change plan`} onClose={onClose}>
      <DialogContentText>
        {t`The change takes effect immediately. Existing products and licenses stay, even beyond a limit; new ones cannot be added.`}
      </DialogContentText>
      <FormField {...form.field("plan")} label={t`Plan`} select>
        {(Object.keys(PLANS) as Plan[]).map((name) => (
          <MenuItem key={name} value={name}>
            {planText(name)}
          </MenuItem>
        ))}
      </FormField>
      <Row gap="l" align="stretch" folds>
        {limit("products", t`Max products`)}
        {limit("licenses", t`Max licenses`)}
      </Row>
    </FormDialog>
  );
}
