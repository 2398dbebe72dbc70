import { number } from "../../ui/formats";
import { Facts } from "../../ui/Facts";
import { Section } from "../../ui/Section";
import type { Settings } from "./settings";

const limit = (value: number | null) =>
  value === null ? "Without limit" : `${number(value)} requests a minute`;

/** The settings, for those who may read them only. */
export const SettingsFacts = ({ settings }: { settings: Settings }) => (
  <Section title="Settings" subtitle="Owners and Admins of the institution change them.">
    <Facts
      facts={[
        ["Allowed addresses", settings.ipAllowList.join(", ") || "From everywhere"],
        ["Your address", settings.callerAddress],
        ["Each product key", limit(settings.runtimeRateLimit)],
        ["Each API key", limit(settings.apiKeyRateLimit)],
        [
          "Reminders before a license expires",
          settings.expiryReminderDays.map((days) => `${String(days)} days`).join(", ") || "None",
        ],
        ["Telemetry is kept for", `${number(settings.telemetryRetentionDays)} days`],
      ]}
    />
  </Section>
);
