import { t } from "@lingui/core/macro";
import Alert from "@mui/material/Alert";
import { Page } from "../ui/Page";
import { RouteTabs } from "../ui/RouteTabs";
import { useCan } from "../ui/useInstitution";
import { FilterBar } from "./filters/FilterBar";
import { useFilters } from "./filters/useFilters";
import styles from "./statistics.module.css";
import { ActivationsTab } from "./tabs/ActivationsTab";
import { FeaturesTab } from "./tabs/FeaturesTab";
import { LicensesTab } from "./tabs/LicensesTab";
import { MeterTab } from "./tabs/MeterTab";
import { RenewalsTab } from "./tabs/RenewalsTab";
import { SalesTab } from "./sales/SalesTab";
import { SessionsTab } from "./tabs/SessionsTab";
import { TelemetryTab } from "./tabs/TelemetryTab";

const TABS = [
  { path: "", label: t`Licenses`, element: <LicensesTab /> },
  { path: "renewals", label: t`Renewals`, element: <RenewalsTab /> },
  { path: "sales", label: t`Sales`, element: <SalesTab /> },
  { path: "features", label: t`Features`, element: <FeaturesTab /> },
  { path: "activations", label: t`Activations`, element: <ActivationsTab /> },
  { path: "sessions", label: t`Sessions`, element: <SessionsTab /> },
  { path: "meter-usage", label: t`Meter usage`, element: <MeterTab /> },
  { path: "telemetry", label: t`Telemetry`, element: <TelemetryTab /> },
];

/** Statistics of the current institution. */
export default function StatisticsPage() {
  const { filters, search } = useFilters();
  const { role, isSystemAdmin } = useCan();
  return (
    <Page title={t`Statistics`} subtitle={t`Days are counted in UTC.`} help="statistics">
      <FilterBar />
      {role === "Member" && !isSystemAdmin && (
        <Alert severity="info" className={styles.hint}>
          {t`Statistics include only products assigned to you as a whole. Products with individually assigned releases are not counted.`}
        </Alert>
      )}
      {filters.fault === null ? (
        <RouteTabs base="/statistics" label={t`Statistics`} tabs={TABS} search={search} />
      ) : (
        <Alert severity="info" role="status">
          {filters.fault}
        </Alert>
      )}
    </Page>
  );
}
