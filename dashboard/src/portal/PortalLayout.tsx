import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { Brand } from "../ui/Brand";
import { EmptyState } from "../ui/EmptyState";
import { Fill } from "../ui/layout/layout";
import { LanguageFootnote } from "../ui/locale/LanguageSelect";
import { Page } from "../ui/Page";
import { ThemeButton } from "../ui/ThemeButton";
import { UnverifiedBanner } from "../ui/UnverifiedBanner";
import { useInstitution } from "../ui/useInstitution";
import { UserMenu } from "../ui/UserMenu";
import styles from "./portal.module.css";
import { useVendor } from "../ui/vendor/useVendor";
import { useVendorColor } from "../ui/vendor/useVendorColor";
import { VendorBrand } from "../ui/vendor/VendorBrand";
import { Support } from "../ui/vendor/VendorWords";

/** Layout of the portal. Members of an institution also get a link to the dashboard. */
export function PortalLayout({ children }: { children: ReactNode }) {
  const { institutionId, profile } = useInstitution();
  const vendor = useVendor();
  useVendorColor(vendor);
  const isOperator = Boolean(institutionId) || profile?.isSystemAdmin === true;
  return (
    <div className={styles.portal}>
      <header className={styles.bar}>
        <div className={styles.inside}>
          {vendor ? <VendorBrand vendor={vendor} /> : <Brand to="/portal" />}
          <Fill />
          {isOperator && (
            <Button component={Link} to="/" color="inherit">
              {t`Dashboard`}
            </Button>
          )}
          <ThemeButton />
          <UserMenu />
        </div>
      </header>
      <main className={styles.main}>
        <UnverifiedBanner />
        {profile?.emailVerified && children}
        {profile?.emailVerified === false && (
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
  );
}
