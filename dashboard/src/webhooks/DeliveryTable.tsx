import { t } from "@lingui/core/macro";
import Box from "@mui/material/Box";
import Link from "@mui/material/Link";
import Skeleton from "@mui/material/Skeleton";
import Stack from "@mui/material/Stack";
import Table from "@mui/material/Table";
import TableBody from "@mui/material/TableBody";
import TableCell from "@mui/material/TableCell";
import TableHead from "@mui/material/TableHead";
import TableRow from "@mui/material/TableRow";
import Typography from "@mui/material/Typography";
import { eventWords } from "../ui/events";
import { StatusChip } from "../ui/StatusChip";
import { RelativeTime } from "../ui/RelativeTime";
import { ATTEMPTS, durationOf, responseOf, stateOf, type Delivery } from "./webhook";

const WIDE = { display: { xs: "none", md: "table-cell" } };
const COLUMNS = [t`Status`, t`Response`, t`Attempts`, t`Next attempt`, t`Duration`, t`Created`];

interface DeliveryTableProps {
  /** Undefined while loading. */
  deliveries: Delivery[] | undefined;
  onOpen: (delivery: Delivery) => void;
}

/** Summary of a delivery, for phones. */
const Compact = ({ delivery }: { delivery: Delivery }) => (
  <Stack
    direction="row"
    sx={{ display: { md: "none" }, gap: 1, mt: 1, flexWrap: "wrap", alignItems: "center" }}
  >
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
  </Stack>
);

function Row({ delivery, onOpen }: { delivery: Delivery; onOpen: (delivery: Delivery) => void }) {
  return (
    <TableRow hover sx={{ position: "relative", "&:last-child > *": { borderBottom: 0 } }}>
      <TableCell component="th" scope="row">
        <Link
          component="button"
          type="button"
          underline="hover"
          onClick={() => {
            onOpen(delivery);
          }}
          sx={{
            fontWeight: 600,
            textAlign: "left",
            "&::after": { content: '""', position: "absolute", inset: 0 },
          }}
        >
          {eventWords(delivery.eventType)}
        </Link>
        <Typography variant="caption" color="textSecondary" component="div">
          <code>{delivery.eventType}</code>
        </Typography>
        <Compact delivery={delivery} />
      </TableCell>
      <TableCell sx={WIDE}>
        <StatusChip status={stateOf(delivery)} />
      </TableCell>
      <TableCell sx={WIDE}>{responseOf(delivery) ?? "—"}</TableCell>
      <TableCell sx={WIDE}>
        {t`${{ attempts: delivery.attempts }} of ${{ most: ATTEMPTS }}`}
      </TableCell>
      <TableCell sx={WIDE}>
        {delivery.nextAttemptAt ? <RelativeTime at={delivery.nextAttemptAt} /> : "—"}
      </TableCell>
      <TableCell sx={WIDE}>{durationOf(delivery) ?? "—"}</TableCell>
      <TableCell sx={WIDE}>
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
        <TableCell key={name} sx={WIDE}>
          <Skeleton width="70%" />
        </TableCell>
      ))}
    </TableRow>
  ));

/** A table of deliveries; each opens a drawer with its details. */
export const DeliveryTable = ({ deliveries, onOpen }: DeliveryTableProps) => (
  <Box sx={{ overflowX: "auto" }}>
    <Table aria-label={t`Deliveries`} aria-busy={!deliveries}>
      <TableHead>
        <TableRow>
          <TableCell>{t`Event`}</TableCell>
          {COLUMNS.map((name) => (
            <TableCell key={name} sx={WIDE}>
              {name}
            </TableCell>
          ))}
        </TableRow>
      </TableHead>
      <TableBody>
        {deliveries?.map((delivery) => (
          <Row key={delivery.id} delivery={delivery} onOpen={onOpen} />
        )) ?? <Loading />}
      </TableBody>
    </Table>
  </Box>
);
