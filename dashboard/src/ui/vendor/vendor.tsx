import { i18n } from "@lingui/core";
import { t } from "@lingui/core/macro";
import { useLayoutEffect } from "react";
import { Link } from "react-router";
import { $api, at } from "../../api/client";
import { portalView } from "../../api/portalView";
import type { Schemas } from "../../api/types";
import { KeyIcon } from "../icons";
import { isLink } from "../links";
import { useInstitution } from "../useInstitution";
import styles from "./vendor.module.css";
import "./vendorColor.css";
import { serviceUrl } from "../../api/address";

export type Vendor = Schemas["Appearance"];

/** Whose portal it is: the one vendor behind the user's licenses; undefined with several or none. */
export function useVendor(): Vendor | undefined {
  const { profile } = useInstitution();
  const { data } = $api.useQuery(
    "get",
    "/api/portal/vendors",
    {},
    { enabled: profile?.emailVerified === true || portalView() !== null, staleTime: 300_000 },
  );
  return data?.vendors.length === 1 ? data.vendors[0] : undefined;
}

const ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/**
 * How an institution presents itself to those who have not signed in: null while that is loaded,
 * undefined if it is not known or has set nothing.
 */
export function usePublicVendor(institutionId: string | null): Vendor | null | undefined {
  const { data, isLoading } = $api.useQuery(
    "get",
    "/api/portal/vendors/{institutionId}",
    at({ institutionId: institutionId ?? "" }),
    { enabled: ID.test(institutionId ?? ""), retry: false, staleTime: 300_000 },
  );
  return isLoading ? null : data;
}

/** Puts the vendor's color in the place of the accent while the page is shown. */
export function useVendorColor(vendor: Vendor | undefined): void {
  const { color, colorOnDark } = vendor ?? {};
  useLayoutEffect(() => {
    if (!color || !colorOnDark) return;
    const { dataset, style } = document.documentElement;
    dataset["vendor"] = "";
    style.setProperty("--vendor", color);
    style.setProperty("--vendor-on-dark", colorOnDark);
    return () => {
      delete dataset["vendor"];
      style.removeProperty("--vendor");
      style.removeProperty("--vendor-on-dark");
    };
  }, [color, colorOnDark]);
}

interface VendorBrandProps {
  vendor: Vendor;
  to?: string;
}

const homeOf = ({ displayName }: Vendor): string =>
  displayName === null ? t`Portal, home` : t`${displayName}, home`;

/** Logo and name of the vendor. */
export const VendorMark = ({ vendor }: { vendor: Vendor }) => (
  <>
    {vendor.logoUrl && <img src={serviceUrl(vendor.logoUrl)} alt="" className={styles.logo} />}
    <span dir="auto" className={styles.vendorName}>
      {vendor.displayName}
    </span>
  </>
);

/** Logo and name of the vendor, linked to the user's licenses. */
export const VendorBrand = ({ vendor, to = "/portal" }: VendorBrandProps) => (
  <Link to={to} aria-label={homeOf(vendor)} className={styles.brand}>
    <VendorMark vendor={vendor} />
  </Link>
);

/** Whose portal it is; with several vendors or none, nobody's. */
export const PortalBrand = ({ vendor }: { vendor: Vendor | undefined }) =>
  vendor ? (
    <VendorBrand vendor={vendor} />
  ) : (
    <Link to="/portal" aria-label={t`License portal, home`} className={styles.brand}>
      <KeyIcon aria-hidden />
      <span>{t`License portal`}</span>
    </Link>
  );

interface WelcomeProps {
  vendor: Vendor;
  /** The language of the reader; that of the page by default. */
  language?: string;
}

/** What the vendor says above the licenses, in the language of the reader if it has a text in it. */
export function Welcome({ vendor, language = i18n.locale }: WelcomeProps) {
  const welcome = vendor.welcomeTranslations[language] ?? vendor.welcome;
  return (
    welcome && (
      <p dir="auto" className={styles.welcome}>
        {welcome}
      </p>
    )
  );
}

/** How to reach the vendor, at the end of a page. */
export function Support({ vendor }: { vendor: Vendor }) {
  const { displayName, supportEmail, supportUrl } = vendor;
  if (!supportEmail && !supportUrl) return null;
  return (
    <footer className={styles.support}>
      <span>{t`Questions? Ask ${{ vendor: displayName ?? "" }}:`}</span>
      {supportEmail && <a href={`mailto:${supportEmail}`}>{supportEmail}</a>}
      {isLink(supportUrl) && (
        <a href={supportUrl} target="_blank" rel="noreferrer">
          {t`Support page`}
        </a>
      )}
    </footer>
  );
}
