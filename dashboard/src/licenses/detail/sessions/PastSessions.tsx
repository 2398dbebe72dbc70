import { t } from "@lingui/core/macro";
import Card from "@mui/material/Card";
import { HistoryIcon } from "../../../ui/icons";
import { Table } from "../../../ui/table/Table";
import type { License } from "../../../api/types";
import { DataList } from "../../../ui/list/DataList";
import { EmptyState } from "../../../ui/EmptyState";
import { dateTime } from "../../../ui/formats";
import { END_WORDS } from "../../../ui/licenseEvents/sessionEnds";
import type { Session } from "./session";
import { SessionDevice } from "./SessionDevice";

export const PastSessions = ({ license }: { license: License }) => (
  <DataList
    key="past"
    path={`licenses/${license.id}/sessions`}
    inUrl={false}
    fixed={{ status: "Ended" }}
    sort="-endedAt"
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
          sort: "deviceName",
          cell: (session: Session) => <SessionDevice session={session} />,
        },
        { key: "appVersion", label: t`Version`, from: "md" },
        {
          key: "connectedAt",
          label: t`Connected`,
          sort: "connectedAt",
          from: "md",
          cell: (session: Session) => dateTime(session.connectedAt),
        },
        {
          key: "endedAt",
          label: t`Ended`,
          sort: "endedAt",
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
