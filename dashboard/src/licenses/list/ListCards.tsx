import { t } from "@lingui/core/macro";
import Skeleton from "@mui/material/Skeleton";
import type { License } from "../../api/types";
import { MODEL_LABELS } from "../../ui/labels";
import { SelectOne } from "../../ui/table/selection/SelectOne";
import type { Selection } from "../../ui/table/selection/useSelection";
import { useRowKeys } from "../../ui/table/useRowKeys";
import { ExpiryCell, IssuedToCell, NameCell, StatusCell, UseCell } from "./ListCells";
import styles from "./licenseList.module.css";
import { useLicenseList } from "./useLicenseList";

interface LicenseCardProps {
  license: License;
  selection: Selection<License> | null;
}

const LicenseCard = ({ license, selection }: LicenseCardProps) => (
  <li data-row={license.id} className={styles.card}>
    {selection && <SelectOne item={license} selection={selection} />}
    <div>
      <NameCell license={license} />
      <p className={styles.second}>
        {license.productName} {license.releaseVersion} · {MODEL_LABELS[license.type]}
      </p>
      <IssuedToCell license={license} />
      <div className={styles.cardFacts}>
        <StatusCell license={license} />
        {(license.meterBalance !== null || license.maxActiveUsersCount !== null) && (
          <div>
            <UseCell license={license} />
          </div>
        )}
        <ExpiryCell license={license} />
      </div>
    </div>
  </li>
);

/** The licenses as cards, for small screens. */
export function ListCards({ selection }: { selection: Selection<License> | null }) {
  const { items } = useLicenseList();
  const keys = useRowKeys(items ?? [], selection);
  return (
    <ul aria-label={t`Licenses`} className={styles.cards} onKeyDown={keys}>
      {items?.map((license) => (
        <LicenseCard key={license.id} license={license} selection={selection} />
      )) ??
        Array.from({ length: 6 }, (_, place) => (
          <li key={place}>
            <Skeleton variant="rounded" height={130} />
          </li>
        ))}
    </ul>
  );
}
