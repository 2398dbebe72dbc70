/** The verdict on a license file. Pure checks in a fixed order: no disk, no network, no clock. */

import type { LicenseFile } from "./claims.js";
import { assessClock, type ClockFinding, clockWarning, TOLERANCE } from "./clockGuard.js";
import { needsDevice, traitsOf } from "./models.js";
import { coversRelease, type License, LicenseResult } from "./result.js";
import { releaseAllows } from "./versionLine.js";
import type { State } from "./state.js";
import { MESSAGES, sayExpired, sayGracePeriod, sayRefreshRequired } from "./startSentences.js";
import { type LicenseStatus, refusalFinding } from "./status.js";
import { asDate, formatDuration, formatTime, type Reading } from "./time.js";

type Finding = readonly [LicenseStatus, string];

/** When the server signed that the license of a key is valid on this machine. */
export interface Confirmation {
  readonly keyHash: string;
  readonly at: number;
}

/** When the server signed that the license of a key is refused on this machine, and why. */
export interface SignedRefusal {
  readonly keyHash: string;
  readonly status: string;
  readonly at: number;
}

/** Everything besides the file that the verdict depends on. */
export interface FileContext {
  /** The configured license key; `null` accepts the key in the file. */
  readonly normalKey: string | null;
  readonly hardwareId: string;
  /** The thumbprint of this device's key, if it has one and the file is for one. */
  readonly jkt: string | null;
  readonly appVersion: string | null;
  /** When this release of the application was published, if it says so. */
  readonly appReleasedAt: Date | null;
  /** Whether a test license is accepted. */
  readonly testMode: boolean;
  readonly reading: Reading;
  readonly state: State;
  /** How long an Online license stays valid after a signed verdict last confirmed it. */
  readonly grace: number;
  readonly confirmed: Confirmation | null;
  /** The last refusal of the file's license key, if the server signed it for this machine. */
  readonly refused: SignedRefusal | null;
}

/** Evaluates a verified file. */
export function evaluateFile(file: LicenseFile, context: FileContext): LicenseResult {
  const { now } = timeOf(file.license, file.issuedAt, context.reading, context.state);
  const clock = assessFileClock(file, context);
  const license = licenseAt(file.license, context.appReleasedAt, clock.judgedAt);
  const contact = lastContact(file, context.confirmed);
  const refused = applicableRefusal(file, clock, context);
  const [status, message] = checkLicenseKey(file, context) ??
    (license.test && !context.testMode ? (["TestLicense", MESSAGES.TestLicense] as const) : null) ??
    (refused === null ? null : refusalFinding(refused)) ??
    checkStatus(file) ??
    // First: an end that has not come says nothing.
    (needsClock(file, context) ? checkClock(clock) : null) ??
    checkExpiration(license, clock) ??
    checkHardware(file, context) ??
    checkDeviceKey(file, context) ??
    checkRelease(file, license, context) ??
    checkRefresh(file, clock) ??
    checkGrace(file, clock, contact, context) ?? ["Valid", MESSAGES.Valid];
  return new LicenseResult({
    status,
    message,
    source: "file",
    license,
    product: file.product,
    release: file.release,
    checkedAt: asDate(now),
    refreshBy: asDate(file.refreshBy),
    graceEndsAt: asDate(file.online && contact !== null ? contact + context.grace : null),
    serverStatus: status === "Unknown" ? (refused ?? file.license.status) : null,
    warnings: clock.state === "wrongTimeZone" ? [clockWarning(clock.behind)] : [],
  });
}

/** Compares the clock with the file's signed times and this machine's state. */
export function assessFileClock(file: LicenseFile, context: FileContext): ClockFinding {
  const { highWater, utcOffset } = context.state;
  const bound = Math.max(file.issuedAt, file.notBefore, context.confirmed?.at ?? 0);
  const remembered = highWater !== null && highWater > bound;
  return assessClock(
    timeOf(file.license, file.issuedAt, context.reading, context.state),
    remembered ? highWater : bound,
    remembered ? utcOffset : null,
  );
}

/**
 * The time by this machine's clock, or for a test license by its server's.
 *
 * That time is known from the last verdict and goes on with this machine's clock, so that an
 * application follows the clock of a Test product. What was signed at `signedAt` shows that this time
 * has come.
 */
export function timeOf(
  license: License | null,
  signedAt: number,
  reading: Reading,
  { serverAhead }: State,
): Reading {
  if (!license?.test) return reading;
  return { ...reading, now: Math.max(reading.now + serverAhead, signedAt) };
}

function checkLicenseKey(file: LicenseFile, { normalKey }: FileContext): Finding | null {
  if (normalKey === null || file.normalKey === null || file.normalKey === normalKey) return null;
  return [
    "LicenseNotFound",
    "license.bin belongs to another license key. Connect to the license server once, or install " +
      "the license.bin of this key.",
  ];
}

