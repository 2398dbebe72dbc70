import { t } from "@lingui/core/macro";
import { isLink } from "../links";
import styles from "./vendor.module.css";
import type { Vendor } from "./useVendor";

/** What the vendor says above the licenses. */
export const Welcome = ({ vendor: { welcome } }: { vendor: Vendor }) =>
  welcome && (
    <p dir="auto" className={styles.welcome}>
      {welcome}
    </p>
  );

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
