import { t } from "@lingui/core/macro";
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
import { FormDialog } from "../../ui/form/FormDialog";
import { FormField } from "../../ui/form/FormField";
import { useApiForm } from "../../ui/form/useApiForm";
import { Column } from "../../ui/layout/layout";
import { SecretDialog } from "../../ui/SecretDialog";
import { Section } from "../../ui/Section";
import { type Connector, KIND_LABELS, pathOf, useConnectorActions } from "../connector";
import styles from "./connectors.module.css";
import { EXAMPLE, SHOPS } from "./kinds";
import { RejectionAlert } from "./OverviewTab";

/** The inbox address, and how to tell the shop; whether the shop has found it, while it has not. */
export const SetupTab = ({ connector }: { connector: Connector }) => (
  <Column gap="l">
    <Section title={t`Inbox`}>
      <Column gap="l">
        <CopyField label={t`Inbox address`} value={connector.inboxUrl} />
        {connector.lastEventAt === null && (
          <>
            <Alert severity="info" role="status">
              {t`No event has arrived yet. This page shows the first one within seconds.`}
              {lacksSecret(connector) && (
                <> {t`Without the signing secret of the shop, no event is believed.`}</>
              )}
            </Alert>
            <RejectionAlert connector={connector} />
          </>
        )}
      </Column>
    </Section>
    <SetupSteps connector={connector} />
  </Column>
);

/** Whether its secret may be a placeholder: the shop makes one, and none of its events was signed with ours. */
const lacksSecret = ({ kind, lastEventAt }: Connector) =>
  lastEventAt === null && (kind === "Stripe" || kind === "Paddle");

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
        <Step title={t`Make a test sale`}>
          <span>
            {t`Buy something in the test mode of your shop before you go live. Its order appears on the Orders page, marked as test. It gives a license if its rule names a policy of a Test product.`}
          </span>
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
        {lacksSecret(connector) ? t`Enter signing secret` : t`Replace signing secret`}
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
  const isFirst = lacksSecret(connector);
  const form = useApiForm({
    values: { signingSecret: "" },
    checks: RotateConnectorSecretRequest,
    send: async ({ signingSecret }) => {
      const { data } = await api.POST("/api/connectors/{connectorId}/rotate-secret", {
        params: pathOf(connector.id),
        body: { signingSecret: textOrNull(signingSecret) },
      });
      onMade(data?.signingSecret ?? null);
      await done(
        isFirst
          ? t`Signing secret saved.`
          : t`Signing secret replaced. The previous one stays valid for 24 hours.`,
      );
    },
  });
  return (
    <FormDialog
      form={form}
      title={isFirst ? t`Enter signing secret` : t`Replace signing secret`}
      action={isFirst ? t`Save secret` : t`Replace secret`}
      onClose={onClose}
    >
      <DialogContentText>
        {isFirst
          ? t`The shop signs its events with this secret. Events with another signature are rejected.`
          : t`The shop signs its events with this secret. The current one stays valid for 24 hours, so that no event is refused while you change it in the shop. If you replace it again within that time, the oldest stops working at once.`}
      </DialogContentText>
      <FormField
        {...form.field("signingSecret")}
        label={isFirst ? t`Signing secret` : t`New signing secret`}
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
