import { t } from "@lingui/core/macro";
import TextField from "@mui/material/TextField";
import { InstitutionSettingsChange } from "../../api/checks";
import { type DraftOf, fieldsOf, NUMBER, TEXT } from "../../api/fields";
import { faultOf } from "../../ui/form/check";
import { FormField } from "../../ui/form/FormField";
import { SaveForm } from "../../ui/form/Form";
import { useApiForm, type FieldProps } from "../../ui/form/useApiForm";
import { useField } from "../../ui/form/useField";
import { Row } from "../../ui/layout/layout";
import { Section } from "../../ui/Section";
import { useSaveSettings, type SettingsProps } from "./settings";

const REMINDER = { minimum: 1, maximum: 3_650, isWhole: true };

const partsOf = (days: string) => days.split(/[,\s]+/).filter(Boolean);

const faultOfDays = (days: unknown) =>
  partsOf(String(days))
    .map((day) => faultOf(day, REMINDER))
    .find(Boolean);

const FIELDS = fieldsOf({
  timeZone: TEXT,
  expiryReminderDays: {
    read: (days: number[] = []) => days.join(", "),
    /** As the server keeps it: the longest time ahead comes first. */
    send: (days: string) => [...new Set(partsOf(days).map(Number))].sort((a, b) => b - a),
  },
  telemetryRetentionDays: NUMBER,
});

/** The time zone in which days end, days of expiry reminders, and telemetry retention. */
export function RemindersForm({ institutionId, settings }: SettingsProps) {
  const saveSettings = useSaveSettings(institutionId);
  const form = useApiForm({
    values: FIELDS.draftOf(settings),
    checks: InstitutionSettingsChange,
    send: (draft) =>
      saveSettings(FIELDS.bodyOf(draft), t`Time zone, reminders and telemetry retention saved.`),
  });
  return (
    <Section title={t`Time zone, reminders and telemetry`} help="notifications">
      <SaveForm
        form={form}
        action={t`Save`}
        onDone={() => form.reset(FIELDS.draftOf(FIELDS.bodyOf(form.getValues())))}
      >
        <Row gap="l" align="stretch" folds>
          <FormField
            {...form.field("timeZone")}
            helperText={t`For example Europe/Berlin. An expiration date lasts until the end of its day there.`}
            required
          />
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

function RemindersField(props: FieldProps<DraftOf<typeof FIELDS>, "expiryReminderDays">) {
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
