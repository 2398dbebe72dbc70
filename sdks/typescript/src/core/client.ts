/** The client: what an application calls. */

import type { ActivateOptions, Activation } from "./activation.js";
import type { LicenseCore } from "./core.js";
import { DailyCheck } from "./dailyCheck.js";
import type { DeviceIdentity } from "./deviceKey.js";
import { checkFile } from "./fileCheck.js";
import type { Balance, Consumption, ConsumeOptions } from "./metering.js";
import type { OpenLicense, OpenOptions, Opens } from "./openLicense.js";
import { files, metering, opening, seats, updates } from "./parts.js";
import type { LicenseResult } from "./result.js";
import type { Seat } from "./seat.js";
import type { Session } from "./session.js";
import { type SessionOptions } from "./session.js";
import { Tracker } from "./tracker.js";
import type { Update, UpdateOptions } from "./updates.js";
import { validate, validateOnline } from "./validation.js";
import { Watch, type WatchOptions } from "./watch.js";

/** The classes of what a client makes. */
export interface Kinds<Live extends Session, Open extends OpenLicense> {
  readonly Session: new (...given: ConstructorParameters<typeof Session>) => Live;
  readonly OpenLicense?: Opens<Open> | undefined;
}

/** Checks the license of this application. */
export class Client<Live extends Session = Session, Open extends OpenLicense = OpenLicense> {
  readonly #sessions = new Set<Session>();
  readonly #watches = new Set<Watch>();
  readonly #dailyCheck: DailyCheck;
  readonly #tracker: Tracker;

