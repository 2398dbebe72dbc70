import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import Alert from "@mui/material/Alert";
import { $api } from "../../api/client";
import { DescriptionList } from "../../ui/DescriptionList";
import { number } from "../../ui/formats";
import { Column } from "../../ui/layout/layout";
import { ButtonLink, PageLink } from "../../ui/PageLink";
import { RelativeTime } from "../../ui/RelativeTime";
import { Section } from "../../ui/Section";
import { type Connector, pathOf } from "../connector";
import { ORDERS } from "../order";
import styles from "./connectors.module.css";

const WEEK_MS = 7 * 86_400_000;
const HOUR_MS = 3_600_000;

/** A week ago, at the beginning of an hour, so that one question serves all of it. */
const weekAgo = (): string =>
  new Date(Math.floor(Date.now() / HOUR_MS) * HOUR_MS - WEEK_MS).toISOString();

/** Orders come of events within seconds. */
const FOLLOWED = { refetchInterval: 5_000 };

interface CountProps {
  /** Undefined while it is counted. */
  count: number | undefined;
  /** Where they are listed. */
  to: string;
}

const Count = ({ count, to }: CountProps) => {
  if (count === undefined) return "…";
  return count === 0 ? t`None` : <PageLink to={to}>{number(count)}</PageLink>;
};

interface OverviewTabProps {
  connector: Connector;
}

/** That orders wait for a rule, with the way to them. */
const WaitingAlert = ({ connector: { id, unmatchedOrders: count } }: OverviewTabProps) => (
  <Alert
    severity="warning"
    action={
      <ButtonLink
        to={`/orders?status=Unmatched&connectorId=${id}`}
        color="inherit"
        size="small"
        className={styles.action}
      >
        {plural(count, { one: "Show it", other: "Show them" })}
      </ButtonLink>
    }
  >
    {plural(count, {
      one: "# order has no license because no rule matches it.",
      other: "# orders have no license because no rule matches them.",
    })}
  </Alert>
);

/** Whether a shop that is connected still is: its last event, what it sold, and what failed. */
export function OverviewTab({ connector }: OverviewTabProps) {
  const { id, lastEventAt, unmatchedOrders, rules } = connector;
  const orders = $api.useQuery(
    "get",
    ORDERS,
    { params: { query: { connectorId: id, from: weekAgo(), pageSize: 1 } } },
    FOLLOWED,
  );
  const failed = $api.useQuery(
    "get",
    "/api/connectors/{connectorId}/events",
    { params: { ...pathOf(id), query: { status: "Failed", pageSize: 1 } } },
    FOLLOWED,
  );
  const failures = failed.data?.totalCount;
  return (
    <Section title={t`Overview`}>
      <Column gap="l">
        {unmatchedOrders > 0 && <WaitingAlert connector={connector} />}
        <DescriptionList
          facts={[
            [t`Last event`, lastEventAt && <RelativeTime key="last" at={lastEventAt} />],
            [
              t`Orders in the last 7 days`,
              <Count
                key="orders"
                count={orders.data?.totalCount}
                to={`/orders?connectorId=${id}`}
              />,
            ],
            [
              t`Events that failed`,
              <Count key="failed" count={failures} to={`/connectors/${id}/events?status=Failed`} />,
            ],
            [
              t`Orders without a rule`,
              <Count
                key="waiting"
                count={unmatchedOrders}
                to={`/orders?status=Unmatched&connectorId=${id}`}
              />,
            ],
            [
              t`Rules`,
              <PageLink key="rules" to={`/connectors/${id}/rules`}>
                {number(rules.length)}
              </PageLink>,
            ],
          ]}
        />
        {failures === 0 && (
          <Alert severity="success" role="status">
            {t`The shop is connected: its events arrive, and their signatures match.`}
          </Alert>
        )}
        <RejectionAlert connector={connector} />
      </Column>
    </Section>
  );
}

/** Why the last message was rejected, unless an event has arrived since. */
export function RejectionAlert({ connector }: { connector: Connector }) {
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
