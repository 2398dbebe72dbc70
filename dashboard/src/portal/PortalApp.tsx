import { Notification } from "react-admin";
import { Navigate, Route, Routes } from "react-router";
import { isSignedIn } from "../api/session";
import { ProblemAlert } from "../ui/ProblemAlert";
import { SessionWatch } from "../ui/SessionWatch";
import { useEntrance } from "../ui/useEntrance";
import { OwnLicensePage } from "./OwnLicensePage";
import { OwnLicensesPage } from "./OwnLicensesPage";
import { PortalFrame } from "./PortalFrame";

/** The customer portal: end users manage their own licenses. It knows no institutions or roles. */
export default function PortalApp() {
  const { isPending, error } = useEntrance();
  if (isPending) return null;
  if (error) return <ProblemAlert error={error} />;
  if (!isSignedIn()) return <Navigate to="/portal/access" replace />;
  return (
    <PortalFrame>
      <SessionWatch />
      <Routes>
        <Route index element={<OwnLicensesPage />} />
        <Route path="licenses/:licenseId" element={<OwnLicensePage />} />
        <Route path="*" element={<Navigate to="/portal" replace />} />
      </Routes>
      <Notification />
    </PortalFrame>
  );
}