  protected constructor(
    protected readonly core: LicenseCore,
    private readonly kinds: Kinds<Live, Open>,
  ) {
    this.core.liveSession = () => [...this.#sessions].find((item) => item.alive)?.id ?? null;
    this.#dailyCheck = new DailyCheck(this.core);
    this.#tracker = new Tracker(this.core);
  }

  /** This machine's hardware ID for this product; never empty. */
  hardwareId(): Promise<string> {
    return this.core.hardwareId();
  }

  /** Who this device is for the server. Makes its key, which proves each request, if it has none. */
  async identity(): Promise<DeviceIdentity> {
    const { proofs } = this.core;
    const level = await proofs.level();
    return { hardwareId: await this.hardwareId(), jkt: await proofs.jkt(), level };
  }

  /**
   * Validates the license; takes no seat, opens no session, charges no meter: see `open()`.
   *
   * An Offline license is validated by license.bin alone; if a server is set, it is also checked
   * there in the background, at most once a day. Any other license is checked with the server; if
   * the server cannot be reached, license.bin is accepted during the grace period, which begins
   * with a signed verdict. After one, license.bin is refreshed once a day.
   *
   * @throws ConfigurationError The file is protected and no license key is set.
   * @throws LicenseFileError license.bin exists but cannot be read.
   */
  async validate(): Promise<LicenseResult> {
    const result = await validate(this.core);
    this.#dailyCheck.startIfDue(result);
    return result;
  }

  /** Validates by license.bin and the state stored on this machine, without the network. */
  async validateOffline(): Promise<LicenseResult> {
    return (await this.core.withKey("look", () => checkFile(this.core))).result;
  }

  /**
   * Asks the server for a signed verdict and verifies it.
   *
   * @throws ConfigurationError No server or no license key is set.
   * @throws NetworkError The server did not respond.
   * @throws ServerFaultError The server responded with an error.
   */
  validateOnline(): Promise<LicenseResult> {
    return validateOnline(this.core);
  }

  /** Fetches a new license.bin, verifies it, and replaces the stored one atomically. */
  async refresh(): Promise<LicenseResult> {
    return (await files()).refresh(this.core);
  }

  /** Puts the text of a license.bin in its place, if it is one for this application. */
  async installFile(text: string): Promise<LicenseResult> {
    return (await files()).installFile(this.core, text);
  }

  /** Activates this device. It holds a seat until it is deactivated. */
  async activate(options: ActivateOptions = {}): Promise<Activation> {
    return (await seats()).activate(this.core, options);
  }

  /** Releases the seat of this device. Does nothing if the device holds none. */
  async deactivate(): Promise<void> {
    await (await seats()).deactivate(this.core);
  }

  /**
   * Charges the license's wallet for using a feature, exactly once.
   *
   * If the response is lost or the server is busy, the request is retried with the same idempotency
   * key. Errors carry the key; pass it to another call to find out whether the charge was made.
   *
   * @throws RangeError An argument is out of range; nothing was sent.
   * @throws InsufficientBalanceError The balance does not cover the cost; nothing was charged.
   * @throws NetworkError The server did not respond; the charge may have been made.
   */
  async consume(feature: string, quantity = 1, options: ConsumeOptions = {}): Promise<Consumption> {
    return (await metering()).consume(this.core, feature, quantity, options);
  }

  /** The balance of the license's wallet, whatever the license's status. */
  async balance(): Promise<Balance> {
    return (await metering()).readBalance(this.core);
  }

  /**
   * Checks for a release newer than the configured `appVersion`.
   *
   * @throws UntrustedUpdateError It is not signed with a trusted key, or not for this application.
   */
  async checkForUpdate(options: UpdateOptions = {}): Promise<Update> {
    return (await updates()).checkForUpdate(this.core, options);
  }

  /**
   * Validates the license, takes the seat that its model needs, and returns it for use.
   *
   * What the client learns later is seen in the open license: its status, features, terms and seats
   * are those of the latest check.
   *
   * @throws OnlineRequiredError The license needs the server, which could not be asked.
   * @throws RequestRefusedError The license may not be used; `result` has the status.
   * @throws SeatsExhaustedError All seats are taken.
   */
  async open(options: OpenOptions = {}): Promise<Open> {
    const { openLicense } = await opening();
    const watch = (since: LicenseResult, onChange: WatchOptions["onChange"]) =>
      this.watch({ onChange, since });
    const license = await openLicense(
      this.core,
      this.#make,
      watch,
      options,
      this.kinds.OpenLicense,
    );
    this.#dailyCheck.startIfDue(license.result);
    return license;
  }

  /** Creates a live session. Nothing is sent before it is opened. */
  session(options: SessionOptions = {}): Live {
    return this.#make(options);
  }

  /** Claims a seat in the way that `seatMode` selects. */
  async seat(options: SessionOptions = {}): Promise<Seat> {
    return (await seats()).takeSeat(this.core, this.#make, options);
  }

  /** Validates again and again in the background, and calls back when something has changed. */
  watch(options: WatchOptions): Watch {
    for (const old of this.#watches) if (old.stopped) this.#watches.delete(old);
    const check = async () => {
      const result = await validate(this.core, true);
      this.#dailyCheck.startIfDue(result);
      return result;
    };
    const watch = new Watch(this.core, check, options);
    this.#watches.add(watch);
    return watch;
  }

  /**
   * Sends a usage event to the vendor, unless telemetry is off. Returns at once and never throws.
   *
   * @param properties Up to 20 strings, numbers and booleans.
   */
  track(name: string, properties: Readonly<Record<string, unknown>> = {}): void {
    this.#tracker.track(name, properties);
  }

  /** Stops watches, closes open sessions and network connections, and sends queued events. */
  async close(): Promise<void> {
    await Promise.all([...this.#watches].map((watch) => watch.close()));
    await Promise.all([
      ...[...this.#sessions].map((session) => session.close()),
      this.#dailyCheck.close(),
      this.#tracker.close(),
    ]);
    this.core.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  readonly #make = (options: SessionOptions, cleanup?: () => Promise<void>): Live =>
    new this.kinds.Session(this.core, options, this.#sessions, cleanup);
}
