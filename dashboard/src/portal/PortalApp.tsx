import { t } from "@lingui/core/macro";
import Card from "@mui/material/Card";
import Skeleton from "@mui/material/Skeleton";
import type { ReactNode } from "react";
import { Navigate, Route, Routes, useParams } from "react-router";
import { $api, at } from "../api/client";
import { isSignedIn } from "../api/session";
import { EmptyState } from "../ui/EmptyState";
import { Column, Fill } from "../ui/layout/layout";
import { LanguageFootnote } from "../ui/locale/LanguageSelect";
import { MODEL_TRAITS } from "../ui/models";
import { OfflineBanner } from "../ui/OfflineBanner";
import { Page } from "../ui/Page";
import { ButtonLink } from "../ui/PageLink";
import { Pages, usePageNumber } from "../ui/Pages";
import { ProblemAlert } from "../ui/ProblemAlert";
import { SiteName } from "../ui/siteName";
import { SessionExpiryRedirect, StepUpGate } from "../ui/StepUpGate";
import { ThemeButton } from "../ui/ThemeButton";
import { UnverifiedBanner } from "../ui/UnverifiedBanner";
import { useInstitution } from "../ui/useInstitution";
import { UserMenu } from "../ui/UserMenu";
import { useSetupStatus } from "../ui/useSetupStatus";
import { PortalBrand, Support, useVendor, useVendorColor, Welcome } from "../ui/vendor/vendor";
import { HeldLicensePage, PortalDevices, PortalLicenseFile } from "./HeldLicensePage";
import { PortalDownloads } from "./Downloads";
import { LicenseList } from "./LicenseList";
import { OwnSessions } from "./LiveSessions";
import styles from "./portal.module.css";
import { AllPurchases, BalanceChanges, Purchases } from "./Purchases";
import { useReservedFacts } from "./reserved";
import { useEndedView, usePortalView, ViewBanner } from "./viewing";

/** The customer portal: end users manage their own licenses. It knows no institutions or roles. */
export default function PortalApp() {
  const { isPending, error } = useSetupStatus();
  const left = useEndedView();
  if (isPending) return null;
  if (error) return <ProblemAlert error={error} />;
  if (left) return <Navigate to={`/customers/${left}`} replace />;
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

/** Layout of the portal. Members of an institution also get a link to the dashboard. */
function PortalLayout({ children }: { children: ReactNode }) {
  const { institutionId, profile } = useInstitution();
  const view = usePortalView();
  const vendor = useVendor();
  useVendorColor(vendor);
  const isVerified = view ? true : profile?.emailVerified;
  const isOperator = Boolean(institutionId) || profile?.isSystemAdmin === true;
  return (
    <SiteName value={vendor?.displayName ?? t`License portal`}>
      <div className={styles.portal}>
        <ViewBanner />
        <header className={styles.bar}>
          <div className={styles.inside}>
            <PortalBrand vendor={vendor} />
            <Fill />
            {isOperator && !view && (
              <ButtonLink to="/" color="inherit">
                {t`Dashboard`}
              </ButtonLink>
            )}
            <ThemeButton />
            {!view && <UserMenu />}
          </div>
        </header>
        <main className={styles.main}>
          <OfflineBanner />
          {!view && <UnverifiedBanner />}
          {isVerified && children}
          {isVerified === false && (
            <Page title={t`My licenses`}>
              <EmptyState title={t`Verify your email address`}>
                {t`Your licenses appear once your email address is verified. Open the link in the email we sent you, then reload this page.`}
              </EmptyState>
            </Page>
          )}
          {vendor && <Support vendor={vendor} />}
        </main>
        <footer className={styles.foot}>
          <LanguageFootnote />
        </footer>
      </div>
    </SiteName>
  );
}

const BACK = { to: "/portal", label: t`My licenses` };

function PortalLicensePage() {
  const { licenseId = "" } = useParams();
  return <OwnLicense licenseId={licenseId} back={BACK} />;
}

interface OwnLicenseProps {
  licenseId: string;
  /** The list of the user's licenses; none where this is the only one, and their first page. */
  back?: typeof BACK;
}

/** A license of the user, and what they can do with it. */
function OwnLicense({ licenseId, back }: OwnLicenseProps) {
  const query = $api.useQuery("get", "/api/portal/licenses/{licenseId}", at({ licenseId }));
  const license = query.data;
  const path = `/api/portal/licenses/${licenseId}`;
  const reserved = useReservedFacts(license, path);
  const vendor = useVendor();
  return (
    <HeldLicensePage
      title={t`License`}
      back={back}
      query={query}
      vendor={vendor}
      moreFacts={reserved}
      welcome={!back && vendor && <Welcome vendor={vendor} />}
    >
      {license && (
        <>
          <PortalDownloads license={license} />
          {MODEL_TRAITS[license.type].seats === "sessions" && <OwnSessions license={license} />}
          <PortalDevices license={license} path={path} manage />
          {MODEL_TRAITS[license.type].meter && <BalanceChanges licenseId={license.id} />}
          <PortalLicenseFile license={license} path={path} />
          {back ? <Purchases licenseId={license.id} /> : <AllPurchases />}
        </>
      )}
    </HeldLicensePage>
  );
}

const PAGE_SIZE = 24;

function PortalLicensesPage() {
  const { profile } = useInstitution();
  const view = usePortalView();
  const email = view?.email ?? profile?.email;
  const holder = (view ? view.name : profile?.fullName) || email;
  const page = usePageNumber();
  const vendor = useVendor();
  const { data, error, refetch } = $api.useQuery("get", "/api/portal/licenses", {
    params: { query: { page, pageSize: PAGE_SIZE } },
  });
  const [first] = data?.items ?? [];
  if (first && data?.totalCount === 1) return <OwnLicense licenseId={first.id} />;
  return (
    <Page title={t`My licenses`} subtitle={holder && t`Issued to ${holder}`}>
      {vendor && <Welcome vendor={vendor} />}
      {error && <ProblemAlert error={error} retry={() => void refetch()} />}
      {!error && !data && (
        <Column gap="xs" aria-busy>
          {[1, 2, 3].map((n) => (
            <Skeleton key={n} variant="rounded" height={56} />
          ))}
        </Column>
      )}
      {data?.items.length === 0 && (
        <Card>
          <EmptyState title={t`No licenses yet`}>
            {t`Licenses appear here when a vendor issues one to ${{ email: email ?? "" }}. If you bought with another email address, sign in with that one.`}
          </EmptyState>
        </Card>
      )}
      <Column gap="l">
        {data && data.items.length > 0 && <LicenseList licenses={data.items} />}
        <Pages total={data?.totalCount ?? undefined} pageSize={PAGE_SIZE} label={t`Licenses`} />
        <AllPurchases />
      </Column>
    </Page>
  );
}
