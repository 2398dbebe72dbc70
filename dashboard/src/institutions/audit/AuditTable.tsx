import DetailsIcon from "@mui/icons-material/UnfoldMoreOutlined";
import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogTitle from "@mui/material/DialogTitle";
import IconButton from "@mui/material/IconButton";
import Link from "@mui/material/Link";
import Stack from "@mui/material/Stack";
import Typography from "@mui/material/Typography";
import { useState } from "react";
import { DataTable } from "react-admin";
import { Link as RouterLink } from "react-router";
import { actorWords, eventLink, eventWords } from "../../ui/events";
import { dateTime } from "../../ui/formats";
import type { AuditFilter } from "./auditFilters";
import { AuditDetails } from "./AuditDetails";
import { subjectName } from "./format";
import type { AuditRecord } from "./record";

const WIDE = { display: { xs: "none", md: "table-cell" } };
const NARROW = { display: { xs: "block", md: "none" } };
const Column = DataTable.Col<AuditRecord>;

const actorOf = (record: AuditRecord) => actorWords(record.actorKind, record.actorName) ?? "—";

const institutionOf = ({ data }: AuditRecord) => String(data["institutionId"] ?? "");

function EventItem({
  record,
  institutionId,
}: {
  record: AuditRecord;
  institutionId: string | null;
}) {
  const to = eventLink({ ...record, institutionId: institutionId ?? institutionOf(record) });
  const name = subjectName(record);
  return (
    <Stack sx={{ minWidth: 0 }}>
      <Typography variant="body2" sx={{ fontWeight: 600 }}>
        {eventWords(record.kind)}
      </Typography>
      {(name ?? to) && (
        <Typography variant="body2" component="div" dir="auto" sx={{ overflowWrap: "anywhere" }}>
          {to ? (
            <Link component={RouterLink} to={to} underline="hover">
              {name ?? "Open"}
            </Link>
          ) : (
            name
          )}
        </Typography>
      )}
      <Typography variant="caption" color="textSecondary" component="div" sx={NARROW}>
        {dateTime(record.occurredAt)} · {actorOf(record)}
      </Typography>
    </Stack>
  );
}

interface AuditTableProps {
  institutionId: string | null;
  onFilter: (change: AuditFilter) => void;
}

/** The entries of the log; each opens a dialog with its details. */
export function AuditTable({ institutionId, onFilter }: AuditTableProps) {
  const [opened, setOpened] = useState<AuditRecord | null>(null);
  const close = () => {
    setOpened(null);
  };
  return (
    <>
      <DataTable<AuditRecord>
        bulkActionButtons={false}
        rowClick={false}
        empty={<Typography sx={{ p: 3 }}>No entries match these filters.</Typography>}
        sx={{ "& td": { verticalAlign: "top" } }}
      >
        <Column
          source="occurredAt"
          label="When"
          sx={{ ...WIDE, whiteSpace: "nowrap" }}
          render={(record) => (
            <time dateTime={record.occurredAt}>{dateTime(record.occurredAt)}</time>
          )}
        />
        <Column
          source="kind"
          label="Event"
          disableSort
          render={(record) => <EventItem record={record} institutionId={institutionId} />}
        />
        <Column
          source="actorName"
          label="Actor"
          disableSort
          sx={{ ...WIDE, minWidth: 190, overflowWrap: "anywhere" }}
          render={actorOf}
        />
        <Column
          source="ipAddress"
          label="IP address"
          disableSort
          sx={{ ...WIDE, whiteSpace: "nowrap" }}
          render={(record) => record.ipAddress ?? "—"}
        />
        <Column
          label="Details"
          disableSort
          align="right"
          render={(record) => (
            <IconButton
              size="small"
              aria-label={`Details: ${eventWords(record.kind)}`}
              onClick={() => {
                setOpened(record);
              }}
            >
              <DetailsIcon fontSize="small" />
            </IconButton>
          )}
        />
      </DataTable>
      {opened && (
        <Dialog open onClose={close} maxWidth="md" aria-labelledby="audit-entry">
          <DialogTitle id="audit-entry">
            {eventWords(opened.kind)}
            <Typography variant="body2" color="textSecondary" component="div">
              {dateTime(opened.occurredAt)}
            </Typography>
          </DialogTitle>
          <DialogContent>
            <AuditDetails record={opened} onFilter={onFilter} />
          </DialogContent>
          <DialogActions>
            <Button onClick={close}>Close</Button>
          </DialogActions>
        </Dialog>
      )}
    </>
  );
}
