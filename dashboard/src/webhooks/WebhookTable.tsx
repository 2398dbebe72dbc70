import { t } from "@lingui/core/macro";
import Box from "@mui/material/Box";
import Card from "@mui/material/Card";
import Link from "@mui/material/Link";
import Skeleton from "@mui/material/Skeleton";
import Stack from "@mui/material/Stack";
import Table from "@mui/material/Table";
import TableBody from "@mui/material/TableBody";
import TableCell from "@mui/material/TableCell";
import TableHead from "@mui/material/TableHead";
import TableRow from "@mui/material/TableRow";
import Typography from "@mui/material/Typography";
import { Link as RouterLink } from "react-router";
import type { Webhook } from "../api/types";
import { StatusChip } from "../ui/StatusChip";
import { RelativeTime } from "../ui/RelativeTime";
import { summaryOf } from "./eventTypes";
import { nameOf, reasonOf } from "./webhook";

const WIDE = { display: { xs: "none", md: "table-cell" } };
const NARROW = { display: { xs: "flex", md: "none" } };

const ONE_LINE = { overflow: "hidden", textOverflow: "ellipsis", whiteSpace: "nowrap" };

const State = ({ webhook }: { webhook: Webhook }) => (
  <Box>
    <StatusChip status={webhook.enabled ? "Enabled" : "Disabled"} />
    {!webhook.enabled && (
      <Typography variant="caption" color="textSecondary" component="div" sx={{ mt: 0.5 }}>
        {reasonOf(webhook)}
      </Typography>
    )}
  </Box>
);

const LastDelivery = ({ webhook }: { webhook: Webhook }) =>
  webhook.lastDeliveryAt && webhook.lastStatus ? (
    <Stack direction="row" sx={{ gap: 1, alignItems: "center", flexWrap: "wrap" }}>
      <StatusChip status={webhook.lastStatus} />
      <Typography variant="body2" color="textSecondary" component="span">
        <RelativeTime at={webhook.lastDeliveryAt} />
      </Typography>
    </Stack>
  ) : (
    <Typography variant="body2" color="textSecondary" component="span">
      {t`None yet`}
    </Typography>
  );

function Row({ webhook }: { webhook: Webhook }) {
  return (
    <TableRow
      hover
      sx={{ position: "relative", "&:last-child > *": { borderBottom: 0 }, height: 68 }}
    >
      <TableCell component="th" scope="row" sx={{ maxWidth: { xs: 0, md: 380 }, width: "45%" }}>
        <Link
          component={RouterLink}
          to={`/webhooks/${webhook.id}`}
          underline="hover"
          sx={{
            display: "block",
            fontWeight: 600,
            ...ONE_LINE,
            "&::after": { content: '""', position: "absolute", inset: 0 },
          }}
        >
          {nameOf(webhook)}
        </Link>
        <Typography variant="body2" color="textSecondary" component="div" sx={ONE_LINE}>
          {webhook.url}
        </Typography>
        <Stack sx={{ ...NARROW, gap: 1, mt: 1 }}>
          <Typography variant="body2" component="div">
            {summaryOf(webhook.eventTypes)}
          </Typography>
          <State webhook={webhook} />
          <Stack direction="row" sx={{ gap: 1, flexWrap: "wrap", alignItems: "center" }}>
            <Typography variant="caption" color="textSecondary">
              {t`Last delivery:`}
            </Typography>
            <LastDelivery webhook={webhook} />
          </Stack>
        </Stack>
      </TableCell>
      <TableCell sx={WIDE}>{summaryOf(webhook.eventTypes)}</TableCell>
      <TableCell sx={WIDE}>
        <State webhook={webhook} />
      </TableCell>
      <TableCell sx={WIDE}>
        <LastDelivery webhook={webhook} />
      </TableCell>
    </TableRow>
  );
}

const Loading = () => (
  <TableRow sx={{ height: 68 }}>
    <TableCell>
      <Skeleton width="50%" />
      <Skeleton width="80%" />
    </TableCell>
    {[0, 1, 2].map((place) => (
      <TableCell key={place} sx={WIDE}>
        <Skeleton width="60%" />
      </TableCell>
    ))}
  </TableRow>
);

/** A table of webhooks, linked to their pages; undefined while loading. */
export const WebhookTable = ({ webhooks }: { webhooks: Webhook[] | undefined }) => (
  <Card>
    <Box sx={{ overflowX: "auto" }}>
      <Table aria-label={t`Webhooks`} aria-busy={!webhooks}>
        <TableHead>
          <TableRow>
            <TableCell>{t`Webhook`}</TableCell>
            <TableCell sx={WIDE}>{t`Events`}</TableCell>
            <TableCell sx={WIDE}>{t`Status`}</TableCell>
            <TableCell sx={WIDE}>{t`Last delivery`}</TableCell>
          </TableRow>
        </TableHead>
        <TableBody>
          {webhooks?.map((webhook) => <Row key={webhook.id} webhook={webhook} />) ?? <Loading />}
        </TableBody>
      </Table>
    </Box>
  </Card>
);
