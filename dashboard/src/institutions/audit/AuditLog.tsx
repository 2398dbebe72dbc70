import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogTitle from "@mui/material/DialogTitle";
import MuiTable from "@mui/material/Table";
import TableBody from "@mui/material/TableBody";
import TableCell from "@mui/material/TableCell";
import TableHead from "@mui/material/TableHead";
import TableRow from "@mui/material/TableRow";
import { useMemo, useState } from "react";
import type { Schemas } from "../../api/types";
import { DescriptionList } from "../../ui/DescriptionList";
import { actorWords, eventLink, eventWords } from "../../ui/events";
import { fieldWords } from "../../ui/fields";
import { dateTime, number } from "../../ui/formats";
import { HelpLink } from "../../ui/help";
import { Column, Row } from "../../ui/layout/layout";
import { DataList } from "../../ui/list/DataList";
import { type List, ListContext, type Query, useListContext } from "../../ui/list/useList";
import { Muted } from "../../ui/Muted";
import { PageLink } from "../../ui/PageLink";
import { Opens, TwoLines } from "../../ui/table/cells";
import { Table } from "../../ui/table/Table";
import { useProduct } from "../../ui/useProduct";
import type { TabProps } from "../parts/TabProps";
import styles from "./audit.module.css";
import { auditFilters, FILTER_NAMES } from "./auditFilters";
import { auditKinds } from "./auditKinds";
import { foldedOf } from "./folding";

interface AuditLogProps {
  /** The path below `/api`. */
  resource: string;
  /** Null for the log of the instance, whose entries name theirs. */
  institutionId: string | null;
}

/** An audit log: who changed what, when and from where. */
export function AuditLog({ resource, institutionId }: AuditLogProps) {
  const kinds = useMemo(() => auditKinds(institutionId), [institutionId]);
  return (
    <Column gap="l">
      <Row gap="l" wraps>
        <Muted className={styles.seal}>
          <Trans>
            Every entry is sealed into a chain. Run <code>licet-server audit verify</code> on the
            server to detect entries that were changed or removed.{" "}
            <HelpLink topic="audit-log">How to check the audit log</HelpLink>
          </Trans>
        </Muted>
      </Row>
      <div>
        <DataList
          path={resource}
          filterNames={FILTER_NAMES}
          asked={auditFilters}
          sort="-occurredAt"
          hasCsv
          kinds={kinds}
        >
          <AuditTable institutionId={institutionId} />
        </DataList>
      </div>
    </Column>
  );
}

/** The audit log of an institution. */
export const AuditTab = ({ institutionId }: TabProps) => (
  <AuditLog resource={`institutions/${institutionId}/audit`} institutionId={institutionId} />
);

type AuditRecord = Schemas["AuditEntry"];

type Changes = Record<string, [before: unknown, after: unknown]>;

const actorOf = (record: AuditRecord) => actorWords(record.actorKind, record.actorName);

const institutionOf = ({ data }: AuditRecord) => String(data["institutionId"] ?? "");

/** What an entry leads to, where it has no name, by the first word of the address. */
const PLACES: Partial<Record<string, string>> = {
  licenses: t`License`,
  products: t`Product`,
  settings: t`Settings`,
};

/** The name of that; a product has one of its own, as it is called now. */
function usePlace(to: string | null): string | undefined {
  const [, place = "", id] = to?.split("/") ?? [];
  const { data: product } = useProduct(place === "products" ? id : null);
  return product?.name ?? PLACES[place];
}

interface AuditTableProps {
  institutionId: string | null;
}

interface EventItemProps extends AuditTableProps {
  record: AuditRecord;
  /** How many neighbors say the same of other items, this one included. */
  count: number;
  onUnfold: () => void;
}

function EventItem({ record, institutionId, count, onUnfold }: EventItemProps) {
  const to = eventLink({ ...record, institutionId: institutionId ?? institutionOf(record) });
  const named = subjectName(record);
  const place = usePlace(named === null ? to : null);
  const name = named ?? place;
  return (
    <Column className={styles.entry}>
      <TwoLines
        second={
          name && (
            <bdi>
              {to ? (
                <PageLink to={to} underline="hover">
                  {name}
                </PageLink>
              ) : (
                name
              )}
            </bdi>
          )
        }
      >
        {eventWords(record.kind)}
      </TwoLines>
      {count > 1 && (
        <div>
          <Button
            size="small"
            className={styles.more}
            onClick={(event) => {
              event.stopPropagation();
              onUnfold();
            }}
          >
            {plural({ more: count - 1 }, { other: "And # more like it" })}
          </Button>
        </div>
      )}
      <Changed changes={record.changes as Changes | null} />
    </Column>
  );
}

