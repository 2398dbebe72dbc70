import { plural, t } from "@lingui/core/macro";
import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import { useState } from "react";
import { Link } from "react-router";
import { asProblem } from "../../api/problem";
import { Page } from "../../ui/Page";
import { RouteTabs } from "../../ui/RouteTabs";
import { StatusChip } from "../../ui/StatusChip";
import { notify } from "../../ui/toasts/toasts";
import { KIND_LABELS, type Connector } from "../connector";
import { EventList } from "../events/EventList";
import styles from "./connectors.module.css";
import { RulesTab } from "./RulesTab";
import { SettingsTab } from "./SettingsTab";
import { SetupTab } from "./SetupTab";
import { useConnectorActions } from "./useConnectorActions";

interface ConnectorProps {
  connector: Connector;
}

function DisabledAlert({ connector }: ConnectorProps) {
  const { change } = useConnectorActions(connector);
  const [busy, setBusy] = useState(false);
  const enable = async () => {
    setBusy(true);
    try {
      await change({ enabled: true }, t`Connector enabled.`);
    } catch (error) {
      notify(asProblem(error).message, { type: "error" });
      setBusy(false);
    }
  };
  return (
    <Alert
      severity="warning"
      className={styles.above}
      action={
        <Button color="inherit" size="small" loading={busy} onClick={() => void enable()}>
          {t`Enable`}
        </Button>
      }
    >
      {t`This connector is disabled: events from the shop are rejected, and orders are not processed. Most shops retry for several days.`}
    </Alert>
  );
}

const WaitingAlert = ({ connector: { id, unmatchedOrders: count } }: ConnectorProps) => (
  <Alert
    severity="warning"
    className={styles.above}
    action={
      <Button
        component={Link}
        to={`/orders?status=Unmatched&connectorId=${id}`}
        color="inherit"
        size="small"
        className={styles.action}
      >
        {plural(count, { one: "Show it", other: "Show them" })}
      </Button>
    }
  >
    {plural(count, {
      one: "# order waits for a rule. Open it to create the rule with one click.",
      other: "# orders wait for a rule. Open each to create its rule with one click.",
    })}
  </Alert>
);

/** A connector with how to set it up, its rules, the events of its shop, and its settings. */
export const ConnectorView = ({ connector }: ConnectorProps) => (
  <Page
    title={connector.name}
    mark={<StatusChip status={connector.enabled ? "Enabled" : "Disabled"} />}
    subtitle={KIND_LABELS[connector.kind]}
    help="connectors"
    back={{ to: "/connectors", label: t`Connectors` }}
    actions={
      <Button component={Link} to={`/orders?connectorId=${connector.id}`} variant="outlined">
        {t`Show orders`}
      </Button>
    }
  >
    {!connector.enabled && <DisabledAlert connector={connector} />}
    {connector.unmatchedOrders > 0 && <WaitingAlert connector={connector} />}
    <RouteTabs
      base={`/connectors/${connector.id}`}
      label={t`Connector`}
      tabs={[
        { path: "", label: t`Setup`, element: <SetupTab connector={connector} /> },
        { path: "rules", label: t`Rules`, element: <RulesTab connector={connector} /> },
        {
          path: "events",
          label: t`Events`,
          element: (
            <EventList
              connectorId={connector.id}
              none={t`Events that the shop sends to the inbox address appear here within a second.`}
            />
          ),
        },
        { path: "settings", label: t`Settings`, element: <SettingsTab connector={connector} /> },
      ]}
    />
  </Page>
);
