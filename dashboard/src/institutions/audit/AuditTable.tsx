import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogTitle from "@mui/material/DialogTitle";
import IconButton from "@mui/material/IconButton";
import Link from "@mui/material/Link";
import Typography from "@mui/material/Typography";
import { useState } from "react";
import { SwitchIcon } from "../../ui/icons";
import { Folded } from "../../ui/table/Folded";
import { Table } from "../../ui/table/Table";
import { TwoLines } from "../../ui/table/TwoLines";
import { Link as RouterLink } from "react-router";
import { actorWords, eventLink, eventWords } from "../../ui/events";
import { dateTime } from "../../ui/formats";
import { Column } from "../../ui/layout/layout";
import styles from "./audit.module.css";
import type { AuditFilter } from "./auditFilters";
import { AuditDetails } from "./AuditDetails";
import { subjectName } from "./format";
import type { AuditRecord } from "./record";

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
    <Column className={styles.entry}>
      <TwoLines
        second={
          (name ?? to) && (
            <bdi>
              {to ? (
                <Link component={RouterLink} to={to} underline="hover">
                  {name ?? t({ message: "Open", context: "verb" })}
                </Link>
              ) : (
                name
              )}
            </bdi>
          )
        }
      >
        {eventWords(record.kind)}
      </TwoLines>
      <Folded until="md">
        <Typography variant="caption" color="textSecondary" component="div">
          {dateTime(record.occurredAt)} · {actorOf(record)}
        </Typography>
      </Folded>
    </Column>
  );
}

interface AuditTableProps {
  institutionId: string | null;
  onFilter: (change: AuditFilter) => void;
}

/** The entries of the log; each opens a dialog with its details. */
export function AuditTable({ institutionId, onFilter }: AuditTableProps) {
  const [opened, setOpened] = useState<AuditRecord | null>(null);
  const close = () => setOpened(null);
  return (
    <>
      <Table<AuditRecord>
        label={t`Audit log`}
        none={t`No entries match these filters.`}
        columns={[
          {
            key: "occurredAt",
            label: t`When`,
            sort: "occurredAt",
            from: "md",
            fits: true,
            cell: (record) => (
              <time dateTime={record.occurredAt}>{dateTime(record.occurredAt)}</time>
            ),
          },
          {
            key: "kind",
            label: t`Event`,
            cell: (record) => <EventItem record={record} institutionId={institutionId} />,
          },
          { key: "actorName", label: t`Actor`, from: "md", cell: actorOf },
          {
            key: "ipAddress",
            label: t`IP address`,
            from: "md",
            fits: true,
            cell: (record) => record.ipAddress ?? "—",
          },
          {
            key: "Details",
            label: t`Details`,
            align: "end",
            cell: (record) => (
              <IconButton
                size="small"
                aria-label={t`Details: ${{ event: eventWords(record.kind) }}`}
                onClick={() => setOpened(record)}
              >
                <SwitchIcon />
              </IconButton>
            ),
          },
        ]}
      />
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
            <Button onClick={close}>{t`Close`}</Button>
          </DialogActions>
        </Dialog>
      )}
    </>
  );
}
