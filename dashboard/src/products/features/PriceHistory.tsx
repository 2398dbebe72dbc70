import { t } from "@lingui/core/macro";
import Skeleton from "@mui/material/Skeleton";
import Table from "@mui/material/Table";
import TableBody from "@mui/material/TableBody";
import TableCell from "@mui/material/TableCell";
import TableHead from "@mui/material/TableHead";
import TableRow from "@mui/material/TableRow";
import Typography from "@mui/material/Typography";
import { $api } from "../../api/client";
import { dateTime, number } from "../../ui/formats";
import { Row } from "../../ui/layout/layout";
import { ProblemAlert } from "../../ui/ProblemAlert";
import { StatusChip } from "../../ui/StatusChip";
import styles from "./features.module.css";

/** All prices of a feature, newest first. */
export function PriceHistory({ featureId }: { featureId: string }) {
  const { data, error } = $api.useQuery("get", "/api/meter/features/{featureId}/pricing", {
    params: { path: { featureId }, query: { pageSize: 100, sort: "-createdAt" } },
  });
  if (error) return <ProblemAlert error={error} />;
  if (!data) return <Skeleton variant="rounded" height={120} />;
  if (data.items.length === 0)
    return (
      <Typography color="textSecondary">
        {t`No price yet. Use of this feature by a Credit-Based license is rejected with PricingNotConfigured.`}
      </Typography>
    );
  return (
    <div className={styles.history}>
      <Table size="small" aria-label={t`Price history`}>
        <TableHead>
          <TableRow>
            <TableCell align="right">{t`Credits`}</TableCell>
            <TableCell>{t`Since`}</TableCell>
          </TableRow>
        </TableHead>
        <TableBody>
          {data.items.map((price) => (
            <TableRow key={price.id}>
              <TableCell align="right">{number(price.tokenCost)}</TableCell>
              <TableCell>
                <Row gap="s" wraps>
                  {dateTime(price.createdAt)}
                  {price.active && <StatusChip status="Current" tone="good" />}
                </Row>
              </TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </div>
  );
}
