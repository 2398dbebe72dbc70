import { t } from "@lingui/core/macro";
import { date } from "../formats";
import { deviceOf, textOf, type Data } from "./data";

type Sentence = (device: string, freeOn: string) => string;

/** Who deactivated a device whose seat is free at once, by the reason. */
const REMOVED: Partial<Record<string, Sentence>> = {
  Device: (device) => t`${device} deactivated itself`,
  Customer: (device) => t`${device} was deactivated by the customer’s institution`,
  EndUser: (device) => t`${device} was deactivated by the customer`,
};

/** The same where the seat is free later. */
const REMOVED_WITH_SEAT: typeof REMOVED = {
  Device: (device, freeOn) => t`${device} deactivated itself; its seat is free on ${freeOn}`,
  Customer: (device, freeOn) =>
    t`${device} was deactivated by the customer’s institution; its seat is free on ${freeOn}`,
  EndUser: (device, freeOn) =>
    t`${device} was deactivated by the customer; its seat is free on ${freeOn}`,
};

/** Tells who deactivated a device, and when its seat is free. */
export function removedText(data: Data): string {
  const device = deviceOf(data);
  const freeAt = textOf(data["seatFreeAt"]);
  const reason = textOf(data["reason"]) ?? "";
  if (reason === "Forced") return t`The seat of ${device} was freed at once`;
  if (freeAt === null) return REMOVED[reason]?.(device, "") ?? t`${device} was deactivated`;
  const freeOn = date(freeAt);
  return (
    REMOVED_WITH_SEAT[reason]?.(device, freeOn) ??
    t`${device} was deactivated; its seat is free on ${freeOn}`
  );
}
