import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import ToggleButton from "@mui/material/ToggleButton";
import ToggleButtonGroup from "@mui/material/ToggleButtonGroup";
import Typography from "@mui/material/Typography";
import { type ComponentType, useState } from "react";
import { useWatch } from "react-hook-form";
import { useLocation, useNavigate } from "react-router";
import { AdjustBalanceRequest } from "../../../api/checks";
import { $api, api, at } from "../../../api/client";
import type { License } from "../../../api/types";
import { DaySection } from "../../../ui/charts/DaySection";
import { ConfirmFormDialog } from "../../../ui/ConfirmDialog";
import { useApiForm } from "../../../ui/form/useApiForm";
import { number } from "../../../ui/formats";
import { Column, Row } from "../../../ui/layout/layout";
import { ProblemAlert } from "../../../ui/ProblemAlert";
import { Section } from "../../../ui/Section";
import { StatusChip } from "../../../ui/StatusChip";
import { useIdempotencyKey } from "../../../ui/useIdempotencyKey";
import { useCan } from "../../../ui/useInstitution";
import { type LicenseDialogProps, ReasonField } from "../actions/Consequences";
import styles from "../detail.module.css";
import { meterOf, unitOf } from "../traits";
import { addToBalance, AmountField, amountOf, amountText } from "./amounts";
import { Ledger } from "./Ledger";
import { ReservedCredits } from "./ReservedCredits";

const REFRESH_MS = 15_000;

export const MeterTab = ({ license }: { license: License }) => (
  <Column gap="l">
    <Balance license={license} />
    <Trend license={license} />
    <Records license={license} />
  </Column>
);

/** The ledger, and for those who may see devices what they have reserved. */
function Records({ license }: { license: License }) {
  const { manage } = useCan(license.institutionId);
  const navigate = useNavigate();
  const base = `/licenses/${license.id}/meter`;
  const shown = useLocation().pathname.startsWith(`${base}/reserved`) ? "reserved" : "ledger";
  if (!manage)
    return (
      <Ledger
        license={license}
        heading={
          <Typography variant="h6" component="h2">
            {t`Ledger`}
          </Typography>
        }
      />
    );
  return (
    <div>
      <Row gap="xs" className={styles.above}>
        <ToggleButtonGroup
          exclusive
          aria-label={t`Ledger or reserved credits`}
          value={shown}
          onChange={(_, chosen: string | null) => {
            if (chosen) void navigate(chosen === "ledger" ? base : `${base}/${chosen}`);
          }}
        >
          <ToggleButton value="ledger">{t`Ledger`}</ToggleButton>
          <ToggleButton value="reserved">
            {t({ message: "Reserved", context: "credits" })}
          </ToggleButton>
        </ToggleButtonGroup>
      </Row>
      {shown === "ledger" ? <Ledger license={license} /> : <ReservedCredits license={license} />}
    </div>
  );
}

/** Usage and grants per day, for the last 30 days. */
function Trend({ license }: { license: License }) {
  const { data, error, refetch } = $api.useQuery("get", "/api/statistics/meter-usage", {
    params: { query: { licenseId: license.id } },
  });
  if (error) return <ProblemAlert error={error} retry={() => void refetch()} />;
  return (
    <DaySection
      title={t`Last 30 days`}
      subtitle={meterOf(license) === "uses" ? t`In uses, by day.` : t`In credits, by day.`}
      label={t`Used and granted`}
      days={data?.dailyTrend}
      series={[
        { label: t`Used`, value: (day) => day.consumed, total: data?.consumption ?? 0 },
        { label: t`Granted`, value: (day) => day.granted, total: data?.grants ?? 0 },
      ]}
      empty={t`Nothing was used or granted in the last 30 days.`}
      name={`meter-${license.id}`}
    />
  );
}

