import { t } from "@lingui/core/macro";
import { Link } from "react-router";
import styles from "./brand.module.css";
import { serviceUrl } from "../api/address";

interface BrandProps {
  to?: string;
  /** Only the logo. */
  isNarrow?: boolean;
}

/** Logo and name, linked to the home page. */
export const Brand = ({ to = "/", isNarrow = false }: BrandProps) => (
  <Link to={to} aria-label={t`Licet, home`} className={styles.brand}>
    <img src={serviceUrl("/favicon.svg")} alt="" width={22} height={22} />
    {!isNarrow && <span>Licet</span>}
  </Link>
);
