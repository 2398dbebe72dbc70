import { t } from "@lingui/core/macro";
import Stack from "@mui/material/Stack";
import { useState } from "react";
import { Form, FormField, FormProblem, SubmitButton, useFormSubmission } from "../../ui/Form";
import { Section } from "../../ui/Section";
import { useSaveSettings, type SettingsProps } from "./settings";

const daysOf = (text: string) => (text.match(/\d+/g) ?? []).map(Number);
const RANGE = { htmlInput: { min: 1, max: 3_650, step: 1 } };

/** Days of expiry reminders, and telemetry retention. */
export function RemindersForm({ institutionId, settings }: SettingsProps) {
  const before = [settings.expiryReminderDays.join(", "), String(settings.telemetryRetentionDays)];
  const [days, setDays] = useState(before[0] ?? "");
  const [kept, setKept] = useState(before[1] ?? "");
  const saveSettings = useSaveSettings(institutionId);
  const form = useFormSubmission(async () => {
    const saved = await saveSettings(
      { expiryReminderDays: daysOf(days), telemetryRetentionDays: Number(kept) },
      t`Reminders and telemetry retention saved.`,
    );
    if (saved) setDays(saved.expiryReminderDays.join(", "));
  });
  return (
    <Section title={t`Reminders and telemetry`} help="notifications">
      <Form {...form}>
        <Stack sx={{ gap: 2, alignItems: "flex-start" }}>
          <Stack direction={{ xs: "column", sm: "row" }} sx={{ gap: 2, width: "100%" }}>
            <FormField
              name="expiryReminderDays"
              label={t`Expiry reminders`}
              helperText={t`Days before a license expires, for example 30, 7, 1. Leave empty for no reminders.`}
              value={days}
              onValue={setDays}
              slotProps={{
                htmlInput: { pattern: "[0-9, ]*", title: t`Days, for example 30, 7, 1` },
              }}
            />
            <FormField
              name="telemetryRetentionDays"
              type="number"
              label={t`Telemetry retention (days)`}
              helperText={t`Telemetry events are deleted after this time.`}
              required
              value={kept}
              onValue={setKept}
              slotProps={RANGE}
            />
          </Stack>
          <FormProblem />
          <SubmitButton disabled={days === before[0] && kept === before[1]}>{t`Save`}</SubmitButton>
        </Stack>
      </Form>
    </Section>
  );
}
