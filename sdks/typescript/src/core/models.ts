/** What is particular to each license model. A server may know models that are not listed. */

import type { SeatKind } from "./result.js";

export interface Traits {
  readonly seatKind: SeatKind;
  readonly metered: boolean;
}

const SEATS: Readonly<Record<string, SeatKind>> = {
  Perpetual: "None",
  Trial: "None",
  Subscription: "None",
  Floating: "Session",
  Concurrent: "Device",
  NodeLocked: "Machine",
  MeteredToken: "None",
  MeteredCount: "None",
};

/** The traits of a model. Of an unknown one, only the seat kind told by the server is known. */
export function traitsOf(model: string, told: SeatKind = "None"): Traits {
  const seatKind = Object.hasOwn(SEATS, model) ? (SEATS[model] ?? told) : told;
  return { seatKind, metered: model === "MeteredToken" || model === "MeteredCount" };
}

/** Whether an activated device takes the seat; then license.bin is valid only where it says. */
export function needsDevice(traits: Traits): boolean {
  return traits.seatKind === "Device" || traits.seatKind === "Machine";
}
