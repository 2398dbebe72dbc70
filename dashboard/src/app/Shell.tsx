import { type ReactNode, Suspense } from "react";
import { Layout, type LayoutProps } from "react-admin";
import { Navigate, useLocation } from "react-router";
import { ClosedBanner } from "../ui/ClosedBanner";
import { Loading } from "../ui/Loading";
import { SessionExpiryRedirect } from "../ui/SessionExpiryRedirect";
import { StepUpGate } from "../ui/StepUpGate";
import { UnverifiedBanner } from "../ui/UnverifiedBanner";
import { useCustomer, useIsShutOut } from "../ui/useInstitution";
import { Bar } from "./TopBar";
import { Navigation } from "./Navigation";

export const Shell = ({ children }: LayoutProps) => (
  <>
    <SessionExpiryRedirect />
    <StepUpGate />
    <Layout appBar={Bar} menu={Navigation} error={undefined}>
      <UnverifiedBanner />
      <ClosedBanner />
      <Suspense fallback={<Loading />}>
        <ForOperators>{children}</ForOperators>
      </Suspense>
    </Layout>
  </>
);

const FOR_EVERYBODY = /^\/(profile|help)(\/|$)/;

/** Redirects end users, who belong to no institution, to the portal. */
function ForOperators({ children }: { children: ReactNode }) {
  const { pathname } = useLocation();
  const isCustomer = useCustomer();
  const isShutOut = useIsShutOut();
  // The banner says what opens the institution.
  if (isShutOut && !FOR_EVERYBODY.test(pathname)) return null;
  return isCustomer && !FOR_EVERYBODY.test(pathname) ? <Navigate to="/portal" replace /> : children;
}
