import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import Alert from "@mui/material/Alert";
import Stack from "@mui/material/Stack";
import Typography from "@mui/material/Typography";
import { useState } from "react";
import { IpListField } from "../../ui/IpListField";
import { isAllowed, linesOf } from "../../ui/ipRanges";
import { ConfirmDialog } from "../../ui/ConfirmDialog";
import { Form, FormProblem, SubmitButton, useFormSubmission } from "../../ui/Form";
import { Section } from "../../ui/Section";
import { useSaveSettings, type SettingsProps } from "./settings";

/** The IP allow-list for users and API keys. Warns users before they lock themselves out. */
export function IpAllowListForm({ institutionId, settings }: SettingsProps) {
  const address = settings.callerAddress;
  const before = settings.ipAllowList.join("\n");
  const [text, setText] = useState(before);
  const [asks, setAsks] = useState(false);
  const saveSettings = useSaveSettings(institutionId);
  const ranges = linesOf(text);
  const save = () => saveSettings({ ipAllowList: ranges }, t`Allowed addresses saved.`);
  const isIn = isAllowed(ranges, address);
  const form = useFormSubmission(async () => {
    if (isIn) await save();
    else setAsks(true);
  });
  return (
    <Section
      title={t`Allowed addresses`}
      help="sign-in-and-security"
      subtitle={t`While the list is empty, users and API keys can connect from any address. Applications that use a product key are not affected.`}
    >
      <Form {...form}>
        <Stack sx={{ gap: 2, alignItems: "flex-start" }}>
          <IpListField value={text} onValue={setText} />
          <Typography variant="body2">
            <Trans>
              Your current address is <code>{address}</code>.
            </Trans>
          </Typography>
          <div role="status" style={{ width: "100%" }}>
            {!isIn && (
              <Alert severity="warning">
                {t`Your own address is not in this list. Saving it locks you out.`}
              </Alert>
            )}
          </div>
          <FormProblem />
          <SubmitButton disabled={ranges.join("\n") === before}>{t`Save addresses`}</SubmitButton>
        </Stack>
      </Form>
      {asks && (
        <ConfirmDialog
          title={t`Lock yourself out?`}
          action={t`Save and lock me out`}
          danger
          typed={address}
          consequence={t`${address} is not in the list. From the next request on, you and all API keys lose access to this institution from that address. Only a user at an allowed address or a system Admin can fix it.`}
          onConfirm={save}
          onClose={() => {
            setAsks(false);
          }}
        />
      )}
    </Section>
  );
}
