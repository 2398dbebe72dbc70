import { t } from "@lingui/core/macro";
import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import { useState } from "react";
import { SendIcon } from "../ui/icons";
import type { Webhook } from "../api/types";
import { CopyButton } from "../ui/CopyButton";
import { date } from "../ui/formats";
import { Row } from "../ui/layout/layout";
import { Page } from "../ui/Page";
import { RouteTabs } from "../ui/RouteTabs";
import { settingsPath } from "../ui/settingsPath";
import { StatusChip } from "../ui/StatusChip";
import { DeliveriesTab } from "./DeliveriesTab";
import { SettingsTab } from "./SettingsTab";
import { useWebhookActions } from "./useWebhookActions";
import { nameOf, reasonOf } from "./webhook";
import styles from "./webhooks.module.css";

function TestButton({ webhook }: { webhook: Webhook }) {
  const { sendTest } = useWebhookActions(webhook);
  const [busy, setBusy] = useState(false);
  return (
    <Button
      variant="outlined"
      startIcon={<SendIcon />}
      loading={busy}
      onClick={() => {
        setBusy(true);
        void sendTest().finally(() => setBusy(false));
      }}
    >
      {t`Send test event`}
    </Button>
  );
}

function DisabledAlert({ webhook }: { webhook: Webhook }) {
  const { enable } = useWebhookActions(webhook);
  const [busy, setBusy] = useState(false);
  return (
    <Alert
      severity="warning"
      className={styles.alert}
      action={
        <Button
          color="inherit"
          size="small"
          loading={busy}
          className={styles.enable}
          onClick={() => {
            setBusy(true);
            void enable().finally(() => setBusy(false));
          }}
        >
          {t`Enable webhook`}
        </Button>
      }
    >
      {webhook.disabledAt
        ? t`This webhook has been disabled since ${{ day: date(webhook.disabledAt) }}.`
        : t`This webhook has been disabled.`}{" "}
      {reasonOf(webhook)}{" "}
      {t`Fix the receiver before you enable it again; events that occur in the meantime are not delivered later.`}
    </Alert>
  );
}

const Address = ({ url }: { url: string }) => (
  <Row gap="xs">
    <code title={url} className={styles.line}>
      {url}
    </code>
    <CopyButton value={url} label={t`Copy URL`} />
  </Row>
);

/** A webhook with its deliveries and settings. */
export const WebhookView = ({ webhook }: { webhook: Webhook }) => (
  <Page
    title={nameOf(webhook)}
    mark={<StatusChip status={webhook.enabled ? "Enabled" : "Disabled"} />}
    help="webhooks"
    back={{ to: settingsPath(webhook.institutionId, "webhooks"), label: t`Webhooks` }}
    subtitle={<Address url={webhook.url} />}
    actions={webhook.enabled && <TestButton webhook={webhook} />}
  >
    {!webhook.enabled && <DisabledAlert webhook={webhook} />}
    <RouteTabs
      base={`/webhooks/${webhook.id}`}
      label={t`Webhook`}
      tabs={[
        { path: "", label: t`Deliveries`, element: <DeliveriesTab webhook={webhook} /> },
        { path: "settings", label: t`Settings`, element: <SettingsTab webhook={webhook} /> },
      ]}
    />
  </Page>
);
