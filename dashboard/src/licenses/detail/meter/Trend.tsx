import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Skeleton from "@mui/material/Skeleton";
import Table from "@mui/material/Table";
import TableBody from "@mui/material/TableBody";
import TableCell from "@mui/material/TableCell";
import TableHead from "@mui/material/TableHead";
import TableRow from "@mui/material/TableRow";
import Typography from "@mui/material/Typography";
import { lazy, Suspense, useState } from "react";
import { $api } from "../../../api/client";
import type { License, Schemas } from "../../../api/types";
import { date, number } from "../../../ui/formats";
import { ProblemAlert } from "../../../ui/ProblemAlert";
import { Section } from "../../../ui/Section";
import { amountText } from "./amounts";

const TrendChart = lazy(() => import("./TrendChart"));
const HEIGHT = 240;

/** What was used and granted on each of the last 30 days, as a picture or in figures. */
export function Trend({ license }: { license: License }) {
  const [isTable, setTable] = useState(false);
  const { data, error, refetch } = $api.useQuery("get", "/api/statistics/meter-usage", {
    params: { query: { licenseId: license.id } },
  });
  return (
    <Section
      title="Last 30 days"
      subtitle={
        data &&
        `${amountText(data.consumption, license)} used, ${amountText(data.grants, license)} granted.`
      }
      actions={
        <Button
          size="small"
          aria-pressed={isTable}
          onClick={() => {
            setTable(!isTable);
          }}
        >
          {isTable ? "Show the chart" : "Show the figures"}
        </Button>
      }
    >
      {error ? (
        <ProblemAlert error={error} retry={() => void refetch()} />
      ) : !data ? (
        <Skeleton variant="rounded" height={HEIGHT} />
      ) : isTable ? (
        <Figures days={data.dailyTrend} />
      ) : (
        <Suspense fallback={<Skeleton variant="rounded" height={HEIGHT} />}>
          <Box
            role="img"
            aria-label={`Chart of the days from ${date(data.from)} to ${date(data.to)}. The button above shows the same in figures.`}
          >
            <TrendChart days={data.dailyTrend} height={HEIGHT} />
          </Box>
        </Suspense>
      )}
    </Section>
  );
}

function Figures({ days }: { days: Schemas["MeterDay"][] }) {
  const moved = days.filter((day) => day.consumed !== 0 || day.granted !== 0).toReversed();
  if (moved.length === 0)
    return <Typography color="textSecondary">Nothing was used or granted.</Typography>;
  return (
    <Table size="small">
      <TableHead>
        <TableRow>
          <TableCell>Day</TableCell>
          <TableCell align="right">Used</TableCell>
          <TableCell align="right">Granted</TableCell>
        </TableRow>
      </TableHead>
      <TableBody>
        {moved.map((day) => (
          <TableRow key={day.date}>
            <TableCell>{date(`${day.date}T00:00:00`)}</TableCell>
            <TableCell align="right">{number(day.consumed)}</TableCell>
            <TableCell align="right">{number(day.granted)}</TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}