/** The entries of the log; each opens a dialog with its details. */
function AuditTable({ institutionId }: AuditTableProps) {
  const [opened, setOpened] = useState<AuditRecord | null>(null);
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(new Set());
  const list = useListContext<AuditRecord>();
  const folded = useMemo(
    () => list.items && foldedOf(list.items, unfolded),
    [list.items, unfolded],
  );
  const close = () => setOpened(null);
  return (
    <ListContext value={{ ...list, items: folded?.map(({ record }) => record) } as List<unknown>}>
      <Table<AuditRecord>
        label={t`Audit log`}
        none={t`No entries match these filters.`}
        onOpen={setOpened}
        columns={[
          {
            key: "occurredAt",
            label: t`When`,
            sort: true,
            fits: true,
            width: 180,
            short: "plain",
            cell: (record) => (
              // Not the event, below which stands the link to its subject.
              <Opens
                label={`${dateTime(record.occurredAt)}: ${eventWords(record.kind)}`}
                onOpen={() => setOpened(record)}
              >
                <time dateTime={record.occurredAt}>{dateTime(record.occurredAt)}</time>
              </Opens>
            ),
          },
          {
            key: "kind",
            label: t`Event`,
            short: "name",
            cell: (record) => (
              <EventItem
                record={record}
                institutionId={institutionId}
                count={folded?.find((item) => item.record === record)?.count ?? 1}
                onUnfold={() => setUnfolded(new Set(unfolded).add(record.id))}
              />
            ),
          },
          { key: "actorName", label: t`Actor`, width: 190, short: "plain", cell: actorOf },
          { key: "ipAddress", label: t`IP address`, fits: true, width: 130, short: "plain" },
        ]}
      />
      {opened && (
        <Dialog open onClose={close} maxWidth="md" aria-labelledby="audit-entry">
          <DialogTitle id="audit-entry">
            {eventWords(opened.kind)}
            <Muted component="div">{dateTime(opened.occurredAt)}</Muted>
          </DialogTitle>
          <DialogContent>
            <AuditDetails record={opened} onClose={close} />
          </DialogContent>
          <DialogActions>
            <Button onClick={close}>{t`Close`}</Button>
          </DialogActions>
        </Dialog>
      )}
    </ListContext>
  );
}

const FEW = 2;

/** The first fields that changed, in a line; nothing for what is new, which has an ID then. */
function Changed({ changes }: { changes: Changes | null }) {
  const all = Object.entries(changes ?? {});
  if (all.length === 0 || changes?.["id"]) return null;
  const shown = all
    .slice(0, FEW)
    .map(
      ([field, [before, after]]) =>
        `${fieldWords(field)}: ${fieldValue(before)} → ${fieldValue(after)}`,
    );
  return (
    <Muted className={styles.changed} dir="auto">
      {[...shown, ...(all.length > FEW ? ["…"] : [])].join(" · ")}
    </Muted>
  );
}

const ChangesTable = ({ changes }: { changes: Changes }) => (
  <div className={styles.changes}>
    <MuiTable size="small" aria-label={t`What changed`}>
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
    </MuiTable>
  </div>
);

interface AuditDetailsProps {
  record: AuditRecord;
  onClose: () => void;
}

/** Details of an audit log entry: changed fields, actor and origin. */
function AuditDetails({ record, onClose }: AuditDetailsProps) {
  const { setFilters } = useListContext();
  const filter = (change: Query) => {
    setFilters(change);
    onClose();
  };
  const { actorId, changes, data } = record;
  const actor = actorWords(record.actorKind, record.actorName);
  const reason = data["reason"];
  return (
    <Column gap="l" className={styles.details}>
      {changes ? (
        <ChangesTable changes={changes as Changes} />
      ) : (
        <Muted>{t`No fields changed.`}</Muted>
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
          <Button size="small" onClick={() => filter({ actorId, actor: actor ?? "" })}>
            <Trans>All entries by {actor}</Trans>
          </Button>
        )}
        <Button
          size="small"
          onClick={() =>
            filter({ subjectId: record.subjectId, subject: subjectName(record) ?? "" })
          }
        >
          {t`All entries about this item`}
        </Button>
      </Row>
    </Column>
  );
}

const NAMES = [
  "licenseName",
  "name",
  "version",
  "externalId",
  "email",
  "deviceName",
  "description",
  "url",
];
const MOMENT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/** The name of an entry's subject at the time. */
function subjectName({ data }: AuditRecord): string | null {
  const found = NAMES.map((name) => data[name]).find((value) => typeof value === "string");
  return typeof found === "string" ? found : null;
}

/** Formats a field value for display. */
function fieldValue(value: unknown): string {
  if (value === null || value === undefined || value === "") return "—";
  if (typeof value === "boolean") return value ? t`Yes` : t`No`;
  if (typeof value === "number") return number(value);
  if (typeof value === "string") return MOMENT.test(value) ? dateTime(value) : value;
  if (Array.isArray(value)) return value.length ? value.map(fieldValue).join(", ") : t`None`;
  return JSON.stringify(value);
}
