import type { ReactNode } from "react";
import { api } from "../../../api/client";
import type { License } from "../../../api/types";
import { nameOf, type Device } from "./device";

export type DeviceAction = "approve" | "block" | "unblock" | "deactivate";

export const availableActions = ({ status }: Device): DeviceAction[] => {
  if (status === "Pending") return ["approve", "block", "deactivate"];
  return [status === "Blocked" ? "unblock" : "block", "deactivate"];
};

interface Told {
  label: string;
  consequence: ReactNode;
  done: string;
  danger: boolean;
}

/** What each action is called, and what it does to the device and its license. */
export function tell(action: DeviceAction, device: Device, license: License): Told {
  const name = nameOf(device);
  switch (action) {
    case "approve":
      return {
        label: "Approve",
        done: `${name} is approved.`,
        danger: false,
        consequence: (
          <>
            <b>{name}</b> becomes the one machine of this license: it is let in at its next check,
            and every other machine is refused. To move the license later, deactivate the device.
          </>
        ),
      };
    case "block":
      return {
        label: "Block",
        done: `${name} is blocked.`,
        danger: true,
        consequence: (
          <>
            <b>{name}</b> is refused from now on with the status DeviceBlocked, and its sessions end
            at once. It keeps the seat that it holds; deactivate it to free the seat. An offline
            license file works on until its refresh. You can unblock it at any time.
          </>
        ),
      };
    case "unblock":
      return {
        label: "Unblock",
        done: `${name} is unblocked.`,
        danger: false,
        consequence: (
          <>
            <b>{name}</b> is again what it was before the block, with the seat that it held.
          </>
        ),
      };
    case "deactivate":
      return {
        label: device.status === "Pending" ? "Remove" : "Deactivate",
        done: `${name} is removed.`,
        danger: true,
        consequence: (
          <>
            <b>{name}</b> leaves the license and its sessions end at once. {freed(device, license)}{" "}
            A block on it goes, too: it can come back as a new device. An offline license file works
            on until its refresh.
          </>
        ),
      };
  }
}

const freed = (device: Device, license: License): string => {
  if (device.status === "Pending") return "It no longer waits for approval.";
  if (license.type === "NodeLocked") return "The license is free for another machine.";
  return "Its seat is free at once.";
};

export const perform = (action: DeviceAction, device: Device) => {
  const params = { path: { activationId: device.id } };
  switch (action) {
    case "approve":
      return api.POST("/api/activations/{activationId}/approve", { params });
    case "block":
      return api.POST("/api/activations/{activationId}/block", { params });
    case "unblock":
      return api.POST("/api/activations/{activationId}/unblock", { params });
    case "deactivate":
      return api.POST("/api/activations/{activationId}/deactivate", { params });
  }
};
