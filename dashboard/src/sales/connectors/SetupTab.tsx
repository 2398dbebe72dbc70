import { t } from "@lingui/core/macro";
import Alert from "@mui/material/Alert";
import Link from "@mui/material/Link";
import { Link as RouterLink } from "react-router";
import { $api } from "../../api/client";
import { CopyField } from "../../ui/CopyField";
import { DescriptionList } from "../../ui/DescriptionList";
import { number } from "../../ui/formats";
import { Column } from "../../ui/layout/layout";
import { RelativeTime } from "../../ui/RelativeTime";
import { Section } from "../../ui/Section";
import { CONNECTOR_EVENTS, pathOf, type Connector } from "../connector";
import { SetupSteps } from "./SetupSteps";

const REFRESHED_EVERY_MS = 3_000;

/** The last event that the shop sent; undefined while loading. */
function useLastEvent(connectorId: string) {
  const { data } = $api.useQuery(
    "get",
    CONNECTOR_EVENTS,
    { params: { ...pathOf(connectorId), query: { pageSize: 1, sort: "-receivedAt" } } },
    { refetchInterval: ({ state }) => (state.error ? false : REFRESHED_EVERY_MS) },
  );
  return data && (data.items[0] ?? null);
}

/** The inbox address, whether the shop has found it, and how to tell the shop. */
export function SetupTab({ connector }: { connector: Connector }) {
  const last = useLastEvent(connector.id);
  const { unmatchedOrders: waiting } = connector;
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
                  <RelativeTime key="last" at={last.receivedAt} />
                ) : (
                  last === null && t({ message: "None yet", context: "event" })
                ),
              ],
              [
                t`Orders without a rule`,
                waiting === 0 ? (
                  t`None`
                ) : (
                  <Link
                    key="waiting"
                    component={RouterLink}
                    to={`/orders?status=Unmatched&connectorId=${connector.id}`}
                  >
                    {number(waiting)}
                  </Link>
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
        </Column>
      </Section>
      <SetupSteps connector={connector} />
    </Column>
  );
}
