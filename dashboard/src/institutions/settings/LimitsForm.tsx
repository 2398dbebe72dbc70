import { t } from "@lingui/core/macro";
import Stack from "@mui/material/Stack";
import { useState } from "react";
import { Form, FormField, FormProblem, SubmitButton, useFormSubmission } from "../../ui/Form";
import { Section } from "../../ui/Section";
import { useSaveSettings, type SettingsProps } from "./settings";

const textOf = (limit: number | null) => (limit === null ? "" : String(limit));
const limitOf = (text: string) => (text.trim() === "" ? null : Number(text));
const RANGE = { htmlInput: { min: 1, max: 1_000_000, step: 1 } };

/** Rate limits per product key and per API key. */
export function LimitsForm({ institutionId, settings }: SettingsProps) {
  const before = [textOf(settings.runtimeRateLimit), textOf(settings.apiKeyRateLimit)] as const;
  const [runtime, setRuntime] = useState<string>(before[0]);
  const [apiKey, setApiKey] = useState<string>(before[1]);
  const saveSettings = useSaveSettings(institutionId);
  const form = useFormSubmission(() =>
    saveSettings(
      { runtimeRateLimit: limitOf(runtime), apiKeyRateLimit: limitOf(apiKey) },
      t`Rate limits saved.`,
    ),
  );
  return (
    <Section
      title={t`Rate limits`}
      help="plans-and-limits"
      subtitle={t`Requests per minute for each key. Requests over the limit get a 429 response until the minute is over.`}
    >
      <Form {...form}>
        <Stack sx={{ gap: 2, alignItems: "flex-start" }}>
          <Stack direction={{ xs: "column", sm: "row" }} sx={{ gap: 2, width: "100%" }}>
            <FormField
              name="runtimeRateLimit"
              type="number"
              label={t`Per product key`}
              helperText={t`Requests from applications. Leave empty for no limit.`}
              value={runtime}
              onValue={setRuntime}
              slotProps={RANGE}
            />
            <FormField
              name="apiKeyRateLimit"
              type="number"
              label={t`Per API key`}
              helperText={t`Requests from your own programs. Leave empty for no limit.`}
              value={apiKey}
              onValue={setApiKey}
              slotProps={RANGE}
            />
          </Stack>
          <FormProblem />
          <SubmitButton disabled={runtime === before[0] && apiKey === before[1]}>
            {t`Save limits`}
          </SubmitButton>
        </Stack>
      </Form>
    </Section>
  );
}
