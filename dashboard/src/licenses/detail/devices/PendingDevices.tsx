import { t } from "@lingui/core/macro";
import { $api } from "../../../api/client";
import type { License } from "../../../api/types";
import { Column } from "../../../ui/layout/layout";
import { useCan } from "../../../ui/useInstitution";
import styles from "../detail.module.css";
import { type Device, nameOf, useDeviceActions } from "../../../ui/devices/deviceActions";
import { WaitingDevice } from "./WaitingDevice";

const REFRESH_MS = 10_000;

/** Devices waiting for approval, shown first. */
export function PendingDevices({ license }: { license: License }) {
  const { data } = $api.useQuery(
    "get",
    "/api/licenses/{licenseId}/activations",
    { params: { path: { licenseId: license.id }, query: { status: "Pending", pageSize: 100 } } },
    { refetchInterval: REFRESH_MS },
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