/**
 * The status of the last refusal, unless the file was issued after it. A refusal from a time that has
 * not come does not count: the clock that signed it was ahead.
 */
function applicableRefusal(
  file: LicenseFile,
  { judgedAt }: ClockFinding,
  { refused }: FileContext,
): string | null {
  if (refused === null || refused.keyHash !== file.keyHash) return null;
  const hasCome = refused.at - judgedAt <= TOLERANCE;
  return hasCome && file.issuedAt <= refused.at ? refused.status : null;
}

function checkStatus(file: LicenseFile): Finding | null {
  return file.license.status === "Active" ? null : refusalFinding(file.license.status);
}

/**
 * The license at an instant; past its term it may be in its fallback. Not for an application without a
 * date: what it keeps is told by dates alone.
 */
function licenseAt(license: License, releasedAt: Date | null, at: number): License {
  const { expirationDate, fallbackUntil } = license;
  if (!releasedAt || !fallbackUntil || !expirationDate || at < expirationDate.getTime()) {
    return license;
  }
  // The key is not enumerable, so it is kept by the prototype.
  return Object.assign(Object.create(license) as License, {
    ...license,
    expirationDate: null,
    inFallback: true,
  });
}

/** Whether the verdict depends on the time; on a release that is kept for ever it does not. */
function needsClock({ license, refreshBy, online }: LicenseFile, context: FileContext): boolean {
  const kept = license.fallbackUntil ?? (license.expirationDate ? null : license.updatesUntil);
  const releasedAt = context.appReleasedAt;
  return kept === null || releasedAt === null || releasedAt > kept || refreshBy !== null || online;
}

function checkExpiration(license: License, clock: ClockFinding): Finding | null {
  const end = license.expirationDate?.getTime();
  if (end === undefined || clock.judgedAt < end) return null;
  return ["Expired", sayExpired(formatTime(end))];
}

function checkClock(clock: ClockFinding): Finding | null {
  if (clock.state !== "moved") return null;
  return [
    "ClockTampered",
    `This computer's clock is ${formatDuration(clock.behind)} behind a time that has already ` +
      "passed. Correct the date and time, then connect to the license server once or install a " +
      "new license.bin.",
  ];
}

function checkHardware(file: LicenseFile, context: FileContext): Finding | null {
  if (file.hardwareIds.length > 0) {
    if (file.hardwareIds.includes(context.hardwareId)) return null;
    return ["HardwareMismatch", MESSAGES.HardwareMismatch];
  }
  if (!needsDevice(traitsOf(file.license.type))) return null;
  return ["HardwareIdRequired", MESSAGES.HardwareIdRequired];
}

function checkDeviceKey(file: LicenseFile, { jkt }: FileContext): Finding | null {
  if (file.jkt === jkt || file.jkt === null) return null;
  return [
    "DeviceProofRequired",
    "license.bin was made for an installation with another device key. Connect to the license " +
      "server once, or ask the vendor for a license.bin for this machine.",
  ];
}

function checkRelease(
  file: LicenseFile,
  license: License,
  { appVersion, appReleasedAt }: FileContext,
): Finding | null {
  if (appReleasedAt !== null && !coversRelease(license, appReleasedAt)) {
    return ["ReleaseNotAllowed", MESSAGES.ReleaseNotAllowed];
  }
  const hasDate = appReleasedAt !== null && license.updatesUntil !== null;
  if (hasDate || releaseAllows(file.release.version, appVersion)) return null;
  return [
    "ReleaseNotAllowed",
    `The license covers release ${file.release.version}, not version ${appVersion} of the ` +
      "application. Upgrade the license or install an earlier version.",
  ];
}

function checkRefresh(file: LicenseFile, clock: ClockFinding): Finding | null {
  if (file.refreshBy === null || clock.judgedAt < file.refreshBy) return null;
  return ["RefreshRequired", sayRefreshRequired(formatTime(file.refreshBy))];
}

/** When a signed verdict last confirmed this license on this machine. */
function lastContact(file: LicenseFile, confirmed: Confirmation | null): number | null {
  return confirmed !== null && confirmed.keyHash === file.keyHash ? confirmed.at : null;
}

function checkGrace(
  file: LicenseFile,
  clock: ClockFinding,
  contact: number | null,
  { grace }: FileContext,
): Finding | null {
  if (!file.online) return null;
  if (contact === null) {
    return [
      "OnlineRequired",
      "The license server has not confirmed this license on this machine yet. Connect to the " +
        "license server.",
    ];
  }
  const ends = contact + grace;
  if (clock.judgedAt <= ends) return ["GracePeriod", sayGracePeriod(formatTime(ends))];
  return [
    "OnlineRequired",
    `The license server last confirmed this license on ${formatTime(contact)}, and the grace ` +
      `period ended on ${formatTime(ends)}. Connect to the license server.`,
  ];
}
