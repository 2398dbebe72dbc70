import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { api, at } from "../../api/client";
import type { License, Schemas } from "../../api/types";
import { date } from "../formats";
import { type Action, useActions } from "../useActions";
import { takeBackApproval } from "./takeBackApproval";

export type Device = Schemas["ListedActivation"];
export type DeviceStatus = Schemas["ActivationStatus"];

/** When the license file of the device ends; null if it has none, or if that has ended. */
export const fileEndOf = ({ fileEndsAt }: Pick<Device, "fileEndsAt">): string | null =>
  fileEndsAt !== null && Date.parse(fileEndsAt) > Date.now() ? fileEndsAt : null;

export const nameOf = (device: { deviceName: string | null }): string =>
  device.deviceName ?? t`Unnamed device`;

/** Whether the device can be removed; the seat of one that was is free when its file has ended. */
export const isRemovable = (device: Device): boolean => device.seatFreeAt === null;

/** Whether the seat is taken only as long as a license file works without the server. */
export const isHeldByFile = (device: Device): boolean =>
  device.status !== "Pending" && (device.seatFreeAt !== null || fileEndOf(device) !== null);

export const deactivate = ({ id }: Device, force: boolean) =>
  api.POST("/api/activations/{activationId}/deactivate", {
    ...at({ activationId: id }),
    body: { force, toPending: false },
  });

/** What can be done with a device; where licenses differ in model, none is given. */
export const useDeviceActions = (type?: License["type"]) =>
  useActions((device: Device): Action[] => {
    const name = nameOf(device);
    const place = at({ activationId: device.id });
    const isPending = device.status === "Pending";
    const isBlocked = device.status === "Blocked";
    return [
      {
        label: t`Approve`,
        isOffered: isPending,
        confirm: {
          title: t`Approve device`,
          onConfirm: () => api.POST("/api/activations/{activationId}/approve", place),
          done: t`${name} approved.`,
          undo: () => takeBackApproval(device.id),
          consequence: (
            <Trans>
              This binds the license to <b>{name}</b>. It works from its next validation, and all
              other devices are rejected. To move the license later, deactivate the device.
            </Trans>
          ),
        },
      },
      {
        label: t`Block`,
        isOffered: !isBlocked,
        confirm: {
          title: t`Block device`,
          danger: true,
          onConfirm: () => api.POST("/api/activations/{activationId}/block", place),
          done: t`${name} blocked.`,
          consequence: (
            <Trans>
              <b>{name}</b> is rejected from now on with the status DeviceBlocked, and its sessions
              end immediately. It keeps its seat; deactivate it to free the seat. An offline license
              file keeps working until it must be refreshed. You can unblock the device at any time.
            </Trans>
          ),
        },
      },
      {
        label: t`Unblock`,
        isOffered: isBlocked,
        confirm: {
          title: t`Unblock device`,
          onConfirm: () => api.POST("/api/activations/{activationId}/unblock", place),
          done: t`${name} unblocked.`,
          consequence: (
            <Trans>
              <b>{name}</b> returns to its previous status and keeps its seat.
            </Trans>
          ),
        },
      },
      {
        label: t`Accept change`,
        isOffered: device.drifts.length > 0,
        confirm: {
          title: t`Accept change`,
          onConfirm: () => api.POST("/api/activations/{activationId}/accept-change", place),
          done: t`Change of ${name} accepted.`,
          consequence: (
            <Trans>
              From now on, <b>{name}</b> is recognized by the components that it has today, and two
              more of them may change at once. Do this only if you know that it is still the same
              device: after enough changes, this license could move to another device.
            </Trans>
          ),
        },
      },
      {
        label: isPending ? t`Remove` : t`Deactivate`,
        isOffered: isRemovable(device),
        confirm: {
          title: isPending ? t`Remove device` : t`Deactivate device`,
          danger: true,
          onConfirm: () => deactivate(device, false),
          done: t`${name} deactivated.`,
          consequence: (
            <Trans>
              This removes <b>{name}</b> from the license and ends its sessions immediately.{" "}
              {{ seat: seatNote(device, type) }} An offline license file keeps working until it must
              be refreshed. {{ block: blockNote(device) }}
            </Trans>
          ),
        },
      },
      {
        label: t`Free seat now`,
        isOffered: isHeldByFile(device),
        confirm: {
          title: t`Free seat now`,
          danger: true,
          onConfirm: () => deactivate(device, true),
          done: t`The seat of ${name} is free.`,
          consequence: (
            <Trans>
              The license file of <b>{name}</b> works without the server until{" "}
              {{ day: device.fileEndsAt ? date(device.fileEndsAt) : "" }}. This removes the device
              and frees its seat at once, so until then one device more than the license has seats
              can be in use. Do this only if the file is lost or no longer used.
            </Trans>
          ),
        },
      },
    ];
  });

/** Deactivating a blocked device also lifts its block. */
const blockNote = ({ status }: Device): string =>
  status === "Blocked" ? t`Its block is lifted too, so it can return as a new device.` : "";

const seatNote = (device: Device, type: License["type"] | undefined): string => {
  if (device.status === "Pending") return t`It no longer waits for approval.`;
  if (type === "NodeLocked") return t`The license can then be bound to another device.`;
  const end = fileEndOf(device);
  if (end !== null)
    return t`Its seat is freed on ${{ day: date(end) }}, when its license file has ended.`;
  return t`Its seat is freed immediately.`;
};
