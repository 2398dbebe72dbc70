import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import Alert from "@mui/material/Alert";
import Typography from "@mui/material/Typography";
import { type SyntheticEvent, useState } from "react";
import { useWatch } from "react-hook-form";
import { $api, at } from "../../api/client";
import { ConfirmDialog } from "../../ui/ConfirmDialog";
import { SaveForm } from "../../ui/form/SaveForm";
import { useApiForm } from "../../ui/form/useApiForm";
import { IpListField } from "../../ui/IpListField";
import { isAllowed, linesOf } from "../../ui/ipRanges";
import { Section } from "../../ui/Section";
import { type SettingsProps, useSaveSettings } from "./settings";
import styles from "./settings.module.css";

/** Only the IP allow-list, for a system Admin who is locked out by it. */
export function IpAllowListSection({ institutionId }: { institutionId: string }) {
  const { data } = $api.useQuery(
    "get",
    "/api/institutions/{institutionId}/settings",
    at({ institutionId }),
  );
  if (!data) return null;
  return (
    <div className={styles.remedy}>
      <IpAllowListForm institutionId={institutionId} settings={data} />
    </div>
  );
}

/** The IP allow-list for users and API keys. Warns users before they lock themselves out. */
export function IpAllowListForm({ institutionId, settings }: SettingsProps) {
  const address = settings.callerAddress;
  const [asks, setAsks] = useState(false);
  const saveSettings = useSaveSettings(institutionId);
  const save = (draft: { ipAllowList: string }, confirm: boolean) =>
    saveSettings({ ipAllowList: linesOf(draft.ipAllowList), confirm }, t`Allowed addresses saved.`);
  const form = useApiForm({
    values: { ipAllowList: settings.ipAllowList.join("\n") },
    send: (draft) => save(draft, false),
  });
  const { control, field } = form;
  const ipAllowList = useWatch({ control, name: "ipAllowList" });
  const isIn = isAllowed(linesOf(ipAllowList), address);
  const submit = (event: SyntheticEvent) => {
    if (isIn) return form.submit(event);
    event.preventDefault();
    setAsks(true);
    return Promise.resolve(false);
  };
  return (
    <Section
      title={t`Allowed addresses`}
      help="sign-in-and-security"
      subtitle={t`While the list is empty, users and API keys can connect from any address. Applications that use a product key are not affected.`}
    >
      <SaveForm form={{ ...form, submit }}>
        <IpListField {...field("ipAllowList")} />
        <Typography variant="body2">
          <Trans>
            Your current address is <code>{address}</code>.
          </Trans>
        </Typography>
        <div role="status">
          {!isIn && (
            <Alert severity="warning">
              {t`Your own address is not in this list. Saving it locks you out.`}
            </Alert>
          )}
        </div>
      </SaveForm>
      {asks && (
        <ConfirmDialog
          title={t`Lock yourself out?`}
          action={t`Save and lock me out`}
          danger
          typed={address}
          consequence={t`${address} is not in the list. From the next request on, you and all API keys lose access to this institution from that address. Only a user at an allowed address or a system Admin can fix it.`}
          onConfirm={async () => {
            await save({ ipAllowList }, true);
            form.reset({ ipAllowList });
          }}
          onClose={() => setAsks(false)}
        />
      )}
    </Section>
  );
}
