import Typography from "@mui/material/Typography";
import { DataTable } from "react-admin";
import { useNavigate } from "react-router";
import type { License } from "../../api/types";
import { date, dateTime } from "../../ui/formats";
import { MODEL_LABELS } from "../../ui/labels";
import { ExpiryCell, NameCell, Receiver, StatusCell, UseCell } from "./ListCells";

const { Col } = DataTable;

/** The licenses as a table, for wide screens. */
export function ListTable({ selectable }: { selectable: boolean }) {
  const navigate = useNavigate();
  return (
    <DataTable<License>
      rowClick={(id) => {
        void navigate(`/licenses/${String(id)}`);
        return false;
      }}
      bulkActionButtons={selectable ? <></> : false}
      bulkActionsToolbar={<></>}
      sx={{
        "& td": { verticalAlign: "top" },
        "& td.MuiTableCell-paddingCheckbox .MuiCheckbox-root": { mt: 0.75 },
        "& .RaDataTable-rowCell, & .RaDataTable-headerCell": { px: 1 },
        "& .RaDataTable-rowCell": { fontSize: 13 },
      }}
    >
      <Col<License>
        source="licenseName"
        label="License"
        sx={{ maxWidth: 250, minWidth: 200 }}
        render={(license) => <NameCell license={license} />}
      />
      <Col<License>
        source="productName"
        label="Product"
        disableSort
        sx={{ minWidth: 84, maxWidth: 150, overflowWrap: "anywhere" }}
        render={(license) => (
          <>
            <Typography variant="body2">{license.productName}</Typography>
            <Typography variant="caption" color="textSecondary">
              {license.releaseVersion}
            </Typography>
          </>
        )}
      />
      <Col<License>
        source="type"
        label="Model"
        render={(license) => MODEL_LABELS[license.type]}
        sx={{ whiteSpace: "nowrap" }}
      />
      <Col<License>
        source="status"
        label="Status"
        disableSort
        render={(license) => <StatusCell license={license} />}
      />
      <Col<License>
        source="issuedTo"
        label="Issued to"
        sx={{ maxWidth: 130, minWidth: 110 }}
        render={(license) => <Receiver license={license} />}
      />
      <Col<License>
        source="seatsUsed"
        label="Use"
        disableSort
        sx={{ whiteSpace: "nowrap" }}
        render={(license) => <UseCell license={license} />}
      />
      <Col<License>
        source="expirationDate"
        label="Expires"
        sx={{ whiteSpace: "nowrap" }}
        render={(license) => <ExpiryCell license={license} />}
      />
      <Col<License>
        source="createdAt"
        label="Created"
        sx={{ whiteSpace: "nowrap" }}
        render={(license) => (
          <span title={dateTime(license.createdAt)}>{date(license.createdAt)}</span>
        )}
      />
    </DataTable>
  );
}
