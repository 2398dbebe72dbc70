import Alert from "@mui/material/Alert";
import Stack from "@mui/material/Stack";
import Typography from "@mui/material/Typography";
import { useState } from "react";
import { AddressListField } from "../../ui/AddressListField";
import { admits, linesOf } from "../../ui/addresses";
import { ConfirmDialog } from "../../ui/ConfirmDialog";
import { Form, FormProblem, SubmitButton, useFormAttempt } from "../../ui/Form";
import { Section } from "../../ui/Section";
import { useSaveSettings, type SettingsProps } from "./settings";

/** From where people and API keys come in. Asks before the caller locks himself out. */
export function AddressForm({ institutionId, settings }: SettingsProps) {
  const before = settings.ipAllowList.join("\n");
  const [text, setText] = useState(before);
  const [asks, setAsks] = useState(false);
  const saveSettings = useSaveSettings(institutionId);
  const ranges = linesOf(text);
  const save = () => saveSettings({ ipAllowList: ranges }, "The allowed addresses are saved.");
  const isIn = admits(ranges, settings.callerAddress);
  const form = useFormAttempt(async () => {
    if (isIn) await save();
    else setAsks(true);
  });
  return (
    <Section
      title="Allowed addresses"
      help="sign-in-and-security"
      subtitle="While the list is empty, people and API keys come in from everywhere. Applications with a product key run at customers and are never subject to it."
    >
      <Form {...form}>
        <Stack sx={{ gap: 2, alignItems: "flex-start" }}>
          <AddressListField value={text} onValue={setText} />
          <Typography variant="body2">
            You come from <code>{settings.callerAddress}</code>.
          </Typography>
          <div role="status" style={{ width: "100%" }}>
            {!isIn && (
              <Alert severity="warning">
                Your own address is not in this list. Saved like this, it locks you out.
              </Alert>
            )}
          </div>
          <FormProblem />
          <SubmitButton disabled={ranges.join("\n") === before}>Save addresses</SubmitButton>
        </Stack>
      </Form>
      {asks && (
        <ConfirmDialog
          title="Lock yourself out"
          action="Save and lock me out"
          danger
          typed={settings.callerAddress}
          consequence={`${settings.callerAddress} is not in the list. From the next request on you see nothing of this institution from there, and neither do API keys. Somebody at an address that is let in, or a system Admin, has to mend it.`}
          onConfirm={save}
          onClose={() => {
            setAsks(false);
          }}
        />
      )}
    </Section>
  );
}
