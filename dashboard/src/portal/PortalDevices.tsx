import { plural, t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import Skeleton from "@mui/material/Skeleton";
import Typography from "@mui/material/Typography";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { request } from "../api/client";
import type { Schemas } from "../api/types";
import { ConfirmDialog } from "../ui/ConfirmDialog";
import { EmptyState } from "../ui/EmptyState";
import { date, number, relative } from "../ui/formats";
import { Column, Row } from "../ui/layout/layout";
import { ProblemAlert } from "../ui/ProblemAlert";
import { Section } from "../ui/Section";
import { StatusChip } from "../ui/StatusChip";
import { notify } from "../ui/toasts/toasts";
import styles from "./portal.module.css";

type PortalLicense = Schemas["PortalLicense"];
type Device = Schemas["PortalActivation"];

interface PortalDevicesProps {
  license: PortalLicense;
  /** Path of the license in the API: in the portal, or among the received ones. */
  path: string;
  /** Whether the user may free seats. */
  manage: boolean;
}

/** The devices of the license. Holders can free a limited number of seats per year. */
export function PortalDevices({ license, path, manage }: PortalDevicesProps) {
  const [freed, setFreed] = useState<Device | null>(null);
  const { data, error, refetch } = useQuery({
    queryKey: ["get", path, "activations"],
    queryFn: () =>
      request<Schemas["PortalActivationList"]>("GET", `${path}/activations?pageSize=100`),
  });
  const devices = data?.items ?? [];
  return (
    <Section title={t`Devices`} {...(manage && { subtitle: allowanceOf(license) })}>
      {error && <ProblemAlert error={error} retry={() => void refetch()} />}
      {!error && !data && <Skeleton variant="rounded" height={64} />}
      {data && devices.length === 0 && (
        <EmptyState title={t`No devices yet`}>
          {t`Start the application and enter the license key. The device then appears here.`}
        </EmptyState>
      )}
      <Column as="ul">
        {devices.map((device) => (
          <DeviceRow
            key={device.id}
            device={device}
            // Devices of a revoked license and blocked devices can only be handled by the vendor.
            onFree={
              !manage ||
              license.status === "Revoked" ||
              device.status === "Blocked" ||
              device.seatFreeAt !== null
                ? undefined
                : () => setFreed(device)
            }
          />
        ))}
      </Column>
      {freed && (
        <FreeDialog license={license} path={path} device={freed} onClose={() => setFreed(null)} />
      )}
    </Section>
  );
}

/** When the seat of the device is free. */
const freeOf = ({ fileEndsAt }: Device): string =>
  fileEndsAt !== null && Date.parse(fileEndsAt) > Date.now()
    ? t`The application stops working on it, and its seat is on ${{ day: date(fileEndsAt) }}, when its license file has ended, free for another device.`
    : t`The application stops working on it, and its seat is immediately free for another device.`;

const costOf = ({ deviceReleasesLeft }: PortalLicense): string => {
  const left = number(deviceReleasesLeft);
  return plural(deviceReleasesLeft, {
    other: `This uses one of the ${left} releases you have left this year.`,
  });
};

const nameOf = (device: Device) => device.deviceName ?? device.hardwareId;

const allowanceOf = ({ deviceReleasesPerYear, deviceReleasesLeft }: PortalLicense): string => {
  if (deviceReleasesPerYear === 0)
    return t`Lost or broken device? Ask the vendor to free its seat.`;
  const left = number(deviceReleasesLeft);
  const all = number(deviceReleasesPerYear);
  return plural(deviceReleasesPerYear, {
    other: `Lost or broken device? Free its seat here. You have ${left} of ${all} releases left this year.`,
  });
};

function DeviceRow({ device, onFree }: { device: Device; onFree: (() => void) | undefined }) {
  return (
    <Row as="li" gap="l" wraps className={styles.device}>
      <div className={styles.deviceFacts}>
        <Row gap="s" wraps>
          <Typography variant="subtitle1" component="p">
            {nameOf(device)}
          </Typography>
          {device.status !== "Active" && <StatusChip status={device.status} />}
        </Row>
        <Typography variant="body2" color="textSecondary">
          {[
            device.os,
            device.appVersion && t`version ${{ version: device.appVersion }}`,
            device.hardwareId,
          ]
            .filter(Boolean)
            .join(" · ")}
        </Typography>
        <Typography variant="body2" color="textSecondary">
          {t`Since ${{ day: date(device.createdAt) }}, last seen ${{ when: relative(device.lastSeenAt) }}`}
        </Typography>
        {device.seatFreeAt !== null && (
          <Typography variant="body2" color="textSecondary">
            {t`Freed; its seat is available on ${{ day: date(device.seatFreeAt) }}, when its license file has ended`}
          </Typography>
        )}
      </div>
      {onFree && (
        <Button
          variant="outlined"
          onClick={onFree}
          aria-label={t`Free ${{ name: nameOf(device) }}`}
        >
          {device.status === "Pending" ? t`Withdraw` : t({ message: "Free", context: "verb" })}
        </Button>
      )}
    </Row>
  );
}

interface FreeDialogProps {
  license: PortalLicense;
  path: string;
  device: Device;
  onClose: () => void;
}

function FreeDialog({ license, path, device, onClose }: FreeDialogProps) {
  const queryClient = useQueryClient();
  const name = nameOf(device);
  const free = async () => {
    await request("DELETE", `${path}/activations/${device.id}`);
    notify(t`${name} removed from the license.`, { type: "info" });
    await queryClient.invalidateQueries({ queryKey: ["get"] });
  };
  return (
    <ConfirmDialog
      title={t`Free ${name}?`}
      consequence={
        device.status === "Pending"
          ? t`This withdraws the request for approval. It does not count against your limit.`
          : `${freeOf(device)} ${costOf(license)}`
      }
      action={t`Free device`}
      danger
      onConfirm={free}
      onClose={onClose}
    />
  );
}
