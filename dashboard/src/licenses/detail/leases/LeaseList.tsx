import { t } from "@lingui/core/macro";
import type { ReactNode } from "react";
import type { License } from "../../../api/types";
import { EmptyState } from "../../../ui/EmptyState";
import { dateTime } from "../../../ui/formats";
import { HistoryIcon } from "../../../ui/icons";
import { DataList } from "../../../ui/list/DataList";
import { Muted } from "../../../ui/Muted";
import { actionsColumn } from "../../../ui/table/cells";
import type { Column } from "../../../ui/table/Row";
import { RowMenu } from "../../../ui/table/RowMenu";
import { Table } from "../../../ui/table/Table";
import { useCan } from "../../../ui/useInstitution";
import { nameOf } from "../../../ui/devices/deviceActions";
import { NamedDevice } from "../HardwareId";
import {
  isAway,
  isUnacknowledged,
  type Lease,
  type LeaseWords,
  useLeaseActions,
} from "./leaseActions";

/** What devices take away, in the words of its kind. */
export interface LeaseKindWords {
  /** What is listed: "Borrowed seats". */
  label: string;
  none: { title: string; text: string };
  states: Record<Lease["state"], string>;
  /** What a state means here, below it. */
  forced: string;
  copied: string;
  actionsOf: (lease: Lease) => LeaseWords;
}

interface LeaseListProps {
  license: License;
  kind: Lease["kind"];
  words: LeaseKindWords;
  /** Columns between the state and the end. */
  columns?: readonly Column<Lease>[];
  /** What follows the end, below it. */
  afterEnd?: (lease: Lease) => ReactNode;
}

/** What devices of the license have taken away, of one kind. */
export const LeaseList = ({ license, kind, words, ...shown }: LeaseListProps) => (
  <DataList
    key={kind}
    path={`licenses/${license.id}/leases`}
    fixed={{ kind }}
    filterNames={["state"]}
    sort="-issuedAt"
    kinds={[{ name: "state", label: t`State`, choices: Object.entries(words.states) }]}
    empty={
      <EmptyState icon={<HistoryIcon />} title={words.none.title}>
        {words.none.text}
      </EmptyState>
    }
  >
    <Leases license={license} words={words} {...shown} />
  </DataList>
);

function Leases({ license, words, columns = [], afterEnd }: Omit<LeaseListProps, "kind">) {
  const { manage } = useCan(license.institutionId);
  const actions = useLeaseActions(words.actionsOf);
  return (
    <>
      <Table<Lease>
        label={words.label}
        columns={[
          {
            key: "deviceName",
            label: t`Device`,
            cell: (lease: Lease) => <NamedDevice device={lease} />,
          },
          {
            key: "state",
            label: t`State`,
            short: "beside",
            cell: (lease: Lease) => <State lease={lease} words={words} />,
          },
          ...columns,
          {
            key: "endsAt",
            label: t`Until`,
            sort: true,
            cell: (lease: Lease) => (
              <>
                {dateTime(lease.endsAt)}
                {afterEnd?.(lease)}
              </>
            ),
          },
          manage &&
            actionsColumn((lease: Lease) => (
              <RowMenu name={nameOf(lease)} acts={actions.of(lease)} />
            )),
        ]}
      />
      {actions.dialog}
    </>
  );
}

const State = ({ lease, words }: { lease: Lease; words: LeaseKindWords }) => (
  <>
    {words.states[lease.state]}
    {isAway(lease) && lease.recalledAt !== null && (
      <Muted component="div">{t`Recalled: it is not renewed`}</Muted>
    )}
    {lease.endReason === "Forced" && <Muted component="div">{words.forced}</Muted>}
    {isUnacknowledged(lease) && <Muted component="div">{words.copied}</Muted>}
  </>
);
