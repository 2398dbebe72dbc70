import { t } from "@lingui/core/macro";
import { useParams } from "react-router";
import { $api } from "../../api/client";
import { Page } from "../../ui/Page";
import { ProblemAlert } from "../../ui/ProblemAlert";
import { useInstitution, useManagesAny } from "../../ui/useInstitution";
import { CONNECTOR, pathOf } from "../connector";
import { ConnectorView } from "./ConnectorView";
import { NoConnectorAccess } from "./NoConnectorAccess";

const BACK = { to: "/connectors", label: t`Connectors` };
/** Orders that wait for a rule come with the events of the shop. */
const REFRESHED_EVERY_MS = 5_000;

function ConnectorLoader({ connectorId }: { connectorId: string }) {
  const { data, error, refetch } = $api.useQuery(
    "get",
    CONNECTOR,
    { params: pathOf(connectorId) },
    { refetchInterval: ({ state }) => (state.error ? false : REFRESHED_EVERY_MS) },
  );
  if (data) return <ConnectorView connector={data} />;
  return (
    <Page title={t`Connector`} help="connectors" back={BACK}>
      {error && <ProblemAlert error={error} retry={() => void refetch()} />}
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
