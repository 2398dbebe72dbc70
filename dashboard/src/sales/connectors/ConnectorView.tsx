import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import { useState } from "react";
import { Link } from "react-router";
import { asProblem } from "../../api/problem";
import { number } from "../../ui/formats";
import { Page } from "../../ui/Page";
import { RouteTabs } from "../../ui/RouteTabs";
import { StatusChip } from "../../ui/StatusChip";
import { notify } from "../../ui/toasts/toasts";
import { KIND_LABELS, type Connector } from "../connector";
import { EventList } from "../events/EventList";
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
      await change({ enabled: true }, "Connector enabled.");
    } catch (error) {
      notify(asProblem(error).message, { type: "error" });
      setBusy(false);
    }
  };
  return (
    <Alert
      severity="warning"
      sx={{ mb: 2 }}
      action={
        <Button color="inherit" size="small" loading={busy} onClick={() => void enable()}>
          Enable
        </Button>
      }
    >
      This connector is disabled: it refuses the events of the shop, and works on no order. Most
      shops send their events again for some days.
    </Alert>
  );
}

const WaitingAlert = ({ connector: { id, unmatchedOrders: count } }: ConnectorProps) => (
  <Alert
    severity="warning"
    sx={{ mb: 2 }}
    action={
      <Button
        component={Link}
        to={`/orders?status=Unmatched&connectorId=${id}`}
        color="inherit"
        size="small"
        sx={{ whiteSpace: "nowrap" }}
      >
        Show {count === 1 ? "it" : "them"}
      </Button>
    }
  >
    {count === 1
      ? "1 order waits for a rule. One click there gives it one."
      : `${number(count)} orders wait for a rule. One click there gives each one.`}
  </Alert>
);

/** A connector with how to set it up, its rules, the events of its shop, and its settings. */
export const ConnectorView = ({ connector }: ConnectorProps) => (
  <Page
    title={connector.name}
    mark={<StatusChip status={connector.enabled ? "Enabled" : "Disabled"} />}
    subtitle={KIND_LABELS[connector.kind]}
    help="connectors"
    back={{ to: "/connectors", label: "Connectors" }}
    actions={
      <Button component={Link} to={`/orders?connectorId=${connector.id}`} variant="outlined">
        Show orders
      </Button>
    }
  >
    {!connector.enabled && <DisabledAlert connector={connector} />}
    {connector.unmatchedOrders > 0 && <WaitingAlert connector={connector} />}
    <RouteTabs
      base={`/connectors/${connector.id}`}
      label="Connector"
      tabs={[
        { path: "", label: "Setup", element: <SetupTab connector={connector} /> },
        { path: "rules", label: "Rules", element: <RulesTab connector={connector} /> },
        {
          path: "events",
          label: "Events",
          element: (
            <EventList
              connectorId={connector.id}
              none="What the shop sends to the inbox address appears here within a second."
            />
          ),
        },
        { path: "settings", label: "Settings", element: <SettingsTab connector={connector} /> },
      ]}
    />
  </Page>
);
