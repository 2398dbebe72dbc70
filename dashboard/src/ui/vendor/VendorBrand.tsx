import { t } from "@lingui/core/macro";
import { Link } from "react-router";
import styles from "./vendor.module.css";
import type { Vendor } from "./useVendor";

interface VendorBrandProps {
  vendor: Vendor;
  to?: string;
}

const homeOf = ({ displayName }: Vendor): string =>
  displayName === null ? t`Portal, home` : t`${displayName}, home`;

/** Logo and name of the vendor, linked to the user's licenses. */
export const VendorBrand = ({ vendor, to = "/portal" }: VendorBrandProps) => (
  <Link to={to} aria-label={homeOf(vendor)} className={styles.brand}>
    {vendor.logoUrl && <img src={vendor.logoUrl} alt="" />}
    <span dir="auto">{vendor.displayName}</span>
  </Link>
);
