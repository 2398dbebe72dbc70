import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import type { ButtonProps } from "@mui/material/Button";
import DialogContentText from "@mui/material/DialogContentText";
import Typography from "@mui/material/Typography";
import { type ReactNode, useState } from "react";
import { Link as RouterLink } from "react-router";
import { textOrNull } from "../../api/fields";
import { RotateConnectorSecretRequest } from "../../api/checks";
import { api } from "../../api/client";
import { CopyField } from "../../ui/CopyField";
import { DescriptionList } from "../../ui/DescriptionList";
import { FormDialog } from "../../ui/form/FormDialog";
import { FormField } from "../../ui/form/FormField";
import { useApiForm } from "../../ui/form/useApiForm";
import { number } from "../../ui/formats";
import { Column } from "../../ui/layout/layout";
import { PageLink } from "../../ui/PageLink";
import { RelativeTime } from "../../ui/RelativeTime";
import { SecretDialog } from "../../ui/SecretDialog";
import { Section } from "../../ui/Section";
import { type Connector, KIND_LABELS, pathOf, useConnectorActions } from "../connector";
import styles from "./connectors.module.css";
import { EXAMPLE, SHOPS } from "./kinds";

/** Why the last message was rejected, unless an event has arrived since. */
function RejectionAlert({ connector }: { connector: Connector }) {
  const { lastEventAt, lastRejectedAt: at, lastRejection } = connector;
  if (at === null || (lastEventAt !== null && new Date(lastEventAt) > new Date(at))) return null;
  return (
    <Alert severity="warning">
      <Trans>
        A message was rejected <RelativeTime at={at} />.
      </Trans>{" "}
      {lastRejection}
    </Alert>
  );
}

/** The inbox address, whether the shop has found it, and how to tell the shop. */
export function SetupTab({ connector }: { connector: Connector }) {
  const { lastEventAt: last, unmatchedOrders: waiting } = connector;
  return (
    <Column gap="l">
      <Section title={t`Inbox`}>
        <Column gap="l">
          <CopyField label={t`Inbox address`} value={connector.inboxUrl} />
          <DescriptionList
            facts={[
              [
                t`Last event`,
                last ? (
                  <RelativeTime key="last" at={last} />
                ) : (
                  t({ message: "None yet", context: "event" })
                ),
              ],
              [
                t`Orders without a rule`,
                waiting === 0 ? (
                  t`None`
                ) : (
                  <PageLink
                    key="waiting"
                    to={`/orders?status=Unmatched&connectorId=${connector.id}`}
                  >
                    {number(waiting)}
                  </PageLink>
                ),
              ],
              [t`Rules`, number(connector.rules.length)],
            ]}
          />
          {last === null && (
            <Alert severity="info" role="status">
              {t`No event has arrived yet. This page shows the first one within seconds.`}
            </Alert>
          )}
          {last && (
            <Alert severity="success" role="status">
              {t`The shop is connected: its events arrive, and their signatures match.`}
            </Alert>
          )}
          <RejectionAlert connector={connector} />
        </Column>
      </Section>
      <SetupSteps connector={connector} />
    </Column>
  );
}

const Step = ({ title, children }: { title: string; children: ReactNode }) => (
  <li>
    <Typography variant="subtitle1" component="p">
      {title}
    </Typography>
    <Column gap="s" align="start" className={styles.step}>
      {children}
    </Column>
  </li>
);

