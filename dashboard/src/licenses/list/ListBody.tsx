import Card from "@mui/material/Card";
import Skeleton from "@mui/material/Skeleton";
import { Suspense } from "react";
import type { License } from "../../api/types";
import { lazy } from "../../ui/lazy";
import { Pager } from "../../ui/list/Pager";
import { ProblemAlert } from "../../ui/ProblemAlert";
import { useSelection, type Selection } from "../../ui/table/selection/useSelection";
import { useCan } from "../../ui/useInstitution";
import { useHasRoom } from "../../ui/useMediaQuery";
import { BulkBar } from "./BulkBar";
import { ListCards } from "./ListCards";
import { ListTable } from "./ListTable";
import styles from "./licenseList.module.css";
import { useLicenseList } from "./useLicenseList";

const ListEmpty = lazy(() => import("./ListEmpty"));

function Matches({ selection }: { selection: Selection<License> | null }) {
  const { error, refetch, total } = useLicenseList();
  const hasRoom = useHasRoom();
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
      {hasRoom ? (
        <Card className={styles.frame}>
          <ListTable selection={selection} />
        </Card>
      ) : (
        <ListCards selection={selection} />
      )}
      <Pager />
    </>
  );
}

/** The matching licenses or an empty state, and the bulk actions. */
export function ListBody() {
  const { manage } = useCan();
  const { filters } = useLicenseList();
  const selection = useSelection<License>(
    JSON.stringify(filters),
    (license) => license.licenseName,
  );
  return (
    <>
      {manage && <BulkBar selection={selection} />}
      <Matches selection={manage ? selection : null} />
    </>
  );
}
