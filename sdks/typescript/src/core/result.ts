/** Licenses and validation results. */

import type { LicetError } from "./errors.js";
import { type LicenseStatus, runs } from "./status.js";

/** The license models; a newer server may know others. */
export type LicenseModel =
  | "Perpetual"
  | "Trial"
  | "Subscription"
  | "Floating"
  | "Concurrent"
  | "NodeLocked"
  | "MeteredToken"
  | "MeteredCount";

/** A known value, or one of a newer server. */
export type OrNewer<Known extends string> = Known | (string & Record<never, never>);

export type SeatKind = "None" | "Device" | "Session" | "Machine";
export type EntitlementValue = boolean | number | string;

/** The seat of this device or session, and how many are taken. `null` is "not known". */
export interface LicenseSeat {
  readonly kind: SeatKind;
  readonly held: boolean | null;
  readonly used: number | null;
  readonly total: number | null;
}

/** The terms of a license, from a signed file or a signed verdict. */
export interface License {
  readonly id: string;
  readonly type: OrNewer<LicenseModel>;
  readonly status: OrNewer<"Active" | "Expired" | "Revoked" | "Suspended">;
  readonly name: string | null;
  readonly issuedTo: string | null;
  readonly issuer: string | null;
  /** `null`: the license does not expire. */
  readonly expirationDate: Date | null;
  readonly activationMode: OrNewer<"Online" | "Offline">;
  readonly maxActiveUsersCount: number | null;
  /** The names of the granted features; `null` means not restricted. */
  readonly features: readonly string[] | null;
  readonly metadata: Readonly<Record<string, string>>;
  readonly entitlements: Readonly<Record<string, EntitlementValue>> | null;
  readonly seat: LicenseSeat | null;
  /** The last publication of a release that it covers; `null` if no date limits them. */
  readonly updatesUntil: Date | null;
  /** The last publication of a release that it keeps after its term; `null` if it keeps none. */
  readonly fallbackUntil: Date | null;
  /** Whether its term and grace have ended, and it is valid for what it keeps. */
  readonly inFallback: boolean;
  /** Whether it is a license of a Test product. */
  readonly test: boolean;
  /** Only if read from license.bin; not enumerable, so that no log shows it. */
  readonly key: string | null;
}

/** Whether a license covers a release that was published then. Compares dates, and no clock. */
export function coversRelease(license: License, publishedAt: Date): boolean {
  const ends = [license.updatesUntil, license.inFallback ? license.fallbackUntil : null];
  return ends.every((end) => end === null || publishedAt <= end);
}

/** The value of a feature, `true` without a value; `null` if it is not granted. Ignores case. */
export function entitlementOf(license: License, name: string): EntitlementValue | null {
  const wanted = folded(name);
  for (const [feature, value] of Object.entries(license.entitlements ?? {})) {
    if (folded(feature) === wanted) return value;
  }
  const granted = license.features;
  return granted === null || granted.some((item) => folded(item) === wanted) ? true : null;
}

/** A name without case, and with one form for characters that Unicode writes in several. */
function folded(name: string): string {
  return name.normalize().toLowerCase().normalize();
}

/** What a result consists of; everything but status and message may be left out. */
export interface ResultFields {
  readonly status: LicenseStatus;
  readonly message: string;
  readonly source?: "file" | "server" | "none";
  readonly license?: License | null;
  readonly product?: { readonly id: string; readonly name: string | null } | null;
  readonly release?: { readonly id: string | null; readonly version: string | null } | null;
  readonly checkedAt?: Date | null;
  readonly refreshBy?: Date | null;
  readonly graceEndsAt?: Date | null;
  readonly leaseEndsAt?: Date | null;
  readonly warnings?: readonly string[];
  readonly cause?: LicetError | null;
  readonly serverStatus?: string | null;
  readonly requestId?: string | null;
}

const NOT_KNOWN: Omit<Required<ResultFields>, "status" | "message"> = {
  source: "none",
  license: null,
  product: null,
  release: null,
  checkedAt: null,
  refreshBy: null,
  graceEndsAt: null,
  leaseEndsAt: null,
  warnings: [],
  cause: null,
  serverStatus: null,
  requestId: null,
};

/** The result of a validation. */
export class LicenseResult {
  /** Whether the application may run. */
  declare readonly valid: boolean;
  declare readonly status: LicenseStatus;
  /** A sentence or two for the user. */
  declare readonly message: string;
  /** Whether the license file or the server's verdict decided. */
  declare readonly source: "file" | "server" | "none";
  declare readonly license: License | null;
  declare readonly product: { readonly id: string; readonly name: string | null } | null;
  declare readonly release: { readonly id: string | null; readonly version: string | null } | null;
  /** The time of the validation, by this machine's clock. */
  declare readonly checkedAt: Date | null;
  /** When license.bin has to be refreshed. */
  declare readonly refreshBy: Date | null;
  /** When the grace period of an Online license ends. */
  declare readonly graceEndsAt: Date | null;
  /** Until when this machine has borrowed a seat or reserved credits, if the result is valid. */
  declare readonly leaseEndsAt: Date | null;
  /** Problems that do not stop the application. */
  declare readonly warnings: readonly string[];
  /** The error that prevented the check with the server. */
  declare readonly cause: LicetError | null;
  /** The status sent by the server, if this version does not know it. */
  declare readonly serverStatus: string | null;
  /** To give to the vendor's support. */
  declare readonly requestId: string | null;

  constructor(fields: ResultFields) {
    Object.assign(this, NOT_KNOWN, fields, { valid: runs(fields.status) });
  }

  /** The same result with some fields replaced. */
  with(changes: Partial<ResultFields>): LicenseResult {
    return new LicenseResult(Object.assign({}, this as ResultFields, changes));
  }

  /** The granted features: `null` if not restricted, none if the result is not valid. */
  get features(): readonly string[] | null {
    return this.valid && this.license !== null ? this.license.features : [];
  }

  /** The last publication of a release that the license covers; `null` if no date limits them. */
  get updatesUntil(): Date | null {
    return this.license?.updatesUntil ?? null;
  }

  /** Whether the term has ended, and the license is valid for the releases that it keeps. */
  get inFallback(): boolean {
    return this.license?.inFallback ?? false;
  }

  /** Whether the license covers a release that was published then. Compares dates, and no clock. */
  covers(publishedAt: Date): boolean {
    return this.license !== null && coversRelease(this.license, publishedAt);
  }

  /** Whether a feature may be used now. Ignores case. */
  hasFeature(name: string): boolean {
    return this.entitlement(name) !== null;
  }

  /** The value of a feature, `true` without a value; `null` if it may not be used now. */
  entitlement(name: string): EntitlementValue | null {
    return this.valid && this.license !== null ? entitlementOf(this.license, name) : null;
  }
}
