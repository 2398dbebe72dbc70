import { t } from "@lingui/core/macro";
import Alert from "@mui/material/Alert";
import type { ReactNode } from "react";
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
import { STATISTICS_TABS } from "./tabs";
import { TelemetryTab } from "./tabs/TelemetryTab";

const CONTENT: Record<(typeof STATISTICS_TABS)[number]["path"], ReactNode> = {
  "": <LicensesTab />,
  renewals: <RenewalsTab />,
  sales: <SalesTab />,
  features: <FeaturesTab />,
  activations: <ActivationsTab />,
  sessions: <SessionsTab />,
  "meter-usage": <MeterTab />,
  telemetry: <TelemetryTab />,
};
const TABS = STATISTICS_TABS.map(({ path, label }) => ({ path, label, element: CONTENT[path] }));

/** Statistics of the current institution. */
export default function StatisticsPage() {
  const { filters, search } = useFilters();
  const { role, isSystemAdmin } = useCan();
  return (
    <Page title={t`Statistics`} help="statistics">
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
