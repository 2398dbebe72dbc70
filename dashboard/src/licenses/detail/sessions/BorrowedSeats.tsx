import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import Card from "@mui/material/Card";
import { api, at } from "../../../api/client";
import type { License, Schemas } from "../../../api/types";
import { EmptyState } from "../../../ui/EmptyState";
import { date, dateTime } from "../../../ui/formats";
import { HistoryIcon } from "../../../ui/icons";
import { ChoiceFilter } from "../../../ui/list/ChoiceFilter";
import { DataList } from "../../../ui/list/DataList";
import { Muted } from "../../../ui/Muted";
import { actionsColumn, Folded } from "../../../ui/table/cells";
import { RowMenu } from "../../../ui/table/RowMenu";
import { Table } from "../../../ui/table/Table";
import { useActions, type Action } from "../../../ui/useActions";
import { useCan } from "../../../ui/useInstitution";
import { nameOf } from "../../../ui/devices/deviceActions";
import { NamedDevice } from "../HardwareId";

type Lease = Schemas["Lease"];

const STATES: Record<Lease["state"], string> = {
  Open: t`Away`,
  Returned: t`Returned`,
  Ended: t`Ended`,
  Forked: t`Used by a copy`,
};

/** The seats that devices of the license have borrowed. */
export const BorrowedSeats = ({ license }: { license: License }) => (
  <DataList
    key="away"
    path={`licenses/${license.id}/leases`}
    filterNames={["state"]}
    sort="-issuedAt"
    toolbar={
      <ChoiceFilter
        name="state"
        label={t`State`}
        all={t`All states`}
        choices={Object.keys(STATES)}
        wordsOf={(state) => STATES[state as Lease["state"]]}
      />
    }
    empty={
      <Card>
        <EmptyState icon={<HistoryIcon />} title={t`No borrowed seats`}>
          {license.maxBorrowDays > 0
            ? t`A seat that an application borrows appears here until it is returned, and afterwards.`
            : t`Edit the license to let applications borrow seats, and to use them without a network.`}
        </EmptyState>
      </Card>
    }
  >
    <Leases license={license} />
  </DataList>
);

function Leases({ license }: { license: License }) {
  const { manage } = useCan(license.institutionId);
  const actions = useLeaseActions();
  return (
    <>
      <Table<Lease>
        label={t`Borrowed seats`}
        columns={[
          {
            key: "deviceName",
            label: t`Device`,
            cell: (lease: Lease) => (
              <>
                <NamedDevice device={lease} />
                <Folded until="md">
                  <State lease={lease} />
                  <Muted component="div">{t`Borrowed until ${{ end: dateTime(lease.endsAt) }}`}</Muted>
                </Folded>
              </>
            ),
          },
          {
            key: "state",
            label: t`State`,
            from: "md",
            cell: (lease: Lease) => <State lease={lease} />,
          },
          { key: "issuedAt", label: t`Borrowed`, sort: true, from: "md", as: "dateTime" },
          {
            key: "endsAt",
            label: t`Until`,
            sort: true,
            from: "md",
            cell: (lease: Lease) => dateTime(lease.endsAt),
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

const isAway = ({ state, endedAt }: Lease) =>
  state === "Open" || (state === "Forked" && endedAt === null);

const State = ({ lease }: { lease: Lease }) => (
  <>
    {STATES[lease.state]}
    {isAway(lease) && lease.recalledAt !== null && (
      <Muted component="div">{t`Recalled: it is not renewed`}</Muted>
    )}
    {lease.endReason === "Forced" && <Muted component="div">{t`Freed by an operator`}</Muted>}
    {lease.state === "Forked" && lease.acknowledgedAt === null && (
      <Muted component="div">{t`The device borrows no other seat`}</Muted>
    )}
  </>
);

/** What can be done with a borrowed seat. */
const useLeaseActions = () =>
  useActions((lease: Lease): Action[] => {
    const name = nameOf(lease);
    const place = at({ leaseId: lease.id });
    const until = date(lease.endsAt);
    const recall = (force: boolean) =>
      api.POST("/api/leases/{leaseId}/recall", { ...place, body: { force } });
    return [
      {
        label: t`Recall`,
        isOffered: isAway(lease) && lease.recalledAt === null,
        confirm: {
          title: t`Recall seat`,
          onConfirm: () => recall(false),
          done: t`The seat of ${name} is not renewed any more.`,
          consequence: (
            <Trans>
              <b>{name}</b> cannot keep the seat longer than until {until}. It keeps it until then,
              or until it returns it. This cannot be undone, but the device can borrow a seat again.
            </Trans>
          ),
        },
      },
      {
        label: t`Free seat now`,
        isOffered: isAway(lease),
        confirm: {
          title: t`Free seat now`,
          danger: true,
          onConfirm: () => recall(true),
          done: t`The seat of ${name} is free.`,
          consequence: (
            <Trans>
              <b>{name}</b> works without the server until {until}, whatever is done here. This
              gives its seat to others at once, so until then one copy more than the license has
              seats can be in use. Do this only if the device is lost.
            </Trans>
          ),
        },
      },
      {
        label: t`Let it borrow again`,
        isOffered: lease.state === "Forked" && lease.acknowledgedAt === null,
        confirm: {
          title: t`Let the device borrow again`,
          onConfirm: () => api.POST("/api/leases/{leaseId}/acknowledge", place),
          done: t`${name} may borrow a seat again.`,
          consequence: (
            <Trans>
              The seat of <b>{name}</b> was used by a copy of its data, or its data was put back
              from an older state. Ask the customer first which of the two it was.
            </Trans>
          ),
        },
      },
    ];
  });
