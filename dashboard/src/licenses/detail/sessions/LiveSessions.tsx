import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import Button from "@mui/material/Button";
import Typography from "@mui/material/Typography";
import { useState } from "react";
import { UnlinkIcon } from "../../../ui/icons";
import { Table } from "../../../ui/table/Table";
import { useListContext } from "../../../ui/list/useList";
import type { License } from "../../../api/types";
import { DataList } from "../../../ui/list/DataList";
import { EmptyState } from "../../../ui/EmptyState";
import { useCan } from "../../../ui/useInstitution";
import { RelativeTime } from "../../../ui/RelativeTime";
import styles from "../detail.module.css";
import { nameOf } from "../devices/device";
import { SeatsBar } from "../SeatsBar";
import { Announcement } from "./Announcement";
import { DisconnectDialog } from "./DisconnectDialog";
import type { Session } from "./session";
import { SessionDevice } from "./SessionDevice";

const REFRESH_MS = 5_000;

export function LiveSessions({ license }: { license: License }) {
  return (
    <DataList
      key="live"
      path={`licenses/${license.id}/sessions`}
      inUrl={false}
      sort="-connectedAt"
      refetchInterval={REFRESH_MS}
    >
      <Seats license={license} />
      <Announcement />
      <LiveTable license={license} />
    </DataList>
  );
}

function Seats({ license }: { license: License }) {
  const { total } = useListContext<Session>();
  if (license.type !== "Floating" || license.maxActiveUsersCount === null) return null;
  return (
    <div className={styles.inFrame}>
      <SeatsBar used={total ?? license.seatsUsed ?? 0} total={license.maxActiveUsersCount} />
    </div>
  );
}

function LiveTable({ license }: { license: License }) {
  const { manage } = useCan(license.institutionId);
  const [cut, setCut] = useState<Session | null>(null);
  return (
    <>
      <Table<Session>
        label={t`Live sessions`}
        none={<NoSessions license={license} />}
        columns={[
          {
            key: "deviceName",
            label: t`Device`,
            sort: "deviceName",
            cell: (session: Session) => (
              <>
                <SessionDevice session={session} />
                <Typography
                  variant="body2"
                  color="textSecondary"
                  component="div"
                  className={styles.untilMd}
                >
                  <Trans>
                    Heartbeat: <Heartbeat session={session} />
                  </Trans>
                </Typography>
              </>
            ),
          },
          { key: "appVersion", label: t`Version`, from: "md" },
          {
            key: "connectedAt",
            label: t`Connected`,
            sort: "connectedAt",
            from: "md",
            cell: (session: Session) => <RelativeTime at={session.connectedAt} />,
          },
          {
            key: "lastHeartbeatAt",
            label: t`Last heartbeat`,
            sort: "lastHeartbeatAt",
            from: "md",
            cell: (session: Session) => <Heartbeat session={session} />,
          },
          {
            key: "expiresAt",
            label: t`Times out`,
            sort: "expiresAt",
            from: "md",
            cell: (session: Session) =>
              session.expiresAt && <RelativeTime at={session.expiresAt} />,
          },
          manage && {
            key: "Actions",
            label: t`Actions`,
            isUnlabeled: true,
            align: "end",
            cell: (session: Session) => (
              <Button
                size="small"
                aria-label={t`Disconnect ${{ device: nameOf(session) }}`}
                onClick={() => setCut(session)}
              >
                {t`Disconnect`}
              </Button>
            ),
          },
        ]}
      />
      {cut && <DisconnectDialog session={cut} license={license} onClose={() => setCut(null)} />}
    </>
  );
}

const Heartbeat = ({ session: { lastHeartbeatAt: at } }: { session: Session }) =>
  at === null ? t`None yet` : <RelativeTime at={at} />;

const NoSessions = ({ license }: { license: License }) => (
  <EmptyState icon={<UnlinkIcon />} title={t`No live sessions`}>
    {t`A session appears here when the application connects, and stays as long as it sends heartbeats.`}{" "}
    {license.type === "Floating"
      ? t`Each session takes a seat.`
      : t`With this license model, sessions do not take seats.`}
  </EmptyState>
);
