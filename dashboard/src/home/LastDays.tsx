import { $api } from "../api/client";
import { ChartSection } from "../ui/charts/ChartSection";
import { DayChart } from "../ui/charts/DayChart";
import { utcDay } from "../ui/formats";
import { ProblemAlert } from "../ui/ProblemAlert";
import { MINUTE_MS } from "./useOverview";

interface Day {
  date: string;
  issued: number;
  devices: number;
}

const SERIES = [
  { label: "Licenses issued", value: (day: Day) => day.issued },
  { label: "New devices", value: (day: Day) => day.devices },
];

/** Licenses issued and devices that came, on each of the last 30 days. */
export function LastDays({ institutionId }: { institutionId: string }) {
  const init = { params: { query: { institutionId } } };
  const often = { refetchInterval: MINUTE_MS };
  const licenses = $api.useQuery("get", "/api/statistics/licenses", init, often);
  const devices = $api.useQuery("get", "/api/statistics/activations", init, often);
  const error = licenses.error ?? devices.error;
  if (error) return <ProblemAlert error={error} />;
  const come = new Map(devices.data?.dailyTrend.map((day) => [day.date, day.created]));
  const days: Day[] | undefined =
    devices.data &&
    licenses.data?.dailyTrend.map(({ date, created }) => ({
      date,
      issued: created,
      devices: come.get(date) ?? 0,
    }));
  return (
    <ChartSection
      title="Last 30 days"
      columns={[
        { label: "Day", value: (day) => day.date, show: (day) => utcDay(day.date) },
        ...SERIES.map((series) => ({ ...series, isFigure: true })),
      ]}
      rows={days}
      isEmpty={days?.every((day) => day.issued === 0 && day.devices === 0) ?? false}
      empty="No license was issued and no device came in the last 30 days."
      fileName="last-30-days"
    >
      {(rows) => <DayChart label="Licenses issued and new devices" days={rows} series={SERIES} />}
    </ChartSection>
  );
}
