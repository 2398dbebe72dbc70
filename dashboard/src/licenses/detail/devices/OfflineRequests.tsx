import { t } from "@lingui/core/macro";
import { $api } from "../../../api/client";
import type { License } from "../../../api/types";
import { nameOf } from "../../../ui/devices/deviceActions";
import { EmptyState } from "../../../ui/EmptyState";
import { date } from "../../../ui/formats";
import { HistoryIcon } from "../../../ui/icons";
import { Column } from "../../../ui/layout/layout";
import { ChoiceFilter } from "../../../ui/list/ChoiceFilter";
import { DataList } from "../../../ui/list/DataList";
import { Muted } from "../../../ui/Muted";
import { KIND_WORDS } from "../../../ui/offline/Desk";
import type { ListedRequest } from "../../../ui/offline/wire";
import { StatusChip } from "../../../ui/StatusChip";
import { actionsColumn, Folded } from "../../../ui/table/cells";
import { RowMenu } from "../../../ui/table/RowMenu";
import { Table } from "../../../ui/table/Table";
import { useCan } from "../../../ui/useInstitution";
import styles from "../detail.module.css";
import { NamedDevice } from "../HardwareId";
import { useRequestActions } from "./requestActions";
import { WaitingDevice } from "./WaitingDevice";

const REFRESH_MS = 15_000;

const STATES = [
  "Waiting",
  "Answered",
  "Rejected",
  "Released",
] as const satisfies readonly ListedRequest["state"][];

/** The offline requests of a license that wait for approval, shown first. */
export function WaitingRequests({ license }: { license: License }) {
  const { data } = $api.useQuery(
    "get",
    "/api/licenses/{licenseId}/offline",
    { params: { path: { licenseId: license.id }, query: { state: "Waiting", pageSize: 100 } } },
    { refetchInterval: REFRESH_MS },
  );
  return (
    <Column gap="m" aria-live="polite" className={styles.above}>
      {data?.items.map((asked) => (
        <WaitingRequest key={asked.id} asked={asked} license={license} />
      ))}
    </Column>
  );
}

function WaitingRequest({ asked, license }: { asked: ListedRequest; license: License }) {
  const actions = useRequestActions();
  const { manage } = useCan(license.institutionId);
  const name = nameOf(asked);
  return (
    <WaitingDevice
      title={t`${name} requests offline activation`}
      name={name}
      hardwareId={asked.hardwareId}
      appVersion={asked.appVersion}
      requestedAt={asked.askedAt}
      actions={manage ? actions.of(asked) : []}
      dialog={actions.dialog}
    />
  );
}

/** All offline requests of a license: one for each device, the newest. */
export const OfflineRequests = ({ license }: { license: License }) => (
  <DataList
    path={`licenses/${license.id}/offline`}
    filterNames={["state"]}
    sort="-askedAt"
    refetchInterval={REFRESH_MS}
    toolbar={<ChoiceFilter name="state" label={t`State`} all={t`All states`} choices={STATES} />}
    empty={
      <EmptyState icon={<HistoryIcon />} title={t`No offline requests yet`}>
        {t`A machine without a network makes a request, which is answered at the Offline desk. It then appears here.`}
      </EmptyState>
    }
  >
    <RequestTable license={license} />
  </DataList>
);

const State = ({ asked }: { asked: ListedRequest }) => (
  <>
    <StatusChip status={asked.state} {...(asked.state === "Released" && { tone: "over" })} />
    {asked.reason && <Muted component="div">{asked.reason}</Muted>}
  </>
);

function RequestTable({ license }: { license: License }) {
  const { manage } = useCan(license.institutionId);
  const actions = useRequestActions();
  return (
    <>
      <Table<ListedRequest>
        label={t`Offline requests`}
        columns={[
          {
            key: "deviceName",
            label: t`Device`,
            cell: (asked: ListedRequest) => (
              <>
                <NamedDevice device={asked} />
                <Folded until="md">
                  <State asked={asked} />
                  <Muted component="div">{KIND_WORDS[asked.kind]}</Muted>
                </Folded>
              </>
            ),
          },
          {
            key: "kind",
            label: t`Request`,
            from: "md",
            cell: (asked: ListedRequest) => KIND_WORDS[asked.kind],
          },
          {
            key: "state",
            label: t`State`,
            from: "md",
            cell: (asked: ListedRequest) => <State asked={asked} />,
          },
          { key: "askedAt", label: t`Requested`, sort: true, from: "md", as: "ago" },
          {
            key: "endsAt",
            label: t`File ends`,
            from: "md",
            cell: (asked: ListedRequest) => (asked.endsAt === null ? "—" : date(asked.endsAt)),
          },
          manage &&
            actionsColumn((asked: ListedRequest) => (
              <RowMenu name={nameOf(asked)} acts={actions.of(asked)} />
            )),
        ]}
      />
      {actions.dialog}
    </>
  );
}
