import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import Button from "@mui/material/Button";
import TextField from "@mui/material/TextField";
import { useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import { useNavigate } from "react-router";
import { InstitutionChange, InstitutionSettingsChange } from "../../api/checks";
import { api, at } from "../../api/client";
import { fieldsOf, OPTIONAL_NUMBER, type DraftOf, NUMBER, TEXT } from "../../api/fields";
import type { Institution } from "../../api/types";
import { ConfirmDialog } from "../../ui/ConfirmDialog";
import { DescriptionList } from "../../ui/DescriptionList";
import { faultOf } from "../../ui/form/check";
import { SaveForm } from "../../ui/form/Form";
import { FormField } from "../../ui/form/FormField";
import { useApiForm, type FieldProps } from "../../ui/form/useApiForm";
import { useField } from "../../ui/form/useField";
import { Row } from "../../ui/layout/layout";
import { Section } from "../../ui/Section";
import { notify } from "../../ui/toasts/toasts";
import {
  type Settings,
  SettingsLoader,
  type SettingsTabProps,
  useSaveSettings,
  type SettingsProps,
} from "./settings";

/** Name, limits and reminders; for everybody but Owners and Admins what is set, to read. */
export const GeneralTab = ({ institution, can }: SettingsTabProps) => (
  <SettingsLoader institutionId={institution.id}>
    {(settings) =>
      can.manage ? (
        <>
          <NameForm institution={institution} />
          <LimitsForm institutionId={institution.id} settings={settings} />
          <RemindersForm institutionId={institution.id} settings={settings} />
          {can.own && <DangerZone institution={institution} />}
        </>
      ) : (
        <SettingsSummary settings={settings} />
      )
    }
  </SettingsLoader>
);

function NameForm({ institution }: { institution: Institution }) {
  const form = useApiForm({
    values: { name: institution.name },
    checks: InstitutionChange,
    send: ({ name }) =>
      api.PUT("/api/institutions/{institutionId}", {
        ...at({ institutionId: institution.id }),
        body: { name },
      }),
    done: ({ name }) => t`Institution renamed to ${{ name: name.trim() }}.`,
  });
  return (
    <Section
      title={t`Name`}
      subtitle={t`Shown to members, in emails, and to customers in the portal.`}
    >
      <SaveForm form={form} action={t`Save name`}>
        <FormField {...form.field("name")} input={{ dir: "auto" }} />
      </SaveForm>
    </Section>
  );
}

const limit = (value: number | null) =>
  value === null ? t`No limit` : plural(value, { other: "# requests per minute" });

const daysOf = (days: number) => plural(days, { other: "# days" });

/** The settings, read-only. */
const SettingsSummary = ({ settings }: { settings: Settings }) => (
  <Section
    title={t`Settings`}
    subtitle={t`Only Owners and Admins of the institution can change settings.`}
  >
    <DescriptionList
      facts={[
        [
          t`Allowed addresses`,
          settings.ipAllowList.join(", ") || t({ message: "Any", context: "address" }),
        ],
        [t`Your address`, settings.callerAddress],
        [t`Rate limit per product key`, limit(settings.runtimeRateLimit)],
        [t`Rate limit per API key`, limit(settings.apiKeyRateLimit)],
        [t`Time zone`, settings.timeZone],
        [t`Expiry reminders`, settings.expiryReminderDays.map(daysOf).join(", ") || t`None`],
        [t`Telemetry retention`, daysOf(settings.telemetryRetentionDays)],
      ]}
    />
  </Section>
);

/** Deletes the institution. */
function DangerZone({ institution }: { institution: Institution }) {
  const [asks, setAsks] = useState(false);
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { name } = institution;
  const remove = async () => {
    await api.DELETE("/api/institutions/{institutionId}", at({ institutionId: institution.id }));
    await navigate("/institutions");
    notify(t`${name} deleted.`, { type: "success" });
    // Do not refetch the institution's own queries: they would be rejected now.
    await queries.invalidateQueries({ queryKey: ["get", "/api/auth/me"] });
  };
  return (
    <Section
      title={t`Delete institution`}
      subtitle={t`This is permanent. Delete its products first.`}
      actions={
        <Button color="error" variant="outlined" onClick={() => setAsks(true)}>
          {t`Delete institution`}
        </Button>
      }
    >
      {asks && (
        <ConfirmDialog
          title={t`Delete institution`}
          action={t`Delete institution`}
          danger
          typed={name}
          consequence={
            <>
              <p>
                <Trans>
                  This permanently deletes the memberships, invitations, API keys, webhooks,
                  settings and audit log of <bdi>{name}</bdi>. It cannot be undone.
                </Trans>
              </p>
              <p>
                {t`Members keep their accounts and other institutions. Existing backups still contain the deleted data.`}
              </p>
            </>
          }
          onConfirm={remove}
          onClose={() => setAsks(false)}
        />
      )}
    </Section>
  );
}

const LIMITS = fieldsOf({ runtimeRateLimit: OPTIONAL_NUMBER, apiKeyRateLimit: OPTIONAL_NUMBER });

/** Rate limits per product key and per API key. */
function LimitsForm({ institutionId, settings }: SettingsProps) {
  const saveSettings = useSaveSettings(institutionId);
  const form = useApiForm({
    values: LIMITS.draftOf(settings),
    checks: InstitutionSettingsChange,
    send: (draft) => saveSettings(LIMITS.bodyOf(draft), t`Rate limits saved.`),
  });
  return (
    <Section
      title={t`Rate limits`}
      help="plans-and-limits"
      subtitle={t`Requests per minute for each key. Requests over the limit get a 429 response until the minute is over.`}
    >
      <SaveForm form={form} action={t`Save limits`}>
        <Row gap="l" align="stretch" folds>
          <FormField
            {...form.field("runtimeRateLimit")}
            type="number"
            label={t`Per product key`}
            helperText={t`Requests from applications. Leave empty for no limit.`}
          />
          <FormField
            {...form.field("apiKeyRateLimit")}
            type="number"
            label={t`Per API key`}
            helperText={t`Requests from your own programs. Leave empty for no limit.`}
          />
        </Row>
      </SaveForm>
    </Section>
  );
}

const REMINDER = { minimum: 1, maximum: 3_650, isWhole: true };

const partsOf = (days: string) => days.split(/[,\s]+/).filter(Boolean);

const faultOfDays = (days: unknown) =>
  partsOf(String(days))
    .map((day) => faultOf(day, REMINDER))
    .find(Boolean);

const REMINDERS = fieldsOf({
  timeZone: TEXT,
  expiryReminderDays: {
    read: (days: number[] = []) => days.join(", "),
    /** As the server keeps it: the longest time ahead comes first. */
    send: (days: string) => [...new Set(partsOf(days).map(Number))].sort((a, b) => b - a),
  },
  telemetryRetentionDays: NUMBER,
});

/** A typing error is said at once, and not by the server. */
function faultOfZone(zone: string): string | undefined {
  try {
    new Intl.DateTimeFormat("en", { timeZone: zone });
    return undefined;
  } catch {
    return t`There is no such time zone. Choose one of the list.`;
  }
}

/** The time zone in which days end, days of expiry reminders, and telemetry retention. */
function RemindersForm({ institutionId, settings }: SettingsProps) {
  const zones = useId();
  const saveSettings = useSaveSettings(institutionId);
  const form = useApiForm({
    values: REMINDERS.draftOf(settings),
    checks: InstitutionSettingsChange,
    send: (draft) =>
      saveSettings(REMINDERS.bodyOf(draft), t`Time zone, reminders and telemetry retention saved.`),
  });
  return (
    <Section title={t`Time zone, reminders and telemetry`} help="notifications">
      <SaveForm
        form={form}
        action={t`Save`}
        onDone={() => form.reset(REMINDERS.draftOf(REMINDERS.bodyOf(form.getValues())))}
      >
        <Row gap="l" align="stretch" folds>
          <FormField
            {...form.field("timeZone")}
            fault={faultOfZone}
            input={{ list: zones, spellCheck: false }}
            helperText={t`For example Europe/Berlin. An expiration date lasts until the end of its day there.`}
            required
          />
          <datalist id={zones}>
            {Intl.supportedValuesOf("timeZone").map((zone) => (
              <option key={zone} value={zone} />
            ))}
          </datalist>
          <RemindersField {...form.field("expiryReminderDays")} />
          <FormField
            {...form.field("telemetryRetentionDays")}
            type="number"
            helperText={t`Telemetry events are deleted after this time.`}
            required
          />
        </Row>
      </SaveForm>
    </Section>
  );
}

function RemindersField(props: FieldProps<DraftOf<typeof REMINDERS>, "expiryReminderDays">) {
  const { value, ref, set, leave, message } = useField(props, { fault: faultOfDays });
  return (
    <TextField
      name={props.name}
      label={t`Expiry reminders`}
      fullWidth
      autoComplete="off"
      value={value}
      inputRef={ref}
      error={message !== undefined}
      helperText={
        message ??
        t`Days before a license expires, for example 30, 7, 1. Leave empty for no reminders.`
      }
      onBlur={leave}
      onChange={set}
    />
  );
}
