import { plural, t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import DialogContentText from "@mui/material/DialogContentText";
import LinearProgress from "@mui/material/LinearProgress";
import Skeleton from "@mui/material/Skeleton";
import Typography from "@mui/material/Typography";
import { useId, useState } from "react";
import { PlanRequest } from "../../api/checks";
import { $api, api, at } from "../../api/client";
import { numberOrNull } from "../../api/fields";
import type { Institution, Schemas } from "../../api/types";
import { FormDialog } from "../../ui/form/FormDialog";
import { FormField } from "../../ui/form/FormField";
import { useApiForm } from "../../ui/form/useApiForm";
import { date, number } from "../../ui/formats";
import { PLAN_LABELS } from "../../ui/labels";
import { Column, Row } from "../../ui/layout/layout";
import { Muted } from "../../ui/Muted";
import { ProblemAlert } from "../../ui/ProblemAlert";
import { Section } from "../../ui/Section";
import { StatusChip } from "../../ui/StatusChip";
import type { Can } from "../../ui/useInstitution";
import type { SettingsTabProps } from "../settings/settings";

/** The plan of the institution and its use. */
export function PlanTab({ institution, can }: SettingsTabProps) {
  const { data, error, refetch } = $api.useQuery(
    "get",
    "/api/institutions/{institutionId}/overview",
    at({ institutionId: institution.id }),
  );
  if (error) return <ProblemAlert error={error} retry={() => void refetch()} />;
  return <PlanSection institution={institution} overview={data} can={can} />;
}

interface UsageProps {
  name: string;
  used: number;
  /** Null for no limit. */
  limit: number | null;
}

function Usage({ name, used, limit }: UsageProps) {
  const id = useId();
  const count = number(used);
  const share = limit === null ? 0 : Math.min(100, limit === 0 ? 100 : (used / limit) * 100);
  return (
    <Column gap="s">
      <Row gap="s" align="stretch" place="apart">
        <Typography variant="body2" id={id}>
          {name}
        </Typography>
        <Muted>
          {limit === null ? t`${count}, no limit` : t`${count} of ${{ limit: number(limit) }}`}
        </Muted>
      </Row>
      {limit !== null && (
        <LinearProgress
          variant="determinate"
          value={share}
          aria-labelledby={id}
          color={share >= 100 ? "error" : share >= 80 ? "warning" : "primary"}
        />
      )}
    </Column>
  );
}

interface PlanSectionProps {
  institution: Institution;
  /** Undefined while loading. */
  overview: Schemas["InstitutionOverview"] | undefined;
  can: Can;
}

/** The plan and how much of its limits is used. */
function PlanSection({ institution, overview, can }: PlanSectionProps) {
  const [open, setOpen] = useState(false);
  return (
    <Section
      title={t`Plan`}
      help="plans-and-limits"
      actions={can.isSystemAdmin && <Button onClick={() => setOpen(true)}>{t`Change plan`}</Button>}
    >
      {overview ? (
        <Column gap="l">
          <Row gap="s">
            <StatusChip status={institution.plan} tone="news" />
            <Muted>{t`Institution created on ${{ day: date(institution.createdAt) }}`}</Muted>
          </Row>
          <Usage name={t`Products`} used={overview.products} limit={institution.limits.products} />
          <Usage name={t`Licenses`} used={overview.licenses} limit={institution.limits.licenses} />
        </Column>
      ) : (
        <Skeleton variant="rounded" height={104} />
      )}
      {open && <PlanDialog institution={institution} onClose={() => setOpen(false)} />}
    </Section>
  );
}

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

const bodyOf = ({ plan, limits }: ReturnType<typeof draftOf>) => ({
  plan,
  limits: { products: numberOrNull(limits.products), licenses: numberOrNull(limits.licenses) },
});

interface PlanDialogProps {
  institution: Institution;
  onClose: () => void;
}

/** Lets a system Admin change the plan and override its limits. */
function PlanDialog({ institution, onClose }: PlanDialogProps) {
  const form = useApiForm({
    values: draftOf(institution),
    checks: PlanRequest,
    send: (draft) =>
      api.PUT("/api/institutions/{institutionId}/plan", {
        ...at({ institutionId: institution.id }),
        body: bodyOf(draft),
      }),
    done: (draft) =>
      t`${{ institution: institution.name }} is now on the ${{ plan: PLAN_LABELS[draft.plan] }} plan.`,
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
      <FormField
        {...form.field("plan")}
        label={t`Plan`}
        options={(Object.keys(PLANS) as Plan[]).map((name) => [name, planText(name)] as const)}
      />
      <Row gap="l" align="stretch" folds>
        {limit("products", t`Max products`)}
        {limit("licenses", t`Max licenses`)}
      </Row>
    </FormDialog>
  );
}