/** What to do in the shop, step by step. */
function SetupSteps({ connector }: { connector: Connector }) {
  const { kind, id, rules } = connector;
  const shop = SHOPS[kind];
  const isGeneric = kind === "Generic";
  return (
    <Section title={isGeneric ? t`Set up your shop` : t`Set up ${{ shop: KIND_LABELS[kind] }}`}>
      <ol className={styles.steps}>
        <Step title={t`Enter the inbox address`}>
          <span>{shop.address}</span>
        </Step>
        <Step title={isGeneric ? t`Send these events` : t`Choose the events to send`}>
          <CopyField label={t`Events`} value={shop.events.join("\n")} block />
          {shop.events.some((name) => name.includes("*")) && (
            <span>{t`The * stands for all events with this prefix.`}</span>
          )}
        </Step>
        <Step title={t`Enter the signing secret`}>
          <span>{shop.secretStep}</span>
          <ReplaceSecret connector={connector} size="small" />
        </Step>
        {isGeneric && (
          <Step title={t`Send messages in this format`}>
            <CopyField label={t`Example`} value={EXAMPLE} block />
          </Step>
        )}
        <Step title={t`Choose the license for each sale`}>
          <span>
            {rules.length > 0
              ? t`Rules decide. Orders that match none wait on the Orders page.`
              : t`Create a rule for each thing that you sell, now or with one click when it is first sold.`}
          </span>
          <Button
            component={RouterLink}
            to={`/connectors/${id}/rules`}
            variant="outlined"
            size="small"
          >
            {rules.length > 0 ? t`Show rules` : t`Create rules`}
          </Button>
        </Step>
      </ol>
      {shop.notes.map((note) => (
        <p key={note} className={styles.note}>
          {note}
        </p>
      ))}
    </Section>
  );
}

interface ReplaceSecretProps {
  connector: Connector;
  size?: ButtonProps["size"];
}

/** Replaces the signing secret; one that is made here is then shown once. */
export function ReplaceSecret({ connector, size = "medium" }: ReplaceSecretProps) {
  const [isAsking, setAsking] = useState(false);
  const [made, setMade] = useState<string | null>(null);
  const close = () => setAsking(false);
  return (
    <>
      <Button variant="outlined" size={size} onClick={() => setAsking(true)}>
        {t`Replace signing secret`}
      </Button>
      {isAsking && <AskSecret connector={connector} onMade={setMade} onClose={close} />}
      {made !== null && !isAsking && (
        <SecretDialog
          title={t`New signing secret`}
          label={t`Signing secret`}
          secret={made}
          fileName="connector-secret.txt"
          onClose={() => setMade(null)}
        >
          {t`Enter it in your shop within 24 hours. Until then, the previous one works as well.`}
        </SecretDialog>
      )}
    </>
  );
}

interface AskSecretProps {
  connector: Connector;
  /** Gets a secret that was made here; null for one that the shop has made. */
  onMade: (secret: string | null) => void;
  onClose: () => void;
}

function AskSecret({ connector, onMade, onClose }: AskSecretProps) {
  const { done } = useConnectorActions(connector);
  const isGeneric = connector.kind === "Generic";
  const form = useApiForm({
    values: { signingSecret: "" },
    checks: RotateConnectorSecretRequest,
    send: async ({ signingSecret }) => {
      const { data } = await api.POST("/api/connectors/{connectorId}/rotate-secret", {
        params: pathOf(connector.id),
        body: { signingSecret: textOrNull(signingSecret) },
      });
      onMade(data?.signingSecret ?? null);
      await done(t`Signing secret replaced. The previous one stays valid for 24 hours.`);
    },
  });
  return (
    <FormDialog
      form={form}
      title={t`Replace signing secret`}
      action={t`Replace secret`}
      onClose={onClose}
    >
      <DialogContentText>
        {t`The shop signs its events with this secret. The current one stays valid for 24 hours, so that no event is refused while you change it in the shop. If you replace it again within that time, the oldest stops working at once.`}
      </DialogContentText>
      <FormField
        {...form.field("signingSecret")}
        label={t`New signing secret`}
        required={!isGeneric}
        autoFocus
        input={{ spellCheck: false }}
        helperText={
          isGeneric
            ? t`Leave it empty, and we create one (whsec_…) and show it to you once.`
            : SHOPS[connector.kind].secretStep
        }
      />
    </FormDialog>
  );
}
