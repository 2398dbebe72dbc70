import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import ToggleButton from "@mui/material/ToggleButton";
import ToggleButtonGroup from "@mui/material/ToggleButtonGroup";
import Typography from "@mui/material/Typography";
import { type ComponentType, useState } from "react";
import { type FieldValues, type Path, useWatch } from "react-hook-form";
import { useLocation, useNavigate } from "react-router";
import { AdjustBalanceRequest, GrantBalanceRequest } from "../../../api/checks";
import { $api, api, at } from "../../../api/client";
import { textOrNull } from "../../../api/fields";
import type { License } from "../../../api/types";
import { DaySection } from "../../../ui/charts/DaySection";
import { ConfirmFormDialog } from "../../../ui/ConfirmDialog";
import { FormField, type FormFieldProps } from "../../../ui/form/FormField";
import { useApiForm } from "../../../ui/form/useApiForm";
import { number } from "../../../ui/formats";
import { Column, Row } from "../../../ui/layout/layout";
import { ProblemAlert } from "../../../ui/ProblemAlert";
import { amountText as textOf } from "../../../ui/quantities";
import { Section } from "../../../ui/Section";
import { StatusChip } from "../../../ui/StatusChip";
import { useIdempotencyKey } from "../../../ui/useIdempotencyKey";
import { useCan } from "../../../ui/useInstitution";
import { useUrlParams } from "../../../ui/useUrlParams";
import { type LicenseDialogProps, ReasonField } from "../actions/Consequences";
import styles from "../detail.module.css";
import { meterOf, unitOf } from "../traits";
import { Ledger } from "./Ledger";
import { ReservedCredits } from "./ReservedCredits";

const REFRESH_MS = 15_000;

/** Amounts have at most six decimals; uses are whole numbers. */
const MILLION = 1_000_000;

/** Parses a typed amount; null if it is not a number. */
function amountOf(text: string): number | null {
  const amount = Number(text);
  return text.trim() === "" || !Number.isFinite(amount) ? null : amount;
}

/** The balance after a change, rounded to avoid floating-point noise. */
const addToBalance = (balance: number, amount: number): number =>
  Math.round((balance + amount) * MILLION) / MILLION;

const amountText = (amount: number, license: License): string => textOf(amount, meterOf(license));

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

/** The balance and its low-balance threshold; `?act=grant` opens the dialog to grant, `amount`. */
function Balance({ license }: { license: License }) {
  const { params, change } = useUrlParams();
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
          <>
            <Button variant="contained" onClick={open(GrantDialog)}>
              {t({ message: "Grant", context: "verb" })}
            </Button>
            <Button variant="outlined" onClick={open(AdjustDialog)}>
              {t`Adjust`}
            </Button>
          </>
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
      {manage && params.get("act") === "grant" && (
        <GrantDialog license={license} onClose={() => change({ act: null, amount: null }, true)} />
      )}
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

const NO_GRANT = { amount: "", reason: "", externalReference: "" };

const isTooSmall = (typed: string): boolean => (amountOf(typed) ?? 1) <= 0;

/** Adds to the balance, for example after a payment. */
function GrantDialog({ license, onClose }: LicenseDialogProps) {
  const keyFor = useIdempotencyKey();
  const afterAdding = (typed: string) =>
    addToBalance(license.meterBalance ?? 0, amountOf(typed) ?? 0);
  const asked = useUrlParams().params.get("amount") ?? "";
  const form = useApiForm({
    values: { ...NO_GRANT, amount: amountOf(asked) === null ? "" : asked },
    checks: GrantBalanceRequest,
    send: async ({ amount, reason, externalReference }) => {
      const body = {
        licenseId: license.id,
        amount: Number(amount),
        reason: textOrNull(reason),
        externalReference: textOrNull(externalReference),
      };
      const { data } = await api.POST("/api/meter/grant", {
        params: { header: { "Idempotency-Key": keyFor(body) } },
        body,
      });
      return data?.balance ?? afterAdding(amount);
    },
    done: (_, balance) => t`New balance: ${{ balance: amountText(balance, license) }}.`,
  });
  const { control, field } = form;
  const typed = useWatch({ control, name: "amount" });
  return (
    <ConfirmFormDialog
      form={form}
      title={t({ message: "Grant", context: "verb" })}
      action={t({ message: "Grant", context: "verb" })}
      disabled={amountOf(typed) === null || isTooSmall(typed)}
      onClose={onClose}
      consequence={t`The balance increases immediately for all devices of the license. The grant is recorded in the ledger. To undo it, adjust the balance.`}
    >
      <AmountField
        {...field("amount")}
        license={license}
        label={t`Amount`}
        fault={(given) =>
          isTooSmall(given)
            ? t`Enter an amount above 0. To subtract, adjust the balance.`
            : undefined
        }
        helperText={t`New balance: ${{ balance: amountText(afterAdding(typed), license) }}.`}
      />
      <ReasonField {...field("reason")} helperText={t`Optional. Recorded in the ledger.`} />
      <FormField
        {...field("externalReference")}
        helperText={t`Optional. For example an invoice or order number.`}
      />
    </ConfirmFormDialog>
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
  const [typed, reason] = useWatch({ control, name: ["amount", "reason"] });
  const after = afterAdding(typed);
  return (
    <ConfirmFormDialog
      form={form}
      title={t`Adjust balance`}
      action={t`Adjust`}
      disabled={!amountOf(typed) || after < 0 || reason.trim() === ""}
      onClose={onClose}
      consequence={t`The balance changes immediately for all devices of the license. The adjustment and its reason are recorded in the ledger. To undo it, adjust again.`}
    >
      <AmountField
        {...field("amount")}
        license={license}
        label={t`Amount`}
        fault={(given) =>
          afterAdding(given) < 0
            ? t`The balance cannot go below 0: subtract at most ${{ balance: amountText(balance, license) }}.`
            : undefined
        }
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

type AmountFieldProps<Values extends FieldValues, Name extends Path<Values>> = Pick<
  FormFieldProps<Values, Name>,
  "name" | "control" | "check" | "demand" | "fault" | "helperText"
> & { license: License; label: string };

/** An amount of what the license is metered in; uses are whole numbers. */
function AmountField<Values extends FieldValues, Name extends Path<Values>>(
  props: AmountFieldProps<Values, Name>,
) {
  const { license, label, demand, ...field } = props;
  const isWhole = license.meterMode === "Count";
  return (
    <FormField
      {...field}
      type="number"
      label={`${label} (${unitOf(license)})`}
      demand={{ ...demand, isWhole }}
      input={{ step: isWhole ? 1 : "any", inputMode: "decimal" }}
      slotProps={{ formHelperText: { "aria-live": "polite" } }}
    />
  );
}
