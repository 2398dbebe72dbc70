import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Skeleton from "@mui/material/Skeleton";
import Stack from "@mui/material/Stack";
import Typography from "@mui/material/Typography";
import { useQueryClient } from "@tanstack/react-query";
import { useNotify } from "ra-core";
import { useState } from "react";
import { $api, api } from "../api/client";
import type { Schemas } from "../api/types";
import { ConfirmDialog } from "../ui/ConfirmDialog";
import { EmptyState } from "../ui/EmptyState";
import { date, number, relative } from "../ui/formats";
import { ProblemAlert } from "../ui/ProblemAlert";
import { Section } from "../ui/Section";
import { StatusChip } from "../ui/StatusChip";

type OwnLicense = Schemas["PortalLicenseView"];
type Device = Schemas["PortalActivationView"];

/** The machines that have the license; that of a lost one is freed here, so often a year. */
export function OwnDevices({ license }: { license: OwnLicense }) {
  const [freed, setFreed] = useState<Device | null>(null);
  const { data, error, refetch } = $api.useQuery(
    "get",
    "/api/portal/licenses/{licenseId}/activations",
    { params: { path: { licenseId: license.id }, query: { pageSize: 100 } } },
  );
  const devices = data?.items ?? [];
  return (
    <Section title="Devices" subtitle={allowanceOf(license)}>
      {error && <ProblemAlert error={error} retry={() => void refetch()} />}
      {!error && !data && <Skeleton variant="rounded" height={64} />}
      {data && devices.length === 0 && (
        <EmptyState title="No device yet">
          Start the application and give it the license key; the device is listed here from then on.
        </EmptyState>
      )}
      <Stack component="ul" sx={{ m: 0, p: 0, listStyle: "none" }}>
        {devices.map((device) => (
          <DeviceRow
            key={device.id}
            device={device}
            // What is revoked frees nothing, and a blocked device is the vendor's matter.
            onFree={
              license.status === "Revoked" || device.status === "Blocked"
                ? undefined
                : () => {
                    setFreed(device);
                  }
            }
          />
        ))}
      </Stack>
      {freed && (
        <FreeDialog
          license={license}
          device={freed}
          onClose={() => {
            setFreed(null);
          }}
        />
      )}
    </Section>
  );
}

const nameOf = (device: Device) => device.deviceName ?? device.hardwareId;

const allowanceOf = ({ deviceReleasesPerYear, deviceReleasesLeft }: OwnLicense) =>
  deviceReleasesPerYear === 0
    ? "Is a device lost or broken? The vendor frees its seat."
    : `Is a device lost or broken? You can free its seat here: ${number(deviceReleasesLeft)} of ${number(deviceReleasesPerYear)} times a year left.`;

function DeviceRow({ device, onFree }: { device: Device; onFree: (() => void) | undefined }) {
  return (
    <Stack
      component="li"
      direction="row"
      sx={{ gap: 2, py: 1.5, alignItems: "center", flexWrap: "wrap" }}
      divider={undefined}
    >
      <Box sx={{ flex: 1, minWidth: 180, overflowWrap: "anywhere" }}>
        <Stack direction="row" sx={{ gap: 1, alignItems: "center", flexWrap: "wrap" }}>
          <Typography sx={{ fontWeight: 600 }}>{nameOf(device)}</Typography>
          {device.status !== "Active" && <StatusChip status={device.status} />}
        </Stack>
        <Typography variant="body2" color="textSecondary">
          {[device.os, device.appVersion && `version ${device.appVersion}`, device.hardwareId]
            .filter(Boolean)
            .join(" · ")}
        </Typography>
        <Typography variant="body2" color="textSecondary">
          Since {date(device.createdAt)}, last seen {relative(device.lastSeenAt)}
        </Typography>
      </Box>
      {onFree && (
        <Button variant="outlined" onClick={onFree} aria-label={`Free ${nameOf(device)}`}>
          {device.status === "Pending" ? "Withdraw" : "Free"}
        </Button>
      )}
    </Stack>
  );
}

interface FreeDialogProps {
  license: OwnLicense;
  device: Device;
  onClose: () => void;
}

function FreeDialog({ license, device, onClose }: FreeDialogProps) {
  const queryClient = useQueryClient();
  const notify = useNotify();
  const free = async () => {
    await api.DELETE("/api/portal/licenses/{licenseId}/activations/{activationId}", {
      params: { path: { licenseId: license.id, activationId: device.id } },
    });
    notify(`${nameOf(device)} is off the license.`, { type: "info" });
    await queryClient.invalidateQueries({ queryKey: ["get"] });
  };
  return (
    <ConfirmDialog
      title={`Free ${nameOf(device)}?`}
      consequence={
        device.status === "Pending"
          ? "It waits for the vendor’s approval no longer. That does not count against your limit."
          : `The application stops working there, and its seat is free for another device at once. Of ${number(license.deviceReleasesLeft)} times that you can do this within a year, one is used.`
      }
      action="Free device"
      danger
      onConfirm={free}
      onClose={onClose}
    />
  );
}
