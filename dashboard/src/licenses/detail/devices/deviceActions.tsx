import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import type { ReactNode } from "react";
import { api } from "../../../api/client";
import type { License, Schemas } from "../../../api/types";
import { ConfirmDialog } from "../../../ui/ConfirmDialog";
import { date } from "../../../ui/formats";

export type Device = Schemas["ListedActivation"];
export type DeviceStatus = Schemas["ActivationStatus"];

/** When the license file of the device ends; null if it has none, or if that has ended. */
export const fileEndOf = ({ fileEndsAt }: Pick<Device, "fileEndsAt">): string | null =>
  fileEndsAt !== null && Date.parse(fileEndsAt) > Date.now() ? fileEndsAt : null;

export const nameOf = (device: { deviceName: string | null }): string =>
  device.deviceName ?? t`Unnamed device`;

export type DeviceAction = "approve" | "block" | "unblock" | "deactivate" | "force";

export const availableActions = (device: Device): DeviceAction[] => {
  if (device.status === "Pending") return ["approve", "block", "deactivate"];
  const block = device.status === "Blocked" ? "unblock" : "block";
  if (device.seatFreeAt !== null) return [block, "force"];
  return [block, "deactivate", ...(fileEndOf(device) === null ? [] : ["force" as const])];
};

interface Told {
  label: string;
  /** Of the dialog and its button: "Approve device". */
  title: string;
  consequence: ReactNode;
  done: string;
  danger: boolean;
}

/** Labels and consequences of an action on a device. */
export function tell(action: DeviceAction, device: Device, license: License): Told {
  const name = nameOf(device);
  switch (action) {
    case "approve":
      return {
        label: t`Approve`,
        title: t`Approve device`,
        done: t`${name} approved.`,
        danger: false,
        consequence: (
          <Trans>
            This binds the license to <b>{name}</b>. It works from its next validation, and all
            other machines are rejected. To move the license later, deactivate the device.
          </Trans>
        ),
      };
    case "block":
      return {
        label: t`Block`,
        title: t`Block device`,
        done: t`${name} blocked.`,
        danger: true,
        consequence: (
          <Trans>
            <b>{name}</b> is rejected from now on with the status DeviceBlocked, and its sessions
            end immediately. It keeps its seat; deactivate it to free the seat. An offline license
            file keeps working until it must be refreshed. You can unblock the device at any time.
          </Trans>
        ),
      };
    case "unblock":
      return {
        label: t`Unblock`,
        title: t`Unblock device`,
        done: t`${name} unblocked.`,
        danger: false,
        consequence: (
          <Trans>
            <b>{name}</b> returns to its previous status and keeps its seat.
          </Trans>
        ),
      };
    case "deactivate":
      return {
        label: device.status === "Pending" ? t`Remove` : t`Deactivate`,
        title: device.status === "Pending" ? t`Remove device` : t`Deactivate device`,
        done: t`${name} deactivated.`,
        danger: true,
        consequence: (
          <Trans>
            This removes <b>{name}</b> from the license and ends its sessions immediately.{" "}
            {{ seat: seatNote(device, license) }} An offline license file keeps working until it
            must be refreshed. {{ block: blockNote(device) }}
          </Trans>
        ),
      };
    case "force":
      return {
        label: t`Free seat now`,
        title: t`Free seat now`,
        done: t`The seat of ${name} is free.`,
        danger: true,
        consequence: (
          <Trans>
            The license file of <b>{name}</b> works without the server until{" "}
            {{ day: date(device.fileEndsAt ?? "") }}. This removes the device and frees its seat at
            once, so until then one device more than the license has seats can be in use. Do this
            only if the file is lost or no longer used.
          </Trans>
        ),
      };
  }
}

/** Deactivating a blocked device also lifts its block. */
const blockNote = ({ status }: Device): string =>
  status === "Blocked" ? t`Its block is lifted too, so it can return as a new device.` : "";

const seatNote = (device: Device, license: License): string => {
  if (device.status === "Pending") return t`It no longer waits for approval.`;
  if (license.type === "NodeLocked") return t`The license can then be bound to another machine.`;
  const end = fileEndOf(device);
  if (end !== null)
    return t`Its seat is freed on ${{ day: date(end) }}, when its license file has ended.`;
  return t`Its seat is freed immediately.`;
};

const perform = (action: DeviceAction, device: Device) => {
  const params = { path: { activationId: device.id } };
  switch (action) {
    case "approve":
      return api.POST("/api/activations/{activationId}/approve", { params });
    case "block":
      return api.POST("/api/activations/{activationId}/block", { params });
    case "unblock":
      return api.POST("/api/activations/{activationId}/unblock", { params });
    case "deactivate":
    case "force":
      return api.POST("/api/activations/{activationId}/deactivate", {
        params,
        body: { force: action === "force" },
      });
  }
};

interface DeviceDialogProps {
  action: DeviceAction;
  device: Device;
  license: License;
  onClose: () => void;
}

export function DeviceDialog({ action, device, license, onClose }: DeviceDialogProps) {
  const { title, consequence, done, danger } = tell(action, device, license);
  return (
    <ConfirmDialog
      title={title}
      action={title}
      consequence={consequence}
      danger={danger}
      onClose={onClose}
      onConfirm={() => perform(action, device)}
      done={done}
    />
  );
}
