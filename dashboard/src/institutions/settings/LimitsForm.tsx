import Stack from "@mui/material/Stack";
import { useState } from "react";
import { Form, FormField, FormProblem, SubmitButton, useFormAttempt } from "../../ui/Form";
import { Section } from "../../ui/Section";
import { useSaveSettings, type SettingsProps } from "./settings";

const told = (limit: number | null) => (limit === null ? "" : String(limit));
const limitOf = (text: string) => (text.trim() === "" ? null : Number(text));
const RANGE = { htmlInput: { min: 1, max: 1_000_000, step: 1 } };

/** How many requests a minute each key may make. */
export function LimitsForm({ institutionId, settings }: SettingsProps) {
  const before = [told(settings.runtimeRateLimit), told(settings.apiKeyRateLimit)] as const;
  const [runtime, setRuntime] = useState<string>(before[0]);
  const [apiKey, setApiKey] = useState<string>(before[1]);
  const saveSettings = useSaveSettings(institutionId);
  const form = useFormAttempt(() =>
    saveSettings(
      { runtimeRateLimit: limitOf(runtime), apiKeyRateLimit: limitOf(apiKey) },
      "The limits are saved.",
    ),
  );
  return (
    <Section
      title="Rate limits"
      help="plans-and-limits"
      subtitle="Requests a minute, each key for itself. Beyond a limit the answer is 429 until the minute is over."
    >
      <Form {...form}>
        <Stack sx={{ gap: 2, alignItems: "flex-start" }}>
          <Stack direction={{ xs: "column", sm: "row" }} sx={{ gap: 2, width: "100%" }}>
            <FormField
              name="runtimeRateLimit"
              type="number"
              label="Each product key"
              helperText="What applications ask. Empty: without limit."
              value={runtime}
              onValue={setRuntime}
              slotProps={RANGE}
            />
            <FormField
              name="apiKeyRateLimit"
              type="number"
              label="Each API key"
              helperText="What your programs ask. Empty: without limit."
              value={apiKey}
              onValue={setApiKey}
              slotProps={RANGE}
            />
          </Stack>
          <FormProblem />
          <SubmitButton disabled={runtime === before[0] && apiKey === before[1]}>
            Save limits
          </SubmitButton>
        </Stack>
      </Form>
    </Section>
  );
}
