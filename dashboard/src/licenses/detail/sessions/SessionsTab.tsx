import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import Button from "@mui/material/Button";
import Card from "@mui/material/Card";
import ToggleButton from "@mui/material/ToggleButton";
import ToggleButtonGroup from "@mui/material/ToggleButtonGroup";
import { useState } from "react";
import { useLocation, useNavigate } from "react-router";
import { api, at } from "../../../api/client";
import type { License, Schemas } from "../../../api/types";
import { ConfirmDialog } from "../../../ui/ConfirmDialog";
import { EmptyState } from "../../../ui/EmptyState";
import { dateTime, lasting, number, date } from "../../../ui/formats";
import { HelpLink } from "../../../ui/help";
import { HistoryIcon, UnlinkIcon } from "../../../ui/icons";
import { Row } from "../../../ui/layout/layout";
import { END_WORDS } from "../../../ui/licenseEvents";
import { DataList } from "../../../ui/list/DataList";
import { SearchFilter } from "../../../ui/list/SearchFilter";
import { useListContext } from "../../../ui/list/useList";
import { Muted } from "../../../ui/Muted";
import { RelativeTime } from "../../../ui/RelativeTime";
import { actionsColumn } from "../../../ui/table/cells";
import { useFocusByHash } from "../../../ui/table/rows";
import { Table } from "../../../ui/table/Table";
import { useCan } from "../../../ui/useInstitution";
import { useUrlParams } from "../../../ui/useUrlParams";
import { VisuallyHidden } from "../../../ui/VisuallyHidden";
import styles from "../detail.module.css";
import { nameOf } from "../../../ui/devices/deviceActions";
import { NamedDevice } from "../HardwareId";
import type { Lease, LeaseWords } from "../leases/leaseActions";
import { LeaseList } from "../leases/LeaseList";

type Session = Schemas["SeatSession"];

/** Live and past sessions of the license, and the seats that are borrowed. */
export function SessionsTab({ license }: { license: License }) {
  const base = `/licenses/${license.id}/sessions`;
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const shown = ["past", "away"].find((name) => pathname.startsWith(`${base}/${name}`)) ?? "live";
  return (
    <>
      <Row gap="xs" className={styles.above}>
        <ToggleButtonGroup
          exclusive
          aria-label={t`Filter sessions`}
          value={shown}
          onChange={(_, chosen: string | null) => {
            if (chosen) void navigate(chosen === "live" ? base : `${base}/${chosen}`);
          }}
        >
          <ToggleButton value="live">{t`Live`}</ToggleButton>
          <ToggleButton value="past">{t`Past`}</ToggleButton>
          {license.seatsAway !== null && <ToggleButton value="away">{t`Borrowed`}</ToggleButton>}
        </ToggleButtonGroup>
        <HelpLink topic="activations-and-sessions" />
      </Row>
      {shown === "live" && <LiveSessions license={license} />}
      {shown === "past" && <PastSessions license={license} />}
      {shown === "away" && <BorrowedSeats license={license} />}
    </>
  );
}

const REFRESH_MS = 5_000;

const SEARCH = <SearchFilter placeholder={t`Device or hardware ID`} />;

/** Whether somebody has to leave before another one can come. */
const isFull = ({ type, maxActiveUsersCount: seats, seatsUsed }: License) =>
  type === "Floating" && seats !== null && (seatsUsed ?? 0) >= seats;

/** The live sessions; those of a full pool by how long nothing has been heard of them. */
function LiveSessions({ license }: { license: License }) {
  return (
    <DataList
      key="live"
      path={`licenses/${license.id}/sessions`}
      filterNames={["search"]}
      sort={isFull(license) ? "lastSeenAt" : "-connectedAt"}
      views="Sessions"
      refetchInterval={REFRESH_MS}
      hasCsv
      toolbar={SEARCH}
    >
      <Announcement />
      <LiveTable license={license} />
    </DataList>
  );
}

