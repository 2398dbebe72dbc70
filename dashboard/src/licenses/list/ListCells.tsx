import { Link } from "react-router";
import type { License } from "../../api/types";
import { CopyButton } from "../../ui/CopyButton";
import { date, dateTime, number, relative } from "../../ui/formats";
import { StatusChip } from "../../ui/StatusChip";
import { MODEL_TRAITS } from "../../ui/models";
import { isNear } from "../../ui/days";
import styles from "./licenseList.module.css";
import { SOON_DAYS } from "./listViews";

interface Cell {
  license: License;
}

/** Linked name, and license key with a copy button. */
export const NameCell = ({ license }: Cell) => (
  <div className={styles.name}>
    <div>
      <Link to={`/licenses/${license.id}`} title={license.licenseName} dir="auto">
        {license.licenseName}
      </Link>
      <code title={license.licenseKey}>{license.licenseKey}</code>
    </div>
    <CopyButton value={license.licenseKey} label={`Copy key of ${license.licenseName}`} />
  </div>
);

export const ProductCell = ({ license: { productName, releaseVersion } }: Cell) => (
  <div className={styles.lines}>
    <span title={productName}>{productName}</span>
    <span className={styles.second}>{releaseVersion}</span>
  </div>
);

/** Status and number of unreviewed access attempts. */
export function StatusCell({ license: { status, unreviewedAccessAttempts: waiting } }: Cell) {
  return (
    <div className={styles.marks}>
      <StatusChip status={status} />
      {waiting > 0 && <StatusChip status={`${number(waiting)} to review`} tone="wait" />}
    </div>
  );
}

/** Seats in use, or the balance. */
export function UseCell({ license }: Cell) {
  const { meterBalance, maxActiveUsersCount: seats } = license;
  const { meter } = MODEL_TRAITS[license.type];
  if (meterBalance !== null) {
    const isLow = meterBalance <= (license.lowBalanceThreshold ?? 0);
    return (
      <div className={styles.lines}>
        <span>
          {number(meterBalance)} {meter}
        </span>
        {isLow && (
          <span className={styles.second} data-tone="wait">
            Low
          </span>
        )}
      </div>
    );
  }
  if (seats === null) return <Nothing />;
  const used = license.seatsUsed ?? 0;
  const share = Math.min(1, used / seats);
  const label = `Max active users of ${license.licenseName}`;
  return (
    <>
      <span title={`${number(used)} of ${number(seats)} active users`}>
        {number(used)} of {number(seats)}
      </span>
      <div
        role="progressbar"
        aria-label={label}
        aria-valuenow={Math.round(share * 100)}
        className={styles.meter}
        data-full={share === 1 || undefined}
      >
        <div style={{ width: `${String(share * 100)}%` }} />
      </div>
    </>
  );
}

/** Expiration date, marked if it is near. */
export function ExpiryCell({ license }: Cell) {
  const end = license.inGraceUntil ?? license.expirationDate;
  if (license.termDays !== null)
    return <Nothing label={`${number(license.termDays)} days from first use`} />;
  if (end === null) return <Nothing label="Never" />;
  const isSoon = isNear(end, license.createdAt, SOON_DAYS);
  return (
    <div className={styles.lines} title={dateTime(end)}>
      <span>{date(end)}</span>
      <span className={styles.second} data-tone={isSoon ? "wait" : undefined}>
        {relative(end)}
      </span>
    </div>
  );
}

export const IssuedToCell = ({ license: { issuedTo } }: Cell) =>
  issuedTo ? (
    <div className={styles.lines} title={issuedTo} dir="auto">
      <span>{issuedTo}</span>
    </div>
  ) : (
    <Nothing label="Not assigned" />
  );

const Nothing = ({ label = "—" }: { label?: string }) => (
  <span className={styles.nothing}>{label}</span>
);
