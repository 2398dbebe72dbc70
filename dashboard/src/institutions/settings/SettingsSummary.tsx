import { plural, t } from "@lingui/core/macro";
import { DescriptionList } from "../../ui/DescriptionList";
import { Section } from "../../ui/Section";
import type { Settings } from "./settings";

const limit = (value: number | null) =>
  value === null ? t`No limit` : plural(value, { other: "# requests per minute" });

const daysOf = (days: number) => plural(days, { other: "# days" });

/** The settings, read-only. */
export const SettingsSummary = ({ settings }: { settings: Settings }) => (
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
