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

/** Facts only, one row per model; the same facts as in the server's table of model traits. */
export const MODEL_TRAITS: Record<LicenseType, ModelTraits> = {
  Perpetual: {
    seats: null,
    meter: null,
    expirationRequired: false,
    issuedToRequired: false,
    offline: true,
    binding: false,
    credentials: true,
  },
  Trial: {
    seats: null,
    meter: null,
    expirationRequired: true,
    issuedToRequired: true,
    offline: true,
    binding: false,
    credentials: false,
  },
  Subscription: {
    seats: null,
    meter: null,
    expirationRequired: true,
    issuedToRequired: true,
    offline: true,
    binding: false,
    credentials: false,
  },
  Floating: {
    seats: "sessions",
    meter: null,
    expirationRequired: false,
    issuedToRequired: true,
    offline: false,
    binding: false,
    credentials: false,
  },
  Concurrent: {
    seats: "devices",
    meter: null,
    expirationRequired: false,
    issuedToRequired: true,
    offline: true,
    binding: false,
    credentials: false,
  },
  NodeLocked: {
    seats: null,
    meter: null,
    expirationRequired: false,
    issuedToRequired: true,
    offline: true,
    binding: true,
    credentials: false,
  },
  MeteredToken: {
    seats: null,
    meter: "credits",
    expirationRequired: false,
    issuedToRequired: true,
    offline: false,
    binding: false,
    credentials: false,
  },
  MeteredCount: {
    seats: null,
    meter: "uses",
    expirationRequired: false,
    issuedToRequired: true,
    offline: false,
    binding: false,
    credentials: false,
  },
};

/** Whether devices hold the seats of the model, or one is bound. */
export const hasDevices = ({ seats, binding }: ModelTraits): boolean =>
  seats === "devices" || binding;
