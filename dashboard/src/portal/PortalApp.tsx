import { Navigate, Route, Routes } from "react-router";
import { isSignedIn } from "../api/session";
import { ProblemAlert } from "../ui/ProblemAlert";
import { SessionExpiryRedirect } from "../ui/SessionExpiryRedirect";
import { StepUpGate } from "../ui/StepUpGate";
import { useSetupStatus } from "../ui/useSetupStatus";
import { PortalLicensePage } from "./PortalLicensePage";
import { PortalLicensesPage } from "./PortalLicensesPage";
import { PortalLayout } from "./PortalLayout";

/** The customer portal: end users manage their own licenses. It knows no institutions or roles. */
export default function PortalApp() {
  const { isPending, error } = useSetupStatus();
  if (isPending) return null;
  if (error) return <ProblemAlert error={error} />;
  if (!isSignedIn()) return <Navigate to="/portal/access" replace />;
  return (
    <PortalLayout>
      <SessionExpiryRedirect />
      <StepUpGate />
      <Routes>
        <Route index element={<PortalLicensesPage />} />
        <Route path="licenses/:licenseId" element={<PortalLicensePage />} />
        <Route path="*" element={<Navigate to="/portal" replace />} />
      </Routes>
    </PortalLayout>
  );
}
