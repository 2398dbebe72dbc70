import Checkbox from "@mui/material/Checkbox";
import Typography from "@mui/material/Typography";
import { alpha, useTheme } from "@mui/material/styles";
import { DataTable } from "react-admin";
import { useNavigate } from "react-router";
import type { License } from "../../api/types";
import { date, dateTime } from "../../ui/formats";
import { MODEL_LABELS } from "../../ui/labels";
import { ExpiryCell, NameCell, IssuedToCell, StatusCell, UseCell } from "./ListCells";
import { useLicenseList } from "./useLicenseList";

const { Col } = DataTable;

/** Selects all licenses on the page, or none. */
function SelectAll() {
  const { data = [], selectedIds, onSelect } = useLicenseList();
  const shown = data.map(({ id }) => id);
  const chosen = shown.filter((id) => selectedIds.includes(id));
  const isWhole = shown.length > 0 && chosen.length === shown.length;
  return (
    <Checkbox
      size="small"
      checked={isWhole}
      indeterminate={chosen.length > 0 && !isWhole}
      slotProps={{ input: { "aria-label": "Select all on this page" } }}
      onChange={() => {
        const others = selectedIds.filter((id) => !shown.includes(id));
        onSelect(isWhole ? others : [...others, ...shown]);
      }}
      sx={{ p: 0.5 }}
    />
  );
}

function SelectOne({ license }: { license: License }) {
  const { selectedIds, onToggleItem } = useLicenseList();
  return (
    <Checkbox
      size="small"
      checked={selectedIds.includes(license.id)}
      slotProps={{ input: { "aria-label": `Select ${license.licenseName}` } }}
      onClick={(event) => {
        event.stopPropagation();
      }}
      onChange={() => {
        onToggleItem(license.id);
      }}
      sx={{ p: 0.5, mt: -0.5 }}
    />
  );
}

/** The licenses as a table, for large screens. */
export function ListTable({ selectable }: { selectable: boolean }) {
  const navigate = useNavigate();
  const { selectedIds } = useLicenseList();
  const chosenColor = alpha(useTheme().palette.primary.main, 0.06);
  return (
    <DataTable<License>
      rowClick={(id) => {
        void navigate(`/licenses/${String(id)}`);
        return false;
      }}
      // The table's own checkboxes have no accessible name.
      bulkActionButtons={false}
      rowSx={(license: License) =>
        selectedIds.includes(license.id) ? { bgcolor: chosenColor } : {}
      }
      sx={{
        "& td": { verticalAlign: "top" },
        "& .RaDataTable-rowCell, & .RaDataTable-headerCell": { px: 1 },
        "& .RaDataTable-rowCell": { fontSize: 13 },
      }}
    >
      {selectable && (
        <Col<License>
          source="id"
          disableSort
          label={<SelectAll />}
          sx={{ width: 40, pr: 0 }}
          render={(license) => <SelectOne license={license} />}
        />
      )}
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
        render={(license) => <IssuedToCell license={license} />}
      />
      <Col<License>
        source="seatsUsed"
        label="Usage"
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
