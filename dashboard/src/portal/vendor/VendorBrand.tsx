import { Link } from "react-router";
import styles from "./vendor.module.css";
import type { Vendor } from "./useVendor";

/** Logo and name of the vendor, linked to the user's licenses. */
export const VendorBrand = ({ vendor: { displayName, logoUrl } }: { vendor: Vendor }) => (
  <Link to="/portal" aria-label={`${displayName ?? "Portal"}, home`} className={styles.brand}>
    {logoUrl && <img src={logoUrl} alt="" />}
    <span dir="auto">{displayName}</span>
  </Link>
);
