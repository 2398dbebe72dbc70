import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import Button from "@mui/material/Button";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useNavigate } from "react-router";
import { InstitutionChange, InstitutionSettingsChange } from "../../api/checks";
import { api, at } from "../../api/client";
import { changed, fieldsOf, NUMBER, OPTIONAL_NUMBER, TEXT } from "../../api/fields";
import type { Institution } from "../../api/types";
import { ConfirmDialog } from "../../ui/ConfirmDialog";
import { DescriptionList } from "../../ui/DescriptionList";
import { FormField } from "../../ui/form/FormField";
import { SaveForm } from "../../ui/form/SaveForm";
import { useApiForm } from "../../ui/form/useApiForm";
import { Column, Row } from "../../ui/layout/layout";
import { Section } from "../../ui/Section";
import { notify } from "../../ui/toasts/toasts";
import { UNGUARDED } from "../../ui/UnsavedGuard";
import { REMINDER_DAYS, ReminderDaysField } from "./ReminderDaysField";
import { type Settings, SettingsLoader, type SettingsTabProps } from "./settings";
import styles from "./settings.module.css";
import { TimeZoneField } from "./TimeZoneField";

/** Name, limits and reminders; for everybody but Owners and Admins what is set, to read. */
export const GeneralTab = ({ institution, can }: SettingsTabProps) => (
  <SettingsLoader institutionId={institution.id}>
    {(settings) =>
      can.manage ? (
        <>
          <GeneralForm institution={institution} settings={settings} />
          {can.own && <DangerZone institution={institution} />}
        </>
      ) : (
        <SettingsSummary settings={settings} />
      )
    }
  </SettingsLoader>
);

const limit = (value: number | null) =>
  value === null
    ? t`No limit`
    : plural(value, { one: "# request per minute", other: "# requests per minute" });

const daysOf = (days: number) => plural(days, { one: "# day", other: "# days" });

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
    await navigate("/institutions", { state: UNGUARDED });
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

const SETTINGS = fieldsOf({
  runtimeRateLimit: OPTIONAL_NUMBER,
  apiKeyRateLimit: OPTIONAL_NUMBER,
  timeZone: TEXT,
  expiryReminderDays: REMINDER_DAYS,
  telemetryRetentionDays: NUMBER,
});

/** The name of the institution and its settings, saved together. */
function GeneralForm({ institution, settings }: { institution: Institution; settings: Settings }) {
  const { id, name } = institution;
  const form = useApiForm({
    values: { name, ...SETTINGS.draftOf(settings) },
    checks: { ...InstitutionSettingsChange, ...InstitutionChange },
    send: async (draft) => {
      const place = at({ institutionId: id });
      const body = changed(SETTINGS.bodyOf(draft), settings);
      if (Object.keys(body).length > 0)
        await api.PUT("/api/institutions/{institutionId}/settings", { ...place, body });
      if (draft.name !== name)
        await api.PUT("/api/institutions/{institutionId}", {
          ...place,
          body: { name: draft.name },
        });
    },
    done: t`Settings saved.`,
  });
  const { field } = form;
  return (
    <SaveForm form={form}>
      <Section title={t`Institution`} help="notifications">
        <Column gap="l">
          <FormField
            {...field("name")}
            input={{ dir: "auto" }}
            helperText={t`Shown to members, in emails, and to customers in the portal.`}
          />
          <Row gap="l" align="stretch" folds>
            <TimeZoneField {...field("timeZone")} />
            <ReminderDaysField {...field("expiryReminderDays")} />
          </Row>
          <FormField
            {...field("telemetryRetentionDays")}
            type="number"
            className={styles.half}
            helperText={t`Telemetry events are deleted after this time.`}
            required
          />
        </Column>
      </Section>
      <Section
        title={t`Rate limits`}
        help="plans-and-limits"
        subtitle={t`Requests per minute for each key. Requests over the limit get a 429 response until the minute is over.`}
      >
        <Row gap="l" align="stretch" folds>
          <FormField
            {...field("runtimeRateLimit")}
            type="number"
            label={t`Per product key`}
            placeholder={t`No limit`}
            helperText={t`Requests from applications.`}
          />
          <FormField
            {...field("apiKeyRateLimit")}
            type="number"
            label={t`Per API key`}
            placeholder={t`No limit`}
            helperText={t`Requests from your own programs.`}
          />
        </Row>
      </Section>
    </SaveForm>
  );
}
