import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import Alert from "@mui/material/Alert";
import AlertTitle from "@mui/material/AlertTitle";
import Button from "@mui/material/Button";
import { HourglassIcon } from "../../../ui/icons";
import { $api } from "../../../api/client";
import type { License } from "../../../api/types";
import { Column, Row } from "../../../ui/layout/layout";
import { Muted } from "../../../ui/Muted";
import { useCan } from "../../../ui/useInstitution";
import { RelativeTime } from "../../../ui/RelativeTime";
import styles from "../detail.module.css";
import { HardwareId } from "../HardwareId";
import { type Device, nameOf, useDeviceActions } from "../../../ui/devices/deviceActions";

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
    <Alert severity="warning" icon={<HourglassIcon />}>
      <AlertTitle>{t`${name} is waiting for approval`}</AlertTitle>
      <Column gap="s">
        <Row gap="m" wraps>
          <HardwareId id={device.hardwareId} label={t`Copy hardware ID of ${{ device: name }}`} />
          <Muted>
            {[device.os, device.appVersion && t`version ${{ version: device.appVersion }}`]
              .filter(Boolean)
              .map((part) => `${String(part)} · `)}
            <Trans>
              requested <RelativeTime at={device.createdAt} />
            </Trans>
          </Muted>
        </Row>
        {manage && (
          <Row gap="s" wraps>
            {actions.of(device).map(({ label, act }, place) => (
              <Button
                key={label}
                size="small"
                variant={place === 0 ? "contained" : "outlined"}
                color={place === 0 ? "primary" : "inherit"}
                onClick={act}
              >
                {label}
              </Button>
            ))}
          </Row>
        )}
      </Column>
      {actions.dialog}
    </Alert>
  );
}
