/** The options of a client. */

import type { Clock } from "./time.js";
import type { Transport } from "./transport.js";

/**
 * How `open()` takes the seat of a device: `Activation` keeps it until `release()`, `Session` gives
 * it back at the end, and `Auto` is `Session` in CI jobs and containers, otherwise `Activation`.
 */
export type SeatMode = "Auto" | "Activation" | "Session";

/** Options that every client takes. The product ID and a public key are required. */
export interface ClientOptions {
  /** The product's ID; required. */
  readonly productId?: string | undefined;
  /**
   * The product's RSA public key, PEM or Base64, of 2048 bits or more; required, unless
   * `publicKeys` names several.
   */
  readonly publicKey?: string | undefined;
  /**
   * Several public keys instead, for example one whose private key is kept offline; none by default.
   */
  readonly publicKeys?: readonly string[] | undefined;
  /** The customer's license key, in any spelling; none by default. */
  readonly licenseKey?: string | null | undefined;
  /**
   * An enrollment key (`licet_ek_...`), by which a machine gets a seat without a license key; by
   * default what the environment variable LICET_ENROLLMENT_KEY says. A license key wins. Node only.
   */
  readonly enrollmentKey?: string | null | undefined;
  /** The product key (`pk_...`); required to contact the server. */
  readonly apiKey?: string | null | undefined;
  /**
   * The server's address: absolute, ends in `/api`, https unless it is this computer; required to
   * contact the server.
   */
  readonly serverBaseEndpoint?: string | null | undefined;
  /**
   * The path of license.bin, of one license key; by default the newest one of the key in the data
   * folder of the user, or next to the application. In browsers a name within the page's own store.
   */
  readonly licenseFile?: string | null | undefined;
  /**
   * The folder for this machine's state, which clients with other license keys may share; by default that of `licenseFile` if it is given, can be
   * written to and is not open to all users, otherwise the data folder of the user.
   */
  readonly stateFolder?: string | null | undefined;
  /** Whether license.bin is in the data folder of all users; off by default. Node only. */
  readonly allUsers?: boolean | null | undefined;
  /** The application's version, compared with the license's release; by default none is. */
  readonly appVersion?: string | null | undefined;
  /**
   * When this release of the application was published: a constant of its build, which is compared
   * with the license's `updatesUntil`, and after its term with `fallbackUntil`. An update whose
   * version cannot be compared with `appVersion` must have been published later. Unknown by default.
   */
  readonly appReleasedAt?: Date | null | undefined;
  /** How many days an Online license stays valid without the server; 7 by default. */
  readonly gracePeriodDays?: number | null | undefined;
  /**
   * The longest grace period that a settings file may ask for; by default any, with a warning above
   * 7 days.
   */
  readonly maxGracePeriodDays?: number | null | undefined;
  /**
   * Whether a settings file alone may name the public key or extend the grace period, with a warning;
   * on by default.
   */
  readonly trustSettings?: boolean | null | undefined;
  /** A name of this machine, shown to the vendor; none by default. */
  readonly deviceName?: string | null | undefined;
  /** 1 to 256 characters in place of the hardware ID that is detected by default. */
  readonly hardwareId?: string | null | undefined;
  /** Whether the jobs of a CI project share a hardware ID; on by default. */
  readonly ciHardwareId?: boolean | null | undefined;
  /** The user name, for licenses with credentials; none by default. */
  readonly username?: string | null | undefined;
  /** The password, for licenses with credentials; none by default. */
  readonly password?: string | null | undefined;
  /** Seconds that a whole call may take, with all its attempts and pauses; 10 by default. */
  readonly timeoutSeconds?: number | null | undefined;
  /** Request the protected form of license.bin; by default the form of the current file. */
  readonly protectFile?: boolean | null | undefined;
  /** The path of a PEM bundle of additional certificate authorities; none by default. Node only. */
  readonly caBundle?: string | null | undefined;
  /** Whether to use HTTPS_PROXY and similar variables; on by default. Node only. */
  readonly trustEnvironment?: boolean | null | undefined;
  /** Returns the time in place of the system clock, which is the default. */
  readonly clock?: Clock | null | undefined;
  /** How `open()` takes the seat of a device; Auto by default. */
  readonly seatMode?: SeatMode | null | undefined;
  /** Whether SIGINT, SIGTERM and SIGHUP release the seats of open sessions; on by default. */
  readonly handleSignals?: boolean | null | undefined;
  /**
   * Whether licenses of Test products are accepted, which are `TestLicense` otherwise; off by default.
   * For the application's own tests, never in what is shipped.
   */
  readonly testMode?: boolean | null | undefined;
  /** Whether `track()` sends events to the vendor; off by default. */
  readonly telemetry?: boolean | null | undefined;
  /**
   * Sends the requests, for example `fetchTransport(net.fetch)` in Electron; by default Node's own
   * client, or the browser's.
   */
  readonly transport?: Transport | null | undefined;
}

const NAMES: Readonly<Record<keyof ClientOptions, "string" | "number" | "boolean" | null>> = {
  productId: "string",
  publicKey: "string",
  publicKeys: null,
  licenseKey: "string",
  enrollmentKey: "string",
  apiKey: "string",
  serverBaseEndpoint: "string",
  licenseFile: "string",
  stateFolder: "string",
  allUsers: "boolean",
  appVersion: "string",
  appReleasedAt: null,
  gracePeriodDays: "number",
  maxGracePeriodDays: "number",
  trustSettings: "boolean",
  deviceName: "string",
  hardwareId: "string",
  ciHardwareId: "boolean",
  username: "string",
  password: "string",
  timeoutSeconds: "number",
  protectFile: "boolean",
  caBundle: "string",
  trustEnvironment: "boolean",
  clock: null,
  seatMode: "string",
  handleSignals: "boolean",
  testMode: "boolean",
  telemetry: "boolean",
  transport: null,
};

/** What is wrong with the names and types of options; `null` if nothing is. */
export function optionFault(options: Readonly<Record<string, unknown>>): string | null {
  for (const [name, value] of Object.entries(options)) {
    if (!Object.hasOwn(NAMES, name)) return `${name} is not an option.`;
    const type = NAMES[name as keyof ClientOptions];
    if (value != null && type !== null && typeof value !== type)
      return `${name} must be a ${type}.`;
  }
  return null;
}
