import { t } from "@lingui/core/macro";
import Link from "@mui/material/Link";
import Skeleton from "@mui/material/Skeleton";
import Table from "@mui/material/Table";
import TableBody from "@mui/material/TableBody";
import TableCell from "@mui/material/TableCell";
import TableHead from "@mui/material/TableHead";
import TableRow from "@mui/material/TableRow";
import Typography from "@mui/material/Typography";
import { eventWords } from "../ui/events";
import { Row } from "../ui/layout/layout";
import { StatusChip } from "../ui/StatusChip";
import { RelativeTime } from "../ui/RelativeTime";
import { ATTEMPTS, durationOf, responseOf, stateOf, type Delivery } from "./webhook";
import styles from "./webhookTables.module.css";

const COLUMNS = [t`Status`, t`Response`, t`Attempts`, t`Next attempt`, t`Duration`, t`Created`];

interface DeliveryTableProps {
  /** Undefined while loading. */
  deliveries: Delivery[] | undefined;
  onOpen: (delivery: Delivery) => void;
}

/** Summary of a delivery, for phones. */
const Compact = ({ delivery }: { delivery: Delivery }) => (
  <Row gap="s" wraps className={styles.compact}>
    <StatusChip status={stateOf(delivery)} />
    <Typography variant="body2" color="textSecondary" component="span">
      {[
        responseOf(delivery),
        t`attempt ${{ attempts: delivery.attempts }} of ${{ most: ATTEMPTS }}`,
      ]
        .filter(Boolean)
        .join(" · ")}
    </Typography>
    <Typography variant="body2" color="textSecondary" component="span">
      <RelativeTime at={delivery.createdAt} />
    </Typography>
  </Row>
);

function DeliveryRow({
  delivery,
  onOpen,
}: {
  delivery: Delivery;
  onOpen: (delivery: Delivery) => void;
}) {
  return (
    <TableRow hover className={styles.opens}>
      <TableCell component="th" scope="row">
        <Link
          component="button"
          type="button"
          underline="hover"
          onClick={() => onOpen(delivery)}
          className={styles.opener}
        >
          {eventWords(delivery.eventType)}
        </Link>
        <Typography variant="caption" color="textSecondary" component="div">
          <code>{delivery.eventType}</code>
        </Typography>
        <Compact delivery={delivery} />
      </TableCell>
      <TableCell className={styles.wide}>
        <StatusChip status={stateOf(delivery)} />
      </TableCell>
      <TableCell className={styles.wide}>{responseOf(delivery) ?? "—"}</TableCell>
      <TableCell className={styles.wide}>
        {t`${{ attempts: delivery.attempts }} of ${{ most: ATTEMPTS }}`}
      </TableCell>
      <TableCell className={styles.wide}>
        {delivery.nextAttemptAt ? <RelativeTime at={delivery.nextAttemptAt} /> : "—"}
      </TableCell>
      <TableCell className={styles.wide}>{durationOf(delivery) ?? "—"}</TableCell>
      <TableCell className={styles.wide}>
        <RelativeTime at={delivery.createdAt} />
      </TableCell>
    </TableRow>
  );
}

const Loading = () =>
  [0, 1, 2].map((place) => (
    <TableRow key={place}>
      <TableCell>
        <Skeleton width="70%" />
        <Skeleton width="40%" />
      </TableCell>
      {COLUMNS.map((name) => (
        <TableCell key={name} className={styles.wide}>
          <Skeleton width="70%" />
        </TableCell>
      ))}
    </TableRow>
  ));

/** A table of deliveries; each opens a drawer with its details. */
export const DeliveryTable = ({ deliveries, onOpen }: DeliveryTableProps) => (
  <div className={styles.frame}>
    <Table aria-label={t`Deliveries`} aria-busy={!deliveries}>
      <TableHead>
        <TableRow>
          <TableCell>{t`Event`}</TableCell>
          {COLUMNS.map((name) => (
            <TableCell key={name} className={styles.wide}>
              {name}
            </TableCell>
          ))}
        </TableRow>
      </TableHead>
      <TableBody>
        {deliveries?.map((delivery) => (
          <DeliveryRow key={delivery.id} delivery={delivery} onOpen={onOpen} />
        )) ?? <Loading />}
      </TableBody>
    </Table>
  </div>
);
