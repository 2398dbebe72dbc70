import Alert from "@mui/material/Alert";
import { Page } from "../ui/Page";
import { RouteTabs } from "../ui/RouteTabs";
import { useCan } from "../ui/useInstitution";
import { FilterBar } from "./filters/FilterBar";
import { useFilters } from "./filters/useFilters";
import { ActivationsTab } from "./tabs/ActivationsTab";
import { LicensesTab } from "./tabs/LicensesTab";
import { MeterTab } from "./tabs/MeterTab";
import { SessionsTab } from "./tabs/SessionsTab";
import { TelemetryTab } from "./tabs/TelemetryTab";

const TABS = [
  { path: "", label: "Licenses", element: <LicensesTab /> },
  { path: "activations", label: "Activations", element: <ActivationsTab /> },
  { path: "sessions", label: "Sessions", element: <SessionsTab /> },
  { path: "meter-usage", label: "Meter usage", element: <MeterTab /> },
  { path: "telemetry", label: "Telemetry", element: <TelemetryTab /> },
];

/** What there is and what happened, in figures and charts. */
export default function StatisticsPage() {
  const { filters, search } = useFilters();
  const { role, isSystemAdmin } = useCan();
  return (
    <Page title="Statistics" subtitle="Days are counted in UTC." help="statistics">
      <FilterBar />
      {role === "Member" && !isSystemAdmin && (
        <Alert severity="info" sx={{ mb: 2 }}>
          You see the figures of products that are assigned to you as a whole. Products of which you
          have single releases are not counted.
        </Alert>
      )}
      {filters.fault === null ? (
        <RouteTabs base="/statistics" label="Kinds of statistics" tabs={TABS} search={search} />
      ) : (
        <Alert severity="info" role="status">
          {filters.fault}
        </Alert>
      )}
    </Page>
  );
}
