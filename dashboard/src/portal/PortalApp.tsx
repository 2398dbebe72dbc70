import { useQuery } from "@tanstack/react-query";
import { Notification } from "react-admin";
import { Navigate, Route, Routes } from "react-router";
import { arrive, isSignedIn } from "../api/session";
import { ProblemAlert } from "../ui/ProblemAlert";
import { SessionWatch } from "../ui/SessionWatch";
import { OwnLicensePage } from "./OwnLicensePage";
import { OwnLicensesPage } from "./OwnLicensesPage";
import { PortalFrame } from "./PortalFrame";

/** What somebody bought, for himself: no page of it knows of institutions and roles. */
export default function PortalApp() {
  const { isPending, error } = useQuery({
    queryKey: ["entrance"],
    queryFn: arrive,
    staleTime: 0,
    retry: false,
  });
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
