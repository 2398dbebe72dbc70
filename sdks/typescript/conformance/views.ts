/** What the SDK returns, as JSON of the driver protocol. */

import { fromUtf8 } from "../src/core/bytes.js";
import {
  type Activation,
  type BorrowedSeat,
  type Device,
  type Devices,
  LicenseResult,
  LicetError,
  type OfflineRequest,
  type OpenLicense,
  type ReservedCredits,
  type Session,
  type Update,
} from "../src/node/index.js";

export type Json = Readonly<Record<string, unknown>>;

const ERROR_FIELDS = [
  "httpStatus",
  "errorCode",
  "requestId",
  "retryAfter",
  "idempotencyKey",
  "seatsUsed",
  "seatsTotal",
  "canRelease",
  "cost",
  "balance",
  "replayed",
  "group",
] as const;

export function errorView(error: LicetError): Json {
  const fields = error as unknown as Json;
  const known = ERROR_FIELDS.map((name) => [name, fields[name] ?? null] as const);
  const result = fields["result"];
  return {
    code: error.code,
    message: error.message,
    hint: error.hint,
    ...Object.fromEntries(known.filter(([, value]) => value !== null)),
    ...(result instanceof LicenseResult ? { status: result.status } : {}),
  };
}

/** Whatever an operation has thrown. */
export function failureView(error: unknown): Json {
  if (error instanceof LicetError) return errorView(error);
  const said = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  const code = error instanceof RangeError ? "InvalidArgument" : "Internal";
  return { code, message: said };
}

export function resultView(result: LicenseResult): Json {
  const { license, cause, features, valid } = result;
  return {
    ...Object.fromEntries(Object.entries(result)),
    license: license === null ? null : { ...license, key: license.key },
    features,
    entitlements: valid && license !== null ? license.entitlements : {},
    cause: cause === null ? null : errorView(cause),
  };
}

export function activationView({ id, ...rest }: Activation): Json {
  return { activationId: id, ...rest };
}

export function borrowedView(borrowed: string | null, seat: BorrowedSeat | null): Json {
  const { leaseId = null, seq = null, endsAt = null } = seat ?? {};
  return { borrowed, leaseId, seq, endsAt };
}

export function reservedView(reserved: string | null, credits: ReservedCredits | null): Json {
  const { leaseId = null, seq = null, endsAt = null, unreported = null } = credits ?? {};
  const { amount = null, spent = null, remaining = null } = credits ?? {};
  return { reserved, leaseId, seq, amount, spent, remaining, unreported, endsAt };
}

export function requestView(made: OfflineRequest, deskUrl?: string | null): Json {
  const qrText = deskUrl == null ? null : made.qrText(deskUrl);
  return { kind: made.kind, text: made.text, file: fromUtf8(made.file), qrText };
}

export function deviceView({ name, ...rest }: Device): Json {
  return { deviceName: name, ...rest };
}

export function devicesView({ items, releasesLeft }: Devices): Json {
  return { items: items.map(deviceView), releasesLeft };
}

export function updateView({ available, files, ...rest }: Update): Json {
  return {
    updateAvailable: available,
    ...rest,
    files: files.map(({ size, ...file }) => ({ ...file, sizeBytes: size })),
  };
}

export function licenseView(name: string, license: OpenLicense): Json {
  const { status, type, features, seat, balance, graceEndsAt, warnings } = license;
  const amount = balance?.balance ?? null;
  return { license: name, status, type, features, seat, balance: amount, graceEndsAt, warnings };
}

export function sessionView({ alive, seatsUsed, seatsTotal }: Session, events: Json[]): Json {
  return { alive, seatsUsed, seatsTotal, events };
}
