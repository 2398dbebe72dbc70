import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import { useState } from "react";
import { api } from "../api/client";
import { Column } from "../ui/layout/layout";
import { ProblemAlert } from "../ui/ProblemAlert";
import { AuthLayout } from "./AuthLayout";
import { useUrlToken } from "./useUrlToken";

/** Stops reports to an address outside the team. It takes a click because mail scanners open links. */
export default function StopReportsPage() {
  const token = useUrlToken();
  const [busy, setBusy] = useState(false);
  const [isStopped, setIsStopped] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const stop = async () => {
    setBusy(true);
    setError(null);
    try {
      await api.POST("/api/order-reports/stop", { body: { token: token ?? "" } });
      setIsStopped(true);
    } catch (problem) {
      setError(problem);
    }
    setBusy(false);
  };
  if (isStopped)
    return (
      <AuthLayout title={t`You get no more reports`} isPortal>
        <p>{t`They are stopped for your address alone. You can close this page.`}</p>
      </AuthLayout>
    );
  return (
    <AuthLayout
      title={t`Stop the reports of orders`}
      subtitle={t`Your address gets no more of them. Other recipients keep theirs.`}
      isPortal
    >
      <Column gap="l">
        {error !== null && <ProblemAlert error={error} />}
        <Button
          variant="contained"
          size="large"
          fullWidth
          loading={busy}
          onClick={() => void stop()}
        >
          {t`Stop the reports`}
        </Button>
      </Column>
    </AuthLayout>
  );
}
