import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import Button from "@mui/material/Button";
import Table from "@mui/material/Table";
import TableBody from "@mui/material/TableBody";
import TableCell from "@mui/material/TableCell";
import TableHead from "@mui/material/TableHead";
import TableRow from "@mui/material/TableRow";
import Typography from "@mui/material/Typography";
import { actorWords } from "../../ui/events";
import { DescriptionList } from "../../ui/DescriptionList";
import { Column, Row } from "../../ui/layout/layout";
import styles from "./audit.module.css";
import type { AuditFilter } from "./auditFilters";
import { fieldWords } from "../../ui/fields";
import { fieldValue } from "./format";
import type { AuditRecord } from "./record";

type Changes = Record<string, [before: unknown, after: unknown]>;

const ChangesTable = ({ changes }: { changes: Changes }) => (
  <div className={styles.changes}>
    <Table size="small" aria-label={t`What changed`}>
      <TableHead>
        <TableRow>
          <TableCell>{t`Field`}</TableCell>
          <TableCell>{t`Before`}</TableCell>
          <TableCell>{t`After`}</TableCell>
        </TableRow>
      </TableHead>
      <TableBody>
        {Object.entries(changes).map(([field, [before, after]]) => (
          <TableRow key={field}>
            <TableCell component="th" scope="row">
              {fieldWords(field)}
            </TableCell>
            <TableCell dir="auto">{fieldValue(before)}</TableCell>
            <TableCell dir="auto" className={styles.after}>
              {fieldValue(after)}
            </TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  </div>
);

interface AuditDetailsProps {
  record: AuditRecord;
  onFilter: (change: AuditFilter) => void;
}

/** Details of an audit log entry: changed fields, actor and origin. */
export function AuditDetails({ record, onFilter }: AuditDetailsProps) {
  const { actorId, changes, data } = record;
  const actor = actorWords(record.actorKind, record.actorName);
  const reason = data["reason"];
  return (
    <Column gap="l" className={styles.details}>
      {changes ? (
        <ChangesTable changes={changes as Changes} />
      ) : (
        <Typography variant="body2" color="textSecondary">
          {t`No fields changed.`}
        </Typography>
      )}
      <DescriptionList
        facts={[
          ...(typeof reason === "string" ? [[t`Reason`, reason] as const] : []),
          [t`Actor`, actor],
          [t`IP address`, record.ipAddress],
          [t`Request ID`, record.requestId],
          [t`Event`, <code key="kind">{record.kind}</code>],
          [t`Seal number`, record.sealNumber ?? t`Sealed within seconds`],
        ]}
      />
      <Row gap="s" wraps>
        {actorId && (
          <Button size="small" onClick={() => onFilter({ actorId, actor: actor ?? "" })}>
            <Trans>All entries by {actor}</Trans>
          </Button>
        )}
        <Button size="small" onClick={() => onFilter({ subjectId: record.subjectId })}>
          {t`All entries about this item`}
        </Button>
      </Row>
    </Column>
  );
}
