import FormControlLabel from "@mui/material/FormControlLabel";
import Switch from "@mui/material/Switch";
import { useState } from "react";
import { ConfirmDialog } from "../../ui/ConfirmDialog";
import { Section } from "../../ui/Section";
import { useSaveSettings, type SettingsProps } from "./settings";

/** Whether members need a second factor. */
export function SecondFactorForm({ institutionId, settings }: SettingsProps) {
  const [asked, setAsked] = useState<boolean>();
  const saveSettings = useSaveSettings(institutionId);
  return (
    <Section
      title="Second factor"
      help="sign-in-and-security"
      subtitle="Members without a second factor can only turn one on. A sign-in through the institution's identity provider counts; API keys are not affected."
    >
      <FormControlLabel
        label="Require a second factor"
        control={
          <Switch
            checked={settings.requireSecondFactor}
            onChange={(_, checked) => {
              setAsked(checked);
            }}
          />
        }
      />
      {asked !== undefined && (
        <ConfirmDialog
          title={asked ? "Require a second factor?" : "Stop requiring a second factor?"}
          action={asked ? "Require it" : "Stop requiring it"}
          consequence={
            asked
              ? "It takes effect at once, also for open sessions. Members without a second factor, you included, see only their profile until they have turned one on."
              : "Members can sign in with their password alone again."
          }
          onConfirm={() =>
            saveSettings(
              { requireSecondFactor: asked },
              asked ? "A second factor is required." : "A second factor is no longer required.",
            )
          }
          onClose={() => {
            setAsked(undefined);
          }}
        />
      )}
    </Section>
  );
}
