import { t } from "@lingui/core/macro";

/** The tabs of Statistics: their path, and other words that they are looked for by. */
export const STATISTICS_TABS = [
  { path: "", label: t`Licenses`, words: t`issued active models growth` },
  { path: "renewals", label: t`Renewals`, words: t`renewal rate churn lapsed expired retention` },
  {
    path: "sales",
    label: t`Sales`,
    words: t`revenue income turnover money refunds paid net monthly`,
  },
  { path: "features", label: t`Features`, words: t`checks use` },
  { path: "activations", label: t`Activations`, words: t`devices versions` },
  { path: "sessions", label: t`Sessions`, words: t`seats peak concurrency full pool` },
  { path: "meter-usage", label: t`Meter usage`, words: t`credits consumption balance` },
  { path: "telemetry", label: t`Telemetry`, words: t`events` },
] as const;
