import type { LicenseType } from "../api/types";

/** What takes the seats of a model. */
export type SeatKind = "sessions" | "devices";

/** Unit of the balance of a metered model. */
export type MeterKind = "credits" | "uses";

/** The terms a license model has. The server validates them. */
export interface ModelTraits {
  /** What takes a seat; null if the model has no seat cap. */
  seats: SeatKind | null;
  /** Unit of the balance; null if the model is not metered. */
  meter: MeterKind | null;
  expirationRequired: boolean;
  issuedToRequired: boolean;
  /** Whether the activation mode Offline is allowed. */
  offline: boolean;
  /** Whether the license is bound to a machine and has a binding mode. */
  binding: boolean;
  /** Whether the license can have a username and a password. */
  credentials: boolean;
}

/** What most models have. */
const USUAL: ModelTraits = {
  seats: null,
  meter: null,
  expirationRequired: false,
  issuedToRequired: true,
  offline: true,
  binding: false,
  credentials: false,
};

/** Facts only, one row per model; the same facts as in the server's table of model traits. */
export const MODEL_TRAITS: Record<LicenseType, ModelTraits> = {
  Perpetual: { ...USUAL, issuedToRequired: false, credentials: true },
  Trial: { ...USUAL, expirationRequired: true },
  Subscription: { ...USUAL, expirationRequired: true },
  Floating: { ...USUAL, seats: "sessions", offline: false },
  Concurrent: { ...USUAL, seats: "devices" },
  NodeLocked: { ...USUAL, binding: true },
  MeteredToken: { ...USUAL, meter: "credits", offline: false },
  MeteredCount: { ...USUAL, meter: "uses", offline: false },
};

/** Whether devices hold the seats of the model, or one is bound. */
export const hasDevices = ({ seats, binding }: ModelTraits): boolean =>
  seats === "devices" || binding;
