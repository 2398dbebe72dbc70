import { t } from "@lingui/core/macro";
import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import { useState } from "react";
import { useParams } from "react-router";
import { $api } from "../../api/client";
import { asProblem } from "../../api/problem";
import { Page } from "../../ui/Page";
import { ButtonLink } from "../../ui/PageLink";
import { ProblemAlert } from "../../ui/ProblemAlert";
import { SkeletonRows } from "../../ui/SkeletonRows";
import { type RouteTab, RouteTabs } from "../../ui/RouteTabs";
import { StatusChip } from "../../ui/StatusChip";
import { notify } from "../../ui/toasts/toasts";
import { useFollowed, useInstitution, useManagesAny } from "../../ui/useInstitution";
import { CONNECTOR, type Connector, pathOf, shopText, useConnectorActions } from "../connector";
import { EventList } from "../events/EventList";
import styles from "./connectors.module.css";
import { NoConnectorAccess } from "./NoConnectorAccess";
import { OverviewTab } from "./OverviewTab";
import { RulesTab } from "./RuleEditor";
import { SettingsTab } from "./SettingsTab";
import { SetupTab } from "./SetupTab";

const BACK = { to: "/connectors", label: t`Connectors` };
/** Orders that wait for a rule come with the events of the shop. */
const REFRESHED_EVERY_MS = 3_000;

function ConnectorLoader({ connectorId }: { connectorId: string }) {
  const { data, error, refetch } = $api.useQuery(
    "get",
    CONNECTOR,
    { params: pathOf(connectorId) },
    { refetchInterval: ({ state }) => (state.error ? false : REFRESHED_EVERY_MS) },
  );
  useFollowed(data?.institutionId);
  if (data) return <ConnectorView connector={data} />;
  return (
    <Page title={t`Connector`} help="connectors" back={BACK}>
      {error ? <ProblemAlert error={error} retry={() => void refetch()} /> : <SkeletonRows />}
    </Page>
  );
}

/** A connector, for who may manage one in any of their institutions. */
export default function ConnectorPage() {
  const { connectorId = "" } = useParams();
  const { institutionId } = useInstitution();
  const mayManage = useManagesAny();
  if (institutionId === undefined || !mayManage)
    return (
      <Page title={t`Connector`} help="connectors" back={BACK}>
        {institutionId !== undefined && <NoConnectorAccess />}
      </Page>
    );
  return <ConnectorLoader key={connectorId} connectorId={connectorId} />;
}

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

/** While nothing has arrived it begins with how to set it up, then with how it is. */
function firstTabs(connector: Connector): RouteTab[] {
  const setup = { label: t`Setup`, element: <SetupTab connector={connector} /> };
  if (connector.lastEventAt === null) return [{ path: "", ...setup }];
  return [
    { path: "", label: t`Overview`, element: <OverviewTab connector={connector} /> },
    { path: "setup", ...setup },
  ];
}

/** A connector with how to set it up, its rules, the events of its shop, and its settings. */
const ConnectorView = ({ connector }: ConnectorProps) => (
  <Page
    title={connector.name}
    mark={<StatusChip status={connector.enabled ? "Enabled" : "Disabled"} />}
    subtitle={connector.name !== shopText(connector.kind) && shopText(connector.kind)}
    help="connectors"
    back={{ to: "/connectors", label: t`Connectors` }}
    actions={
      <ButtonLink to={`/orders?connectorId=${connector.id}`} variant="outlined">
        {t`Show orders`}
      </ButtonLink>
    }
  >
    {!connector.enabled && <DisabledAlert connector={connector} />}
    <RouteTabs
      base={`/connectors/${connector.id}`}
      label={t`Connector`}
      tabs={[
        ...firstTabs(connector),
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