/** The balance and its low-balance threshold; the head of the page grants. */
function Balance({ license }: { license: License }) {
  const { manage } = useCan(license.institutionId);
  const [Dialog, setDialog] = useState<ComponentType<LicenseDialogProps> | null>(null);
  const open = (dialog: ComponentType<LicenseDialogProps>) => () => setDialog(() => dialog);
  const balance = license.meterBalance ?? 0;
  const threshold = license.lowBalanceThreshold;
  const isLow = threshold !== null && balance <= threshold;
  return (
    <Section
      title={t`Balance`}
      help="metering"
      actions={
        manage && (
          <Button variant="outlined" onClick={open(AdjustDialog)}>
            {t`Adjust`}
          </Button>
        )
      }
    >
      <Column gap="xs">
        <Row gap="m" align="baseline" wraps>
          <Typography variant="h4" component="p" aria-live="polite" className={styles.figure}>
            {number(balance)}{" "}
            <Typography component="span" color="textSecondary">
              {unitOf(license)}
            </Typography>
          </Typography>
          {balance === 0 ? (
            <StatusChip status="Empty" tone="bad" />
          ) : (
            isLow && <StatusChip status="Low" tone="wait" />
          )}
        </Row>
        <Row gap="s" wraps>
          <Typography color="textSecondary">
            {threshold === null
              ? t`No low-balance warning set.`
              : t`Low-balance warning at ${{ amount: amountText(threshold, license) }} or less.`}
          </Typography>
          {manage && (
            <Button size="small" onClick={open(ThresholdDialog)}>
              {threshold === null ? t`Set warning` : t`Change`}
            </Button>
          )}
        </Row>
        <Held license={license} />
        {balance === 0 && (
          <Typography>
            {t`The license stays valid, but usage is rejected until you grant more.`}
          </Typography>
        )}
      </Column>
      {Dialog && <Dialog license={license} onClose={() => setDialog(null)} />}
    </Section>
  );
}

/** What devices have reserved and neither reported nor returned. */
function Held({ license }: { license: License }) {
  const { data } = $api.useQuery(
    "get",
    "/api/meter/balance/{licenseId}",
    at({ licenseId: license.id }),
    {
      refetchInterval: REFRESH_MS,
    },
  );
  if (!data?.held) return null;
  return (
    <Typography color="textSecondary">
      {t`In addition, devices have reserved ${{ amount: amountText(data.held, license) }}.`}
    </Typography>
  );
}

const NO_ADJUSTMENT = { amount: "", reason: "" };

/** Adjusts the balance up or down. */
function AdjustDialog({ license, onClose }: LicenseDialogProps) {
  const keyFor = useIdempotencyKey();
  const balance = license.meterBalance ?? 0;
  const afterAdding = (typed: string) => addToBalance(balance, amountOf(typed) ?? 0);
  const form = useApiForm({
    values: NO_ADJUSTMENT,
    checks: AdjustBalanceRequest,
    send: async ({ amount, reason }) => {
      const body = { licenseId: license.id, amount: Number(amount), reason: reason.trim() };
      const { data } = await api.POST("/api/meter/adjust", {
        params: { header: { "Idempotency-Key": keyFor(body) } },
        body,
      });
      return data?.balance ?? afterAdding(amount);
    },
    done: (_, now) => t`New balance: ${{ balance: amountText(now, license) }}.`,
  });
  const { control, field } = form;
  const typed = useWatch({ control, name: "amount" });
  const after = afterAdding(typed);
  return (
    <ConfirmFormDialog
      form={form}
      title={t`Adjust balance`}
      action={t`Adjust`}
      onClose={onClose}
      consequence={t`The balance changes immediately for all devices of the license. The adjustment and its reason are recorded in the ledger. To undo it, adjust again.`}
    >
      <AmountField
        {...field("amount")}
        license={license}
        label={t`Amount`}
        fault={(given) => {
          if (amountOf(given) === 0) return t`Enter an amount other than 0.`;
          return afterAdding(given) < 0
            ? t`The balance cannot go below 0: subtract at most ${{ balance: amountText(balance, license) }}.`
            : undefined;
        }}
        helperText={t`Use a negative amount to subtract. New balance: ${{ balance: amountText(after, license) }}.`}
      />
      <ReasonField {...field("reason")} helperText={t`Recorded in the ledger.`} />
    </ConfirmFormDialog>
  );
}

/** Sets the low-balance threshold. */
function ThresholdDialog({ license, onClose }: LicenseDialogProps) {
  const form = useApiForm({
    values: { lowBalanceThreshold: String(license.lowBalanceThreshold ?? "") },
    send: ({ lowBalanceThreshold }) =>
      api.PUT("/api/licenses/{licenseId}/meter-settings", {
        ...at({ licenseId: license.id }),
        body: { lowBalanceThreshold: amountOf(lowBalanceThreshold) },
      }),
    done: t`Low-balance warning saved.`,
  });
  return (
    <ConfirmFormDialog
      form={form}
      title={t`Low-balance warning`}
      action={t`Save`}
      onClose={onClose}
      consequence={t`When the balance reaches this amount, your team is notified and webhooks receive meter.low_balance. Customers are not notified.`}
    >
      <AmountField
        {...form.field("lowBalanceThreshold")}
        license={license}
        label={t`Warn at`}
        demand={{ minimum: 0 }}
        helperText={t`Leave empty for no warning.`}
      />
    </ConfirmFormDialog>
  );
}
