import LinkOffIcon from "@mui/icons-material/LinkOff";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Typography from "@mui/material/Typography";
import { visuallyHidden } from "@mui/utils";
import { useState } from "react";
import { DataTable, useListContext } from "react-admin";
import type { License } from "../../../api/types";
import { DataList } from "../../../ui/DataList";
import { EmptyState } from "../../../ui/EmptyState";
import { useCan } from "../../../ui/useInstitution";
import { RelativeTime } from "../../../ui/RelativeTime";
import { SeatsBar } from "../SeatsBar";
import { Announcement } from "./Announcement";
import { DisconnectDialog } from "./DisconnectDialog";
import { nameOf, type Session } from "./session";
import { SessionDevice } from "./SessionDevice";

const REFRESH_MS = 5_000;
const WIDE = { display: { xs: "none", md: "table-cell" } };
const NARROW = { display: { xs: "block", md: "none" } };

export function LiveSessions({ license }: { license: License }) {
  return (
    <DataList<Session>
      key="live"
      resource={`licenses/${license.id}/sessions`}
      storeKey={false}
      sort={{ field: "connectedAt", order: "DESC" }}
      queryOptions={{ refetchInterval: REFRESH_MS }}
      empty={false}
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
    <Box sx={{ p: 2, pb: 1 }}>
      <SeatsBar used={total ?? license.seatsUsed ?? 0} total={license.maxActiveUsersCount} />
    </Box>
  );
}

function LiveTable({ license }: { license: License }) {
  const { manage } = useCan(license.institutionId);
  const [cut, setCut] = useState<Session | null>(null);
  return (
    <>
      <DataTable<Session>
        bulkActionButtons={false}
        rowClick={false}
        empty={<NoSessions license={license} />}
      >
        <DataTable.Col
          source="deviceName"
          label="Device"
          render={(session: Session) => (
            <>
              <SessionDevice session={session} />
              <Typography variant="body2" color="textSecondary" component="div" sx={NARROW}>
                Heartbeat: <Heartbeat session={session} />
              </Typography>
            </>
          )}
        />
        <DataTable.Col source="appVersion" label="Version" disableSort sx={WIDE} />
        <DataTable.Col
          source="connectedAt"
          label="Connected"
          sx={WIDE}
          render={(session: Session) => <RelativeTime at={session.connectedAt} />}
        />
        <DataTable.Col
          source="lastHeartbeatAt"
          label="Last heartbeat"
          sx={WIDE}
          render={(session: Session) => <Heartbeat session={session} />}
        />
        <DataTable.Col
          source="expiresAt"
          label="Times out"
          sx={WIDE}
          render={(session: Session) =>
            session.expiresAt && <RelativeTime at={session.expiresAt} />
          }
        />
        {manage && (
          <DataTable.Col
            label={<Box sx={visuallyHidden}>Actions</Box>}
            align="right"
            disableSort
            render={(session: Session) => (
              <Button
                size="small"
                aria-label={`Disconnect ${nameOf(session)}`}
                onClick={() => {
                  setCut(session);
                }}
              >
                Disconnect
              </Button>
            )}
          />
        )}
      </DataTable>
      {cut && (
        <DisconnectDialog
          session={cut}
          license={license}
          onClose={() => {
            setCut(null);
          }}
        />
      )}
    </>
  );
}

const Heartbeat = ({ session: { lastHeartbeatAt: at } }: { session: Session }) =>
  at === null ? "None yet" : <RelativeTime at={at} />;

const NoSessions = ({ license }: { license: License }) => (
  <EmptyState
    icon={<LinkOffIcon color="disabled" sx={{ fontSize: 48 }} />}
    title="No live sessions"
  >
    A session appears here when the application connects, and stays as long as it sends heartbeats.{" "}
    {license.type === "Floating"
      ? "Each session takes a seat."
      : "With this license model, sessions do not take seats."}
  </EmptyState>
);
