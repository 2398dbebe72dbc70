import { plural, t } from "@lingui/core/macro";
import DialogContentText from "@mui/material/DialogContentText";
import MenuItem from "@mui/material/MenuItem";
import Stack from "@mui/material/Stack";
import { useState } from "react";
import { api } from "../../api/client";
import type { Institution, Schemas } from "../../api/types";
import { FormField } from "../../ui/Form";
import { FormDialog } from "../../ui/FormDialog";
import { PLAN_LABELS } from "../../ui/labels";
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

const limitOf = (text: string) => (text.trim() === "" ? null : Number(text));

/** The custom limit of an institution that overrides its plan's; empty if there is none. */
const ownLimit = ({ plan, limits }: Institution, what: keyof Limits) =>
  limits[what] === PLANS[plan][what] ? "" : String(limits[what] ?? "");

/** Lets a system Admin change the plan and override its limits. */
export function PlanDialog({
  institution,
  onClose,
}: {
  institution: Institution;
  onClose: () => void;
}) {
  const [plan, setPlan] = useState<Plan>(institution.plan);
  const [products, setProducts] = useState(ownLimit(institution, "products"));
  const [licenses, setLicenses] = useState(ownLimit(institution, "licenses"));
  const notifyChanged = useNotifyChanged();
  const save = async () => {
    await api.PUT("/api/institutions/{institutionId}/plan", {
      params: { path: { institutionId: institution.id } },
      body: { plan, limits: { products: limitOf(products), licenses: limitOf(licenses) } },
    });
    notifyChanged(
      t`${{ institution: institution.name }} is now on the ${{ plan: PLAN_LABELS[plan] }} plan.`,
    );
  };
  const whole = { htmlInput: { min: 0, max: 1_000_000_000, step: 1 } };
  return (
    <FormDialog title={t`Change plan`} action={t`Change plan`} onSubmit={save} onClose={onClose}>
      <DialogContentText>
        {t`The change takes effect immediately. Existing products and licenses stay, even beyond a limit; new ones cannot be added.`}
      </DialogContentText>
      <FormField
        name="plan"
        label={t`Plan`}
        select
        value={plan}
        onValue={(value) => {
          setPlan(value as Plan);
        }}
      >
        {(Object.keys(PLANS) as Plan[]).map((name) => (
          <MenuItem key={name} value={name}>
            {planText(name)}
          </MenuItem>
        ))}
      </FormField>
      <Stack direction={{ xs: "column", sm: "row" }} sx={{ gap: 2 }}>
        <FormField
          name="limits.products"
          type="number"
          label={t`Max products`}
          helperText={t`Leave empty to use the plan's limit.`}
          slotProps={whole}
          value={products}
          onValue={setProducts}
        />
        <FormField
          name="limits.licenses"
          type="number"
          label={t`Max licenses`}
          helperText={t`Leave empty to use the plan's limit.`}
          slotProps={whole}
          value={licenses}
          onValue={setLicenses}
        />
      </Stack>
    </FormDialog>
  );
}
