import { t } from "@lingui/core/macro";
import Card from "@mui/material/Card";
import Skeleton from "@mui/material/Skeleton";
import Table from "@mui/material/Table";
import TableBody from "@mui/material/TableBody";
import TableCell from "@mui/material/TableCell";
import TableHead from "@mui/material/TableHead";
import TableRow from "@mui/material/TableRow";
import Typography from "@mui/material/Typography";
import { $api } from "../api/client";
import type { Webhook } from "../api/types";
import { AddLink } from "../ui/AddButton";
import { EmptyState } from "../ui/EmptyState";
import { WebhookIcon } from "../ui/icons";
import { Column, Row } from "../ui/layout/layout";
import { Muted } from "../ui/Muted";
import { PageLink } from "../ui/PageLink";
import { Pages, usePageNumber } from "../ui/Pages";
import { ProblemAlert } from "../ui/ProblemAlert";
import { RelativeTime } from "../ui/RelativeTime";
import { TabHeading } from "../ui/Section";
import { StatusChip } from "../ui/StatusChip";
import { useCan } from "../ui/useInstitution";
import { summaryOf } from "./eventTypes";
import { NoWebhookAccess } from "./NoWebhookAccess";
import { nameOf, reasonOf, WEBHOOKS } from "./webhook";
import styles from "./webhooks.module.css";

const PAGE_SIZE = 25;

interface OfInstitution {
  institutionId: string;
}

const NoWebhooks = () => (
  <Card>
    <EmptyState icon={<WebhookIcon />} title={t`No webhooks yet`}>
      {t`A webhook notifies your own systems of events within seconds: your shop when a license is renewed, or your chat when a balance is used up. Events are signed, and delivery is retried for three days.`}
    </EmptyState>
  </Card>
);

function Webhooks({ institutionId }: OfInstitution) {
  const page = usePageNumber();
  const query = { institutionId, page, pageSize: PAGE_SIZE, sort: "createdAt" };
  const { data, error, refetch } = $api.useQuery("get", WEBHOOKS, { params: { query } });
  if (error) return <ProblemAlert error={error} retry={() => void refetch()} />;
  if (data?.items.length === 0 && page === 1) return <NoWebhooks />;
  return (
    <>
      <WebhookTable webhooks={data?.items} />
      <Pages total={data?.totalCount} pageSize={PAGE_SIZE} label={t`Webhooks`} />
    </>
  );
}

/** The webhooks of an institution. */
export function WebhooksTab({ institutionId }: OfInstitution) {
  const { manage } = useCan(institutionId);
  if (!manage) return <NoWebhookAccess />;
  return (
    <>
      <TabHeading
        title={t`Webhooks`}
        help="webhooks"
        action={
          <AddLink to={`/webhooks/new?institutionId=${institutionId}`}>{t`New webhook`}</AddLink>
        }
      >
        {t`Send events to your own systems as they happen.`}
      </TabHeading>
      <Webhooks institutionId={institutionId} />
    </>
  );
}

const State = ({ webhook }: { webhook: Webhook }) => (
  <Column gap="xs" align="start">
    <StatusChip status={webhook.enabled ? "Enabled" : "Disabled"} />
    {!webhook.enabled && (
      <Typography variant="caption" color="textSecondary" component="div">
        {reasonOf(webhook)}
      </Typography>
    )}
  </Column>
);

const LastDelivery = ({ webhook }: { webhook: Webhook }) =>
  webhook.lastDeliveryAt && webhook.lastStatus ? (
    <Row gap="s" wraps>
      <StatusChip status={webhook.lastStatus} />
      <Muted component="span">
        <RelativeTime at={webhook.lastDeliveryAt} />
      </Muted>
    </Row>
  ) : (
    <Muted component="span">{t`None yet`}</Muted>
  );

function WebhookRow({ webhook }: { webhook: Webhook }) {
  return (
    <TableRow hover className={styles.opens}>
      <TableCell component="th" scope="row" className={styles.webhook}>
        <PageLink to={`/webhooks/${webhook.id}`} underline="hover" className={styles.opener}>
          {nameOf(webhook)}
        </PageLink>
        <Muted component="div" noWrap>
          {webhook.url}
        </Muted>
        <Column gap="s" className={styles.compact}>
          <Typography variant="body2" component="div">
            {summaryOf(webhook.eventTypes)}
          </Typography>
          <State webhook={webhook} />
          <Row gap="s" wraps>
            <Typography variant="caption" color="textSecondary">
              {t`Last delivery:`}
            </Typography>
            <LastDelivery webhook={webhook} />
          </Row>
        </Column>
      </TableCell>
      <TableCell className={styles.wide}>{summaryOf(webhook.eventTypes)}</TableCell>
      <TableCell className={styles.wide}>
        <State webhook={webhook} />
      </TableCell>
      <TableCell className={styles.wide}>
        <LastDelivery webhook={webhook} />
      </TableCell>
    </TableRow>
  );
}

const Loading = () => (
  <TableRow className={styles.opens}>
    <TableCell>
      <Skeleton width="50%" />
      <Skeleton width="80%" />
    </TableCell>
    {[0, 1, 2].map((place) => (
      <TableCell key={place} className={styles.wide}>
        <Skeleton width="60%" />
      </TableCell>
    ))}
  </TableRow>
);

/** A table of webhooks, linked to their pages; undefined while loading. */
const WebhookTable = ({ webhooks }: { webhooks: Webhook[] | undefined }) => (
  <Card>
    <div className={styles.frame}>
      <Table className={styles.webhooks} aria-label={t`Webhooks`} aria-busy={!webhooks}>
        <TableHead>
          <TableRow>
            <TableCell>{t`Webhook`}</TableCell>
            <TableCell className={styles.wide}>{t`Events`}</TableCell>
            <TableCell className={styles.wide}>{t`Status`}</TableCell>
            <TableCell className={styles.wide}>{t`Last delivery`}</TableCell>
          </TableRow>
        </TableHead>
        <TableBody>
          {webhooks?.map((webhook) => <WebhookRow key={webhook.id} webhook={webhook} />) ?? (
            <Loading />
          )}
        </TableBody>
      </Table>
    </div>
  </Card>
);
