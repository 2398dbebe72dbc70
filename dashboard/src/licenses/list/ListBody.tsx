import Card from "@mui/material/Card";
import useMediaQuery from "@mui/material/useMediaQuery";
import type { Theme } from "@mui/material/styles";
import { Pagination } from "react-admin";
import { ProblemAlert } from "../../ui/ProblemAlert";
import { useCan } from "../../ui/useInstitution";
import { BulkBar } from "./BulkBar";
import { ListCards } from "./ListCards";
import { NoLicenses, NoMatches } from "./ListEmpty";
import { ListTable } from "./ListTable";
import { useLicenseList } from "./useLicenseList";

function Matches({ selectable }: { selectable: boolean }) {
  const { error, refetch, total, isPending, filters } = useLicenseList();
  const hasRoom = useMediaQuery((theme: Theme) => theme.breakpoints.up("md"));
  if (error) return <ProblemAlert error={error} retry={refetch} />;
  if (!isPending && total === 0)
    return <Card>{Object.keys(filters).length === 0 ? <NoLicenses /> : <NoMatches />}</Card>;
  return (
    <>
      {hasRoom ? (
        <Card sx={{ overflowX: "auto" }}>
          <ListTable selectable={selectable} />
        </Card>
      ) : (
        <ListCards selectable={selectable} />
      )}
      <Pagination rowsPerPageOptions={[10, 25, 50, 100]} />
    </>
  );
}

/** The matching licenses or an empty state, and the bulk actions. */
export function ListBody() {
  const { manage } = useCan();
  return (
    <>
      {manage && <BulkBar />}
      <Matches selectable={manage} />
    </>
  );
}
