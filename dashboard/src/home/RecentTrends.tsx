import { t } from "@lingui/core/macro";
import { $api } from "../api/client";
import { DaySection } from "../ui/charts/DaySection";
import type { Series } from "../ui/charts/days";
import { ProblemAlert } from "../ui/ProblemAlert";
import { MINUTE_MS } from "./useOverview";

interface Day {
  date: string;
  issued: number;
  devices: number;
}

const SERIES: Series<Day>[] = [
  { label: t`Licenses issued`, value: (day) => day.issued },
  { label: t`New devices`, value: (day) => day.devices },
];

/** Licenses issued and new devices per day, for the last 30 days. */
export function RecentTrends({ institutionId }: { institutionId: string }) {
  const init = { params: { query: { institutionId } } };
  const often = { refetchInterval: MINUTE_MS };
  const licenses = $api.useQuery("get", "/api/statistics/licenses", init, often);
  const devices = $api.useQuery("get", "/api/statistics/activations", init, often);
  const error = licenses.error ?? devices.error;
  if (error) return <ProblemAlert error={error} />;
  const come = new Map(devices.data?.dailyTrend.map((day) => [day.date, day.created]));
  const days =
    devices.data &&
    licenses.data?.dailyTrend.map(({ date, created }) => ({
      date,
      issued: created,
      devices: come.get(date) ?? 0,
    }));
  return (
    <DaySection
      title={t`Last 30 days`}
      label={t`Licenses issued and new devices`}
      days={days}
      series={SERIES}
      empty={t`No licenses issued and no new devices in the last 30 days.`}
      name="last-days"
    />
  );
}
