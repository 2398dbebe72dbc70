import { t } from "@lingui/core/macro";
import Card from "@mui/material/Card";
import Skeleton from "@mui/material/Skeleton";
import { Suspense } from "react";
import type { License } from "../../api/types";
import { LicenseMenu } from "../../ui/LicenseMenu";
import { lazy } from "../../ui/lazy";
import { ListCount } from "../../ui/list/ListCount";
import { Pager } from "../../ui/list/Pager";
import { Muted } from "../../ui/Muted";
import { ProblemAlert } from "../../ui/ProblemAlert";
import { actionsColumn } from "../../ui/table/cells";
import { BulkBar } from "../../ui/bulk/BulkBar";
import { type Selection, useSelection } from "../../ui/table/selection/useSelection";
import { Table } from "../../ui/table/Table";
import { useHasRoom } from "../../ui/useMediaQuery";
import { useCan } from "../../ui/useInstitution";
import { BULK_ACTIONS, type BulkGiven, type BulkKind, nameOf, runBulk } from "./bulkActions";
import { useColumns } from "./columns";
import styles from "./licenseList.module.css";
import { type ListedLicense, NEWEST_FIRST, useLicenseList } from "./useLicenseList";

const ListEmpty = lazy(() => import("./ListEmpty"));
const BulkDialog = lazy(() => import("./BulkDialog"));

const KINDS: BulkKind[] = ["suspend", "reinstate", "extend", "revoke"];
const MORE: BulkKind[] = [
  "addTag",
  "removeTag",
  "setRelease",
  "applyPolicy",
  "setEntitlementSet",
  "convert",
];

const send = (kind: BulkKind, licenses: License[], given: BulkGiven) =>
  runBulk(kind, licenses, given, false);

function Matches({ selection }: { selection: Selection<ListedLicense> | null }) {
  const { error, refetch, total } = useLicenseList();
  if (error) return <ProblemAlert error={error} retry={refetch} />;
  if (total === 0)
    return (
      <Card>
        <Suspense fallback={<Skeleton variant="rounded" height={220} />}>
          <ListEmpty />
        </Suspense>
      </Card>
    );
  return (
    <>
      <Card className={styles.frame}>
        <ListTable selection={selection} />
      </Card>
      <Order />
      <Pager />
      <ListCount />
    </>
  );
}

/** Says by what the list is sorted, where no column shows it. */
function Order() {
  const { sort } = useLicenseList();
  const { isShown } = useColumns();
  const hasRoom = useHasRoom();
  if (sort !== NEWEST_FIRST || (hasRoom && isShown("createdAt"))) return null;
  return <Muted className={styles.order}>{t`Newest first`}</Muted>;
}

/** The matching licenses or an empty state, and the bulk actions. */
export function ListBody() {
  const { manage } = useCan();
  const { filters } = useLicenseList();
  const selection = useSelection<ListedLicense>(JSON.stringify(filters), nameOf);
  return (
    <>
      <Matches selection={manage ? selection : null} />
      {manage && (
        <BulkBar
          selection={selection}
          actions={BULK_ACTIONS}
          shown={KINDS}
          more={MORE}
          send={send}
          part={100}
          Dialog={BulkDialog}
        />
      )}
    </>
  );
}

const MENU = {
  ...actionsColumn<ListedLicense>((license) => <LicenseMenu license={license} />),
  width: 50,
};

/** The licenses, with the columns that the user chose. */
function ListTable({ selection }: { selection: Selection<ListedLicense> | null }) {
  const { shown } = useColumns();
  return (
    <Table<ListedLicense>
      label={t`Licenses`}
      columns={[...shown, selection !== null && MENU]}
      link={({ id }) => `/licenses/${id}`}
      {...(selection && { selection })}
    />
  );
}
