/** Client configuration, validated once and then immutable. */

import { isPrintable } from "../sentences/words.js";
import { isProtectedAddress } from "./addresses.js";
import { ConfigurationError } from "./errors.js";
import type { Given } from "./given.js";
import { readKey } from "./keys.js";
import type { ClientOptions, SeatMode } from "./options.js";
import { readTrustedKeys, type RsaNumbers } from "./publicKey.js";
import type { Clock } from "./time.js";
import type { Transport } from "./transport.js";

const DEFAULT_TIMEOUT_SECONDS = 10;
const SEAT_MODES: readonly SeatMode[] = ["Auto", "Activation", "Session"];

/** The paths of one application. */
export interface Places {
  /** Where license.bin is delivered by hand. */
  readonly licenseFile: string;
  /** Whether the application names that file, which is then the one of every license key. */
  readonly isNamed: boolean;
  /** A license.bin next to the application, read instead if it is newer. */
  readonly installedFile: string | null;
  /** Where this machine's state is stored. */
  readonly stateFolder: string;
}

/** Finds the paths of an application on this machine. */
interface PlaceFinder {
  places(options: ClientOptions, productId: string, folder?: string): Places;
}

/** A complete, consistent configuration. */
export interface Config extends Places {
  readonly productId: string;
  readonly publicKeys: readonly RsaNumbers[];
  readonly normalKey: string | null;
  /** Whether the license key that is given cannot be one. */
  readonly isNoKey: boolean;
  readonly apiKey: string | null;
  readonly endpoint: string | null;
  readonly appVersion: string | null;
  readonly appReleasedAt: Date | null;
  readonly grace: number;
  readonly deviceName: string | null;
  readonly hardwareId: string | null;
  readonly ciHardwareId: boolean;
  readonly username: string | null;
  readonly password: string | null;
  readonly timeoutSeconds: number;
  readonly protectFile: boolean | null;
  readonly caBundle: string | null;
  /** Whether the code names the authorities, to which the environment then adds none. */
  readonly authoritiesNamedInCode: boolean;
  readonly trustEnvironment: boolean;
  readonly clock: Clock;
  readonly seatMode: SeatMode;
  readonly handleSignals: boolean;
  readonly testMode: boolean;
  readonly telemetry: boolean;
  readonly transport: Transport | null;
  /** What the settings file says that only the code should. */
  readonly warnings: readonly string[];
}

/**
 * Validates the options and applies the defaults.
 *
 * @throws ConfigurationError An option is missing or invalid.
 */
export function makeConfig(
  { options: given, grace, warnings, authoritiesNamedInCode }: Given,
  platform: PlaceFinder,
  folder?: string,
): Config {
  const productId = checkProductId(given.productId);
  const normalKey = given.licenseKey == null ? null : readKey(given.licenseKey);
  return {
    productId,
    publicKeys: readTrustedKeys(given.publicKey ?? null, given.publicKeys ?? null),
    normalKey,
    isNoKey: given.licenseKey != null && normalKey === null,
    apiKey: checkApiKey(given.apiKey),
    endpoint: checkEndpoint(given.serverBaseEndpoint),
    ...platform.places(given, productId, folder),
    appVersion: asLabel(given.appVersion, 100),
    appReleasedAt: checkReleasedAt(given.appReleasedAt),
    grace,
    deviceName: asLabel(given.deviceName),
    hardwareId: checkHardwareId(given.hardwareId),
    ciHardwareId: given.ciHardwareId !== false,
    username: asLabel(given.username),
    password: checkPassword(given.password),
    timeoutSeconds: checkTimeout(given.timeoutSeconds),
    protectFile: given.protectFile ?? null,
    caBundle: given.caBundle ?? null,
    authoritiesNamedInCode,
    trustEnvironment: given.trustEnvironment !== false,
    clock: given.clock ?? (() => new Date()),
    seatMode: checkSeatMode(given.seatMode),
    handleSignals: given.handleSignals !== false,
    testMode: given.testMode === true,
    telemetry: given.telemetry === true,
    transport: given.transport ?? null,
    warnings,
  };
}

/** A text that only has to be shown: without what cannot be sent, and cut. */
export function asLabel(text: string | null | undefined, length = 256): string | null {
  const sent = (text ?? "").replace(/[\p{Cc}\p{Cs}]/gu, " ").trim();
  return Array.from(sent).slice(0, length).join("") || null;
}

function checkPassword(value: string | null | undefined): string | null {
  if (value == null || value === (asLabel(value) ?? "")) return value ?? null;
  throw new ConfigurationError(
    "password must have 1 to 256 printable characters, no blanks around.",
  );
}

function checkProductId(value: string | undefined): string {
  if (value?.trim()) return value;
  throw new ConfigurationError(
    "ProductId is missing. The product's page in the dashboard shows it.",
  );
}

/** The server's address without a trailing slash. */
function checkEndpoint(value: string | null | undefined): string | null {
  if (value == null) return null;
  const text = value.trim().replace(/\/$/, "");
  const shown = JSON.stringify(text.slice(0, 200));
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:\/\/[^/]/i.test(text) || /[?#\s]/.test(text)) {
    throw new ConfigurationError(
      `ServerBaseEndpoint must be an absolute URL that ends in /api. It is ${shown}.`,
    );
  }
  if (url.username !== "" || url.password !== "") {
    throw new ConfigurationError("ServerBaseEndpoint must not contain a user name or password.");
  }
  if (!url.pathname.toLowerCase().endsWith("/api")) {
    const advice = url.pathname.toLowerCase().includes("/api/")
      ? "Remove what follows /api."
      : `Try ${JSON.stringify(`${text.slice(0, 200)}/api`)}.`;
    throw new ConfigurationError(`ServerBaseEndpoint must end in /api. It is ${shown}. ${advice}`);
  }
  if (!isProtectedAddress(text)) {
    throw new ConfigurationError(
      `ServerBaseEndpoint must use https: ${url.hostname} is not this computer.`,
    );
  }
  return text;
}

function checkReleasedAt(value: Date | null | undefined): Date | null {
  if (value == null) return null;
  if (value instanceof Date && !Number.isNaN(value.getTime())) return value;
  throw new ConfigurationError("appReleasedAt must be a valid Date.");
}

function checkApiKey(value: string | null | undefined): string | null {
  if (value == null) return null;
  const text = value.trim();
  if (/^[!-~]+$/.test(text)) return text;
  throw new ConfigurationError(
    "ProductApiKey is not a product key. The product's page in the dashboard shows it.",
  );
}

function checkTimeout(value: number | null | undefined): number {
  const seconds = value ?? DEFAULT_TIMEOUT_SECONDS;
  if (seconds > 0 && seconds <= 600) return seconds;
  throw new ConfigurationError("TimeoutSeconds must be above 0 and at most 600.");
}

function checkHardwareId(value: string | null | undefined): string | null {
  if (value == null) return null;
  if (value.length >= 1 && value.length <= 256 && isPrintable(value)) return value;
  throw new ConfigurationError("hardwareId must have 1 to 256 printable characters.");
}

function checkSeatMode(value: string | null | undefined): SeatMode {
  const requested = (value ?? "Auto").toLowerCase();
  const found = SEAT_MODES.find((mode) => mode.toLowerCase() === requested);
  if (found !== undefined) return found;
  throw new ConfigurationError(`SeatMode must be one of ${SEAT_MODES.join(", ")}.`);
}
