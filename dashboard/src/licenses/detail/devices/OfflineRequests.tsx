import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { api, at } from "../../../api/client";
import { textOrNull } from "../../../api/fields";
import type { License } from "../../../api/types";
import { ConfirmFormDialog } from "../../../ui/ConfirmDialog";
import { nameOf } from "../../../ui/devices/deviceActions";
import { EmptyState } from "../../../ui/EmptyState";
import { useApiForm } from "../../../ui/form/useApiForm";
import { date } from "../../../ui/formats";
import { HistoryIcon } from "../../../ui/icons";
import { Column } from "../../../ui/layout/layout";
import { DataList } from "../../../ui/list/DataList";
import { statusKind } from "../../../ui/list/filters/filter";
import { Muted } from "../../../ui/Muted";
import { KIND_WORDS } from "../../../ui/offline/Desk";
import type { ListedRequest } from "../../../ui/offline/wire";
import { StatusChip } from "../../../ui/StatusChip";
import { actionsColumn } from "../../../ui/table/cells";
import { RowMenu } from "../../../ui/table/RowMenu";
import { Table } from "../../../ui/table/Table";
import { type Action, useActions } from "../../../ui/useActions";
import { useCan } from "../../../ui/useInstitution";
import { ReasonField } from "../actions/Consequences";
import styles from "../detail.module.css";
import { NamedDevice } from "../HardwareId";
import { REFRESH_MS, useWaitingRequests } from "./queries";
import { WaitingDevice } from "./WaitingDevice";

const STATES = [
  "Waiting",
  "Answered",
  "Rejected",
  "Released",
] as const satisfies readonly ListedRequest["state"][];

/** The offline requests of a license that wait for approval, shown first. */
export function WaitingRequests({ license }: { license: License }) {
  const waiting = useWaitingRequests(license);
  return (
    <Column gap="m" aria-live="polite" className={styles.above}>
      {waiting.map((asked) => (
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
    kinds={[statusKind(STATES, "state")]}
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
            cell: (asked: ListedRequest) => <NamedDevice device={asked} />,
          },
          {
            key: "kind",
            label: t`Request`,
            short: "plain",
            cell: (asked: ListedRequest) => KIND_WORDS[asked.kind],
          },
          {
            key: "state",
            label: t`State`,
            short: "beside",
            cell: (asked: ListedRequest) => <State asked={asked} />,
          },
          { key: "askedAt", label: t`Requested`, sort: true, as: "ago" },
          {
            key: "endsAt",
            label: t`File ends`,
            cell: (asked: ListedRequest) => asked.endsAt !== null && date(asked.endsAt),
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

/** What can be done with the offline request of a device. */
const useRequestActions = () =>
  useActions((asked: ListedRequest): Action[] => {
    const name = nameOf(asked);
    const isRejected = asked.state === "Rejected";
    return [
      {
        label: isRejected ? t`Undo rejection` : t`Approve`,
        isOffered: isRejected || asked.state === "Waiting",
        confirm: {
          title: t`Approve request`,
          onConfirm: () =>
            api.POST("/api/offline/requests/{requestId}/approve", at({ requestId: asked.id })),
          done: t`Request of ${name} approved.`,
          consequence: (
            <Trans>
              <b>{name}</b> gets its license file, which is then available at the Offline desk. It
              keeps its seat until the file ends or the machine is released.
            </Trans>
          ),
        },
      },
      {
        label: t`Reject`,
        isOffered: asked.state === "Waiting",
        isGrave: true,
        dialog: (onClose) => <RejectDialog asked={asked} onClose={onClose} />,
      },
    ];
  });

interface RejectDialogProps {
  asked: ListedRequest;
  onClose: () => void;
}

function RejectDialog({ asked, onClose }: RejectDialogProps) {
  const name = nameOf(asked);
  const form = useApiForm({
    values: { reason: "" },
    send: ({ reason }) =>
      api.POST("/api/offline/requests/{requestId}/reject", {
        ...at({ requestId: asked.id }),
        body: { reason: textOrNull(reason) },
      }),
    done: t`Request of ${name} rejected.`,
  });
  return (
    <ConfirmFormDialog
      form={form}
      title={t`Reject request`}
      action={t`Reject request`}
      danger
      onClose={onClose}
      consequence={
        <Trans>
          <b>{name}</b> gets no license file. The Offline desk shows the reason to the customer. You
          can undo the rejection.
        </Trans>
      }
    >
      <ReasonField
        {...form.field("reason")}
        helperText={t`Optional. The Offline desk shows it, and it is recorded in the audit log.`}
      />
    </ConfirmFormDialog>
  );
}
