import HistoryIcon from "@mui/icons-material/History";
import Card from "@mui/material/Card";
import { DataTable } from "react-admin";
import type { License } from "../../../api/types";
import { DataList } from "../../../ui/DataList";
import { EmptyState } from "../../../ui/EmptyState";
import { dateTime } from "../../../ui/formats";
import { END_WORDS } from "../../../ui/licenseEvents/sessionEnds";
import type { Session } from "./session";
import { SessionDevice } from "./SessionDevice";

const WIDE = { display: { xs: "none", md: "table-cell" } };

export const PastSessions = ({ license }: { license: License }) => (
  <DataList<Session>
    key="past"
    resource={`licenses/${license.id}/sessions`}
    storeKey={false}
    filter={{ status: "Ended" }}
    sort={{ field: "endedAt", order: "DESC" }}
    empty={
      <Card>
        <EmptyState
          icon={<HistoryIcon color="disabled" sx={{ fontSize: 48 }} />}
          title="No past sessions"
        >
          Ended sessions appear here with the reason.
        </EmptyState>
      </Card>
    }
  >
    <DataTable<Session> bulkActionButtons={false} rowClick={false}>
      <DataTable.Col
        source="deviceName"
        label="Device"
        render={(session: Session) => <SessionDevice session={session} />}
      />
      <DataTable.Col source="appVersion" label="Version" disableSort sx={WIDE} />
      <DataTable.Col
        source="connectedAt"
        label="Connected"
        sx={WIDE}
        render={(session: Session) => dateTime(session.connectedAt)}
      />
      <DataTable.Col
        source="endedAt"
        label="Ended"
        render={(session: Session) => session.endedAt && dateTime(session.endedAt)}
      />
      <DataTable.Col
        source="endReason"
        label="Reason"
        disableSort
        render={(session: Session) => session.endReason && END_WORDS[session.endReason]}
      />
    </DataTable>
  </DataList>
);
