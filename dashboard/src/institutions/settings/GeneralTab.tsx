import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import Button from "@mui/material/Button";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useNavigate } from "react-router";
import { InstitutionChange } from "../../api/checks";
import { api, at } from "../../api/client";
import type { Institution } from "../../api/types";
import { ConfirmDialog } from "../../ui/ConfirmDialog";
import { DescriptionList } from "../../ui/DescriptionList";
import { SaveForm } from "../../ui/form/Form";
import { FormField } from "../../ui/form/FormField";
import { useApiForm } from "../../ui/form/useApiForm";
import { Section } from "../../ui/Section";
import { notify } from "../../ui/toasts/toasts";
import { LimitsForm } from "./LimitsForm";
import { RemindersForm } from "./RemindersForm";
import { type Settings, SettingsLoader, type SettingsTabProps } from "./settings";

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
