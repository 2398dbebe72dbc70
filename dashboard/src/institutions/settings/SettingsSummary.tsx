import { number } from "../../ui/formats";
import { DescriptionList } from "../../ui/DescriptionList";
import { Section } from "../../ui/Section";
import type { Settings } from "./settings";

const limit = (value: number | null) =>
  value === null ? "No limit" : `${number(value)} requests per minute`;

/** The settings, read-only. */
export const SettingsSummary = ({ settings }: { settings: Settings }) => (
  <Section
    title="Settings"
    subtitle="Only Owners and Admins of the institution can change settings."
  >
    <DescriptionList
      facts={[
        ["Allowed addresses", settings.ipAllowList.join(", ") || "Any"],
        ["Your address", settings.callerAddress],
        ["Rate limit per product key", limit(settings.runtimeRateLimit)],
        ["Rate limit per API key", limit(settings.apiKeyRateLimit)],
        [
          "Expiry reminders",
          settings.expiryReminderDays.map((days) => `${String(days)} days`).join(", ") || "None",
        ],
        ["Telemetry retention", `${number(settings.telemetryRetentionDays)} days`],
      ]}
    />
  </Section>
);
