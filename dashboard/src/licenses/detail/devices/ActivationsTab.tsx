import { plural, t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import Card from "@mui/material/Card";
import Skeleton from "@mui/material/Skeleton";
import ToggleButton from "@mui/material/ToggleButton";
import ToggleButtonGroup from "@mui/material/ToggleButtonGroup";
import { Suspense, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import { $api, at } from "../../../api/client";
import type { License, Schemas } from "../../../api/types";
import { DeploymentKeys } from "../../../ui/deploymentKeys/DeploymentKeys";
import { DescriptionList } from "../../../ui/DescriptionList";
import { EmptyState } from "../../../ui/EmptyState";
import { number } from "../../../ui/formats";
import { HelpLink } from "../../../ui/help";
import { DevicesIcon } from "../../../ui/icons";
import { Row, Column } from "../../../ui/layout/layout";
import { lazy } from "../../../ui/lazy";
import { DataList } from "../../../ui/list/DataList";
import { statusKind } from "../../../ui/list/filters/filter";
import { SearchFilter } from "../../../ui/list/SearchFilter";
import { statusViews } from "../../../ui/list/views/view";
import { MODEL_TRAITS } from "../../../ui/models";
import { Muted } from "../../../ui/Muted";
import { ProblemAlert } from "../../../ui/ProblemAlert";
import { Section } from "../../../ui/Section";
import { useCan } from "../../../ui/useInstitution";
import styles from "../detail.module.css";
import {
  type DeviceStatus,
  nameOf,
  type Device,
  useDeviceActions,
} from "../../../ui/devices/deviceActions";
import { DeviceBar } from "../../../ui/devices/DeviceBar";
import { DeviceTable } from "./DeviceTable";
import { OfflineRequests, WaitingRequests } from "./OfflineRequests";
import { REFRESH_MS, useCounts } from "./queries";
import { WaitingDevice } from "./WaitingDevice";

/** The devices of the license, and what machines without a network ask for. */
export function ActivationsTab({ license }: { license: License }) {
  const base = `/licenses/${license.id}/activations`;
  const shown = useLocation().pathname.startsWith(`${base}/offline`) ? "offline" : "devices";
  return (
    <>
      {license.type === "NodeLocked" && <PendingDevices license={license} />}
      {MODEL_TRAITS[license.type].offline && (
        <>
          <WaitingRequests license={license} />
          <OfflineBar license={license} base={base} shown={shown} />
        </>
      )}
      {shown === "devices" ? <Devices license={license} /> : <OfflineRequests license={license} />}
    </>
  );
}

const OfflineDesk = lazy(() => import("./OfflineDesk"));

interface OfflineBarProps {
  license: License;
  /** Address of the tab. */
  base: string;
  shown: "devices" | "offline";
}

/** Leads from devices to offline requests, and to where they are answered. */
function OfflineBar({ license, base, shown }: OfflineBarProps) {
  const { manage } = useCan(license.institutionId);
  const navigate = useNavigate();
  const [isOpen, setOpen] = useState(false);
  return (
    <Row gap="s" wraps place="apart" className={styles.above}>
      <ToggleButtonGroup
        exclusive
        aria-label={t`What is listed`}
        value={shown}
        onChange={(_, chosen: string | null) => {
          if (chosen) void navigate(chosen === "devices" ? base : `${base}/offline`);
        }}
      >
        <ToggleButton value="devices">{t`Devices`}</ToggleButton>
        <ToggleButton value="offline">{t`Offline requests`}</ToggleButton>
      </ToggleButtonGroup>
      {manage && (
        <Button variant="outlined" onClick={() => setOpen(true)}>
          {t`Offline desk`}
        </Button>
      )}
      <Suspense fallback={null}>
        {isOpen && <OfflineDesk license={license} onClose={() => setOpen(false)} />}
      </Suspense>
    </Row>
  );
}

function Devices({ license }: { license: License }) {
  const { manage } = useCan(license.institutionId);
  return (
    <>
      <DataList
        path={`licenses/${license.id}/activations`}
        filterNames={["search", "status"]}
        sort={NEWEST_FIRST}
        views="Devices"
        builtInViews={VIEWS}
        kinds={KINDS}
        refetchInterval={REFRESH_MS}
        empty={<NoDevices license={license} />}
        hasCsv
        nameOf={nameOf}
        {...(manage && { bar: <DeviceBar /> })}
        toolbar={
          <>
            <SearchFilter placeholder={t`Name or hardware ID`} />
            <HelpLink topic="activations-and-sessions" />
            {license.type === "Concurrent" && <Reclaimable license={license} />}
          </>
        }
      >
        <DeviceTable license={license} />
      </DataList>
      {license.type === "Concurrent" && (
        <div className={styles.below}>
          <DeploymentKeys path={`/api/licenses/${license.id}`} />
        </div>
      )}
    </>
  );
}

const STATUSES = [
  "Active",
  "Pending",
  "OverLimit",
  "Blocked",
  "Released",
] as const satisfies readonly DeviceStatus[];

const NEWEST_FIRST = "-createdAt";
const KINDS = [statusKind(STATUSES)];
const VIEWS = statusViews(STATUSES, NEWEST_FIRST);

/** How many seats a new device could take, where there are any. */
function Reclaimable({ license }: { license: License }) {
  const devices = useCounts(license)?.reclaimableDevices ?? 0;
  return devices > 0 && <Muted>{t`Reclaimable: ${{ devices: number(devices) }}`}</Muted>;
}

type Counts = Schemas["LicenseCounts"];

/** The numbers of devices, sessions and access attempts, for those who may not see them. */
export function DeviceCounts({ license }: { license: License }) {
  const { data, error, refetch } = $api.useQuery(
    "get",
    "/api/licenses/{licenseId}/counts",
    at({ licenseId: license.id }),
  );
  return (
    <Section
      title={t`Devices and sessions`}
      help="team-and-roles"
      subtitle={t`Only Owners and Admins see the devices themselves.`}
    >
      {error && <ProblemAlert error={error} retry={() => void refetch()} />}
      {!data && !error && <Skeleton variant="rounded" height={160} />}
      {data && <DescriptionList facts={factsOf(license, data)} />}
    </Section>
  );
}

const factsOf = (license: License, counts: Counts): (readonly [name: string, value: string])[] => [
  [t`Active devices`, number(counts.activeDevices)],
  [t`Pending approval`, number(counts.pendingDevices)],
  [t`Blocked devices`, number(counts.blockedDevices)],
  [t`Devices over the limit`, number(counts.overLimitDevices)],
  [t`Live sessions`, number(counts.liveSessions)],
  ...(license.type === "NodeLocked" ? [[t`Access attempts`, attemptsOf(counts)] as const] : []),
];

function attemptsOf({ accessAttempts, unreviewedAccessAttempts: open }: Counts): string {
  const all = number(accessAttempts);
  return plural(open, { other: `${all}, # not reviewed` });
}

/** Explains how devices get into the list, by license model. */
const NoDevices = ({ license }: { license: License }) => (
  <Card>
    <EmptyState
      icon={<DevicesIcon />}
      title={t`No devices yet`}
      action={
        <HelpLink topic="activations-and-sessions">{t`How devices and sessions work`}</HelpLink>
      }
    >
      {howOf(license)}
    </EmptyState>
  </Card>
);

function howOf({ type, deviceBindingMode }: License): string {
  if (type === "NodeLocked")
    return deviceBindingMode === "OwnerApproval"
      ? t`A device appears here when the application first validates the license on it. It then waits for your approval.`
      : t`The license is bound to the first device on which the application validates it. That device then appears here.`;
  if (type === "Concurrent")
    return t`A device appears here when the application activates the license on it. Each device holds a seat until it is deactivated.`;
  if (type === "Floating")
    return t`Seats of this license are taken by live sessions, not by devices. A device appears here only if the application activates the license on it. Block it to lock it out.`;
  return t`A device appears here when the application activates the license on it. This license model allows any number of devices.`;
}

const PENDING_REFRESH_MS = 10_000;

/** Devices waiting for approval, shown first. */
function PendingDevices({ license }: { license: License }) {
  const { data } = $api.useQuery(
    "get",
    "/api/licenses/{licenseId}/activations",
    { params: { path: { licenseId: license.id }, query: { status: "Pending", pageSize: 100 } } },
    { refetchInterval: PENDING_REFRESH_MS },
  );
  return (
    <Column gap="m" aria-live="polite" className={styles.above}>
      {data?.items.map((device) => (
        <PendingDevice key={device.id} device={device} license={license} />
      ))}
    </Column>
  );
}

function PendingDevice({ device, license }: { device: Device; license: License }) {
  const actions = useDeviceActions(license.type);
  const { manage } = useCan(license.institutionId);
  const name = nameOf(device);
  return (
    <WaitingDevice
      title={t`${name} is waiting for approval`}
      name={name}
      hardwareId={device.hardwareId}
      os={device.os}
      appVersion={device.appVersion}
      requestedAt={device.createdAt}
      actions={manage ? actions.of(device) : []}
      dialog={actions.dialog}
    />
  );
}
