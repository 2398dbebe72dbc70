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

/** Labels and consequences of an action on a device. */
export function tell(action: DeviceAction, device: Device, license: License): Told {
  const name = nameOf(device);
  switch (action) {
    case "approve":
      return {
        label: "Approve",
        done: `${name} approved.`,
        danger: false,
        consequence: (
          <>
            This binds the license to <b>{name}</b>. It works from its next validation, and all
            other machines are rejected. To move the license later, deactivate the device.
          </>
        ),
      };
    case "block":
      return {
        label: "Block",
        done: `${name} blocked.`,
        danger: true,
        consequence: (
          <>
            <b>{name}</b> is rejected from now on with the status DeviceBlocked, and its sessions
            end immediately. It keeps its seat; deactivate it to free the seat. An offline license
            file keeps working until it must be refreshed. You can unblock the device at any time.
          </>
        ),
      };
    case "unblock":
      return {
        label: "Unblock",
        done: `${name} unblocked.`,
        danger: false,
        consequence: (
          <>
            <b>{name}</b> returns to its previous status and keeps its seat.
          </>
        ),
      };
    case "deactivate":
      return {
        label: device.status === "Pending" ? "Remove" : "Deactivate",
        done: `${name} removed.`,
        danger: true,
        consequence: (
          <>
            This removes <b>{name}</b> from the license and ends its sessions immediately.{" "}
            {seatNote(device, license)} It also removes a block, so the device can return as a new
            one. An offline license file keeps working until it must be refreshed.
          </>
        ),
      };
  }
}

const seatNote = (device: Device, license: License): string => {
  if (device.status === "Pending") return "It no longer waits for approval.";
  if (license.type === "NodeLocked") return "The license can then be bound to another machine.";
  return "Its seat is freed immediately.";
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
