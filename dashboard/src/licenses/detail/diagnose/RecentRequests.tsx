import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import type { License, Schemas } from "../../../api/types";
import { useDeviceActions } from "../../../ui/devices/deviceActions";
import { EmptyState } from "../../../ui/EmptyState";
import { number } from "../../../ui/formats";
import { HelpLink } from "../../../ui/help";
import { HistoryIcon } from "../../../ui/icons";
import { Column } from "../../../ui/layout/layout";
import { DataList } from "../../../ui/list/DataList";
import { useListContext } from "../../../ui/list/useList";
import { Muted } from "../../../ui/Muted";
import { RelativeTime } from "../../../ui/RelativeTime";
import { TabHeading } from "../../../ui/Section";
import { StatusChip } from "../../../ui/StatusChip";
import { Table } from "../../../ui/table/Table";
import styles from "../detail.module.css";
import { useDevices } from "../devices/queries";
import diagnose from "./diagnose.module.css";
import { RequestAct } from "./RequestAct";
import { outcomeOf, toneOf } from "./verdicts";

type Request = Schemas["CountedRequest"];

const REFRESH_MS = 15_000;

/** What applications requested, by the path of the API. */
const ROUTES: Partial<Record<string, string>> = {
  "/api/licenses/validate": t({ message: "Validate", context: "verb" }),
  "/api/licenses/validate-many": t`Validate several licenses`,
  "/ofrep/v1/evaluate/flags": t`Evaluate all flags`,
  "/ofrep/v1/evaluate/flags/{key}": t`Evaluate a flag`,
  "/api/licenses/refresh": t`Refresh license file`,
  "/api/activations": t({ message: "Activate", context: "verb" }),
  "/api/activations/current": t({ message: "Deactivate", context: "verb" }),
  "/api/sessions/connect": t({ message: "Connect", context: "verb" }),
  "/api/sessions/heartbeat": t`Heartbeat`,
  "/api/sessions/disconnect": t({ message: "Disconnect", context: "verb" }),
  "/api/meter/consume": t`Charge`,
  "/api/meter/balance": t`Show balance`,
  "/api/updates/latest": t`Check for updates`,
  "/api/telemetry": t`Send telemetry`,
};

const routeLabel = ({ route }: Request) => ROUTES[route] ?? route;

/** What applications requested of the license lately, and with which result. */
export const RecentRequests = ({ license }: { license: License }) => (
  <Column as="section" gap="s" aria-labelledby="recent-requests">
    <TabHeading title={t`Recent requests`} help="why" id="recent-requests">
      {t`What applications requested in the last 30 days. Requests of a device with the same result are one row.`}
    </TabHeading>
    <DataList
      path={`licenses/${license.id}/requests`}
      inUrl={false}
      sort="-lastSeenAt"
      refetchInterval={REFRESH_MS}
      empty={
        <EmptyState icon={<HistoryIcon />} title={t`No requests yet`}>
          {t`When an application validates the license or connects, the result appears here within seconds. A key that was mistyped, or that belongs to another product, leaves no trace.`}
        </EmptyState>
      }
    >
      <RequestTable license={license} />
    </DataList>
  </Column>
);

const isOfStranger = ({ status }: Request): boolean => status === "HardwareMismatch";

function RequestTable({ license }: { license: License }) {
  const devices = useDevices(license) ?? [];
  const actions = useDeviceActions(license.type);
  const { items } = useListContext<Request>();
  const strangers = new Set(items?.filter(isOfStranger).map(({ hardwareId }) => hardwareId));
  // A device that makes room for one of many strangers helps none of them.
  const isHelped = (request: Request) => !isOfStranger(request) || strangers.size === 1;
  return (
    <>
      <Table<Request>
        label={t`Recent requests`}
        columns={[
          {
            key: "status",
            label: t`Result`,
            cell: (request: Request) => (
              <>
                <StatusChip status={request.status} tone={toneOf(request.status)} />
                <Muted component="div">
                  {outcomeOf(request.status) ?? (
                    <HelpLink topic="error-codes" anchor={request.status}>
                      {t`What ${{ status: request.status }} means and what to do`}
                    </HelpLink>
                  )}
                </Muted>
                {isHelped(request) && (
                  <RequestAct
                    license={license}
                    request={request}
                    devices={devices}
                    onAsk={actions.ask}
                  />
                )}
                <Muted component="div" className={styles.untilLg}>
                  <Trans>
                    {{ count: number(request.count) }}×, last{" "}
                    <RelativeTime at={request.lastSeenAt} />
                  </Trans>
                </Muted>
              </>
            ),
          },
          {
            key: "route",
            width: 116,
            label: t`Request`,
            short: "plain",
            cell: (request: Request) => <span title={request.route}>{routeLabel(request)}</span>,
          },
          {
            key: "hardwareId",
            width: 240,
            label: t`Device`,
            cell: (request: Request) => (
              <>
                {request.deviceName && <div className={styles.inCell}>{request.deviceName}</div>}
                {request.hardwareId && (
                  <code className={diagnose.device}>{request.hardwareId}</code>
                )}
                <Muted component="div">{request.ipAddress}</Muted>
              </>
            ),
          },
          { key: "appVersion", label: t`Version`, from: "lg", width: 84 },
          { key: "count", label: t`Requests`, sort: true, align: "end", from: "lg", width: 92 },
          {
            key: "firstSeenAt",
            label: t`First`,
            sort: true,
            from: "lg",
            as: "ago",
            width: 112,
            fits: true,
          },
          {
            key: "lastSeenAt",
            label: t`Last`,
            sort: true,
            from: "lg",
            as: "ago",
            width: 112,
            fits: true,
          },
        ]}
      />
      {actions.dialog}
    </>
  );
}