/** The live sessions; `?session=…` asks whether to disconnect one of them. */
function LiveTable({ license }: { license: License }) {
  const { manage } = useCan(license.institutionId);
  const { items, filters, sort } = useListContext<Session>();
  const { params, change } = useUrlParams();
  useFocusByHash("#free", items !== undefined && items.length > 0);
  const [chosen, setCut] = useState<Session | null>(null);
  const asked = params.get("session");
  const linked = manage && items?.find(({ id, leaseId }) => id === asked && leaseId === null);
  const cut = chosen ?? linked;
  const idlest = isFull(license) && sort === "lastSeenAt" ? idlestOf(items) : undefined;
  const close = () => {
    setCut(null);
    if (asked !== null) change({ session: null }, true);
  };
  return (
    <>
      <Table<Session>
        label={t`Live sessions`}
        {...(!filters["search"] && { none: <NoSessions license={license} /> })}
        columns={[
          {
            key: "deviceName",
            label: t`Device`,
            sort: true,
            cell: (session: Session) => (
              <>
                <SessionDevice session={session} />
                {session.leaseEndsAt !== null && (
                  <Muted component="div">
                    {t`Borrowed until ${{ end: dateTime(session.leaseEndsAt) }}`}
                  </Muted>
                )}
              </>
            ),
          },
          { key: "appVersion", label: t`Version` },
          { key: "connectedAt", label: t`Connected`, sort: true, as: "ago" },
          {
            key: "lastHeartbeatAt",
            label: t`Last heartbeat`,
            sort: "lastSeenAt",
            cell: (session: Session) => (
              <>
                <Heartbeat session={session} />
                {session === idlest && (
                  <Muted component="div">{t`Longest idle: free this one first`}</Muted>
                )}
              </>
            ),
          },
          {
            key: "expiresAt",
            label: t`Times out`,
            sort: true,
            cell: (session: Session) =>
              session.expiresAt && <RelativeTime at={session.expiresAt} />,
          },
          manage &&
            actionsColumn(
              (session: Session) =>
                session.leaseId === null && (
                  <Button
                    size="small"
                    data-opens
                    variant={session === idlest ? "outlined" : "text"}
                    aria-label={t`Disconnect ${{ name: nameOf(session) }}`}
                    onClick={() => setCut(session)}
                  >
                    {t`Disconnect`}
                  </Button>
                ),
            ),
        ]}
      />
      {cut && <DisconnectDialog session={cut} license={license} onClose={close} />}
    </>
  );
}

const MINUTE_MS = 60_000;
const isThisMinute = (moment: string) => Date.now() - Date.parse(moment) < MINUTE_MS;

/** When a session was heard of last. */
const heardOf = ({ lastHeartbeatAt, connectedAt }: Session): string =>
  lastHeartbeatAt ?? connectedAt;

/** Of sessions by how long nothing was heard of them, the one to end; none while all are at work. */
const idlestOf = (sessions: readonly Session[] = []): Session | undefined =>
  sessions.find((session) => session.leaseId === null && !isThisMinute(heardOf(session)));

/** How long nothing has been heard of a session; one that is away says nothing at all. */
function Heartbeat({ session }: { session: Session }) {
  const { leaseId, lastHeartbeatAt: last } = session;
  if (leaseId !== null) return null;
  const since = heardOf(session);
  const title = last === null ? t`No heartbeat yet` : dateTime(last);
  if (isThisMinute(since)) return <span title={title}>{t`Just now`}</span>;
  return <span title={title}>{t`Idle for ${{ time: lasting(since) }}`}</span>;
}

const NoSessions = ({ license }: { license: License }) => (
  <EmptyState icon={<UnlinkIcon />} title={t`No live sessions`}>
    {t`A session appears here when the application connects, and stays as long as it sends heartbeats.`}{" "}
    {license.type === "Floating"
      ? t`Each session takes a seat.`
      : t`With this license model, sessions do not take seats.`}
  </EmptyState>
);

const PastSessions = ({ license }: { license: License }) => (
  <DataList
    key="past"
    path={`licenses/${license.id}/sessions`}
    fixed={{ status: "Ended" }}
    filterNames={["search", "endReason"]}
    sort="-endedAt"
    views="PastSessions"
    hasCsv
    toolbar={SEARCH}
    kinds={[{ name: "endReason", label: t`Reason`, choices: Object.entries(END_WORDS) }]}
    empty={
      <Card>
        <EmptyState icon={<HistoryIcon />} title={t`No past sessions`}>
          {t`Ended sessions appear here with the reason.`}
        </EmptyState>
      </Card>
    }
  >
    <Table<Session>
      label={t`Past sessions`}
      columns={[
        {
          key: "deviceName",
          label: t`Device`,
          sort: true,
          cell: (session: Session) => <SessionDevice session={session} />,
        },
        { key: "appVersion", label: t`Version` },
        { key: "connectedAt", label: t`Connected`, sort: true, as: "dateTime" },
        {
          key: "endedAt",
          label: t`Ended`,
          sort: true,
          cell: (session: Session) => session.endedAt && dateTime(session.endedAt),
        },
        {
          key: "endReason",
          label: t`Reason`,
          cell: (session: Session) => session.endReason && END_WORDS[session.endReason],
        },
      ]}
    />
  </DataList>
);

