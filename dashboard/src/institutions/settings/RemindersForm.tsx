import Stack from "@mui/material/Stack";
import { useState } from "react";
import { Form, FormField, FormProblem, SubmitButton, useFormAttempt } from "../../ui/Form";
import { Section } from "../../ui/Section";
import { useSaveSettings, type SettingsProps } from "./settings";

const daysOf = (text: string) => (text.match(/\d+/g) ?? []).map(Number);
const RANGE = { htmlInput: { min: 1, max: 3_650, step: 1 } };

/** When Owners and Admins are reminded of a term's end, and how long telemetry is kept. */
export function RemindersForm({ institutionId, settings }: SettingsProps) {
  const before = [settings.expiryReminderDays.join(", "), String(settings.telemetryRetentionDays)];
  const [days, setDays] = useState(before[0] ?? "");
  const [kept, setKept] = useState(before[1] ?? "");
  const saveSettings = useSaveSettings(institutionId);
  const form = useFormAttempt(async () => {
    const saved = await saveSettings(
      { expiryReminderDays: daysOf(days), telemetryRetentionDays: Number(kept) },
      "Reminders and telemetry are saved.",
    );
    if (saved) setDays(saved.expiryReminderDays.join(", "));
  });
  return (
    <Section title="Reminders and telemetry" help="notifications">
      <Form {...form}>
        <Stack sx={{ gap: 2, alignItems: "flex-start" }}>
          <Stack direction={{ xs: "column", sm: "row" }} sx={{ gap: 2, width: "100%" }}>
            <FormField
              name="expiryReminderDays"
              label="Remind before a license expires"
              helperText="Days before the end, such as 30, 7, 1. Empty: no reminders."
              value={days}
              onValue={setDays}
              slotProps={{ htmlInput: { pattern: "[0-9, ]*", title: "Days, such as 30, 7, 1" } }}
            />
            <FormField
              name="telemetryRetentionDays"
              type="number"
              label="Keep telemetry for, in days"
              helperText="What applications report is deleted after that."
              required
              value={kept}
              onValue={setKept}
              slotProps={RANGE}
            />
          </Stack>
          <FormProblem />
          <SubmitButton disabled={days === before[0] && kept === before[1]}>
            Save reminders
          </SubmitButton>
        </Stack>
      </Form>
    </Section>
  );
}