/** The machine and application instance of a session. */
const SessionDevice = ({ session }: { session: Session }) => (
  <>
    <NamedDevice device={session} />
    {session.instanceId && (
      <Muted className={styles.inCell}>{t`Instance ${{ instance: session.instanceId }}`}</Muted>
    )}
  </>
);

interface DisconnectDialogProps {
  session: Session;
  license: License;
  onClose: () => void;
}

function DisconnectDialog({ session, license, onClose }: DisconnectDialogProps) {
  const name = nameOf(session);
  return (
    <ConfirmDialog
      title={t`Disconnect session`}
      action={t`Disconnect session`}
      onConfirm={() =>
        api.POST("/api/sessions/{sessionId}/disconnect", at({ sessionId: session.id }))
      }
      done={t`Session on ${name} disconnected.`}
      onClose={onClose}
      consequence={
        <>
          {license.type === "Floating" ? (
            <Trans>
              The session on <b>{name}</b> ends immediately and frees its seat.
            </Trans>
          ) : (
            <Trans>
              The session on <b>{name}</b> ends immediately.
            </Trans>
          )}{" "}
          {t`The application finds out with its next heartbeat and can connect again. To lock the device out, block it under Activations. Unsaved work there may be lost.`}
        </>
      }
    />
  );
}

/** Announces connected and disconnected sessions to screen readers. */
function Announcement() {
  const { items: data, total } = useListContext<Session>();
  const [seen, setSeen] = useState(data);
  const [message, setMessage] = useState("");
  if (data !== seen) {
    setSeen(data);
    if (data && seen) {
      const moves = [
        ...changesBetween(data, seen).map((name) => t`${name} connected`),
        ...changesBetween(seen, data).map((name) => t`${name} disconnected`),
      ];
      if (moves.length > 0)
        setMessage(
          t`${{ changes: moves.join(", ") }}. Live sessions: ${{ count: number(total ?? 0) }}.`,
        );
    }
  }
  return <VisuallyHidden role="status">{message}</VisuallyHidden>;
}

/** The names of the sessions that are only in the first list. */
function changesBetween(some: Session[], others: Session[]): string[] {
  const known = new Set(others.map((session) => session.id));
  return some.filter(({ id }) => !known.has(id)).map(nameOf);
}

/** The seats that devices of the license have borrowed. */
const BorrowedSeats = ({ license }: { license: License }) => (
  <LeaseList
    license={license}
    kind="Seat"
    columns={[{ key: "issuedAt", label: t`Borrowed`, sort: true, as: "dateTime" }]}
    words={{
      label: t`Borrowed seats`,
      none: {
        title: t`No borrowed seats`,
        text:
          license.maxBorrowDays > 0
            ? t`A seat that an application borrows appears here until it is returned, and afterwards.`
            : t`Edit the license to let applications borrow seats, and to use them without a network.`,
      },
      states: STATES,
      forced: t`Freed by an operator`,
      copied: t`The device borrows no other seat`,
      actionsOf,
    }}
  />
);

const STATES: Record<Lease["state"], string> = {
  Open: t`Away`,
  Returned: t`Returned`,
  Ended: t`Ended`,
  Forked: t`Used by a copy`,
};

function actionsOf(lease: Lease): LeaseWords {
  const name = nameOf(lease);
  const until = date(lease.endsAt);
  return {
    recall: {
      label: t`Recall`,
      title: t`Recall seat`,
      done: t`The seat of ${name} is not renewed any more.`,
      consequence: (
        <Trans>
          <b>{name}</b> cannot keep the seat longer than until {until}. It keeps it until then, or
          until it returns it. This cannot be undone, but the device can borrow a seat again.
        </Trans>
      ),
    },
    force: {
      label: t`Free seat now`,
      title: t`Free seat now`,
      done: t`The seat of ${name} is free.`,
      consequence: (
        <Trans>
          <b>{name}</b> works without the server until {until}, whatever is done here. This gives
          its seat to others at once, so until then one copy more than the license has seats can be
          in use. Do this only if the device is lost.
        </Trans>
      ),
    },
    acknowledge: {
      label: t`Let it borrow again`,
      title: t`Let the device borrow again`,
      done: t`${name} may borrow a seat again.`,
      consequence: (
        <Trans>
          The seat of <b>{name}</b> was used by a copy of its data, or its data was put back from an
          older state. Ask the customer first which of the two it was.
        </Trans>
      ),
    },
  };
}
