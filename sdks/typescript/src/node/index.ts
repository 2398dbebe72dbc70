/**
 * License checks for applications of Node and for Electron's main process.
 *
 *     import { LicenseClient } from "licet";
 *
 *     const client = new LicenseClient({ productId, publicKeys, licenseKey, apiKey, ... });
 *     const license = await client.open();
 */

import { resolve } from "node:path";

import type { Progress } from "../core/chunks.js";
import { Client } from "../core/client.js";
import { makeConfig } from "../core/config.js";
import type { Device, Devices } from "../core/devices.js";
import type { ConsumeOptions, Consumption } from "../core/metering.js";
import { checkFile, requiredKey } from "../core/fileCheck.js";
import type { ClientOptions } from "../core/options.js";
import { load } from "../core/parts.js";
import { NO_SETTINGS } from "../core/settings.js";
import { givenWithSettings } from "../core/trust.js";
import type { UpdateFile } from "../core/updates.js";
import type { LicenseResult } from "../core/result.js";
import type { SessionOptions } from "../core/session.js";
import type { BorrowedSeat } from "./borrowing.js";
import type { NodeCore } from "./core.js";
import { coreOf } from "./enrollment.js";
import type { OfflineRelease, OfflineRequest } from "./offline.js";
import { applicationFolder, NODE } from "./platform.js";
import type { ReservedCredits, ReserveOptions } from "./reserving.js";
import { OpenLicense, Seat, Session } from "./seats.js";
import { loadSettings } from "./settings.js";

export type { Device, Devices } from "../core/devices.js";
export * from "../core/public.js";
export type { BorrowedSeat } from "./borrowing.js";
export type { OfflineRelease, OfflineRequest } from "./offline.js";
export { checkCodeGroup, OfflineCodeError } from "./offlineCode.js";
export type { OfflineKind } from "./offlineState.js";
export type { ReservedCredits, ReserveOptions } from "./reserving.js";
export { OpenLicense, Seat, Session } from "./seats.js";

/**
 * Checks the license of this application. Most applications need `open()` alone. Close it at the
 * end.
 */
export class LicenseClient extends Client<Session, OpenLicense> {
  declare protected readonly core: NodeCore;

  /**
   * @param options What the application says of itself; the product ID and a public key are required.
   * @param settings What a settings file says; see `fromSettings()`.
   * @param folder What relative paths in the settings start from; by default that of the program.
   * @throws ConfigurationError An option is missing or invalid.
   */
  constructor(options: ClientOptions, settings = NO_SETTINGS, folder?: string) {
    const given = givenWithSettings(options, settings);
    super(coreOf(makeConfig(given, NODE, folder), NODE, given.options.enrollmentKey), {
      Session,
      OpenLicense,
    });
  }

  /**
   * Creates a client from these options, the settings file and the defaults, in that order.
   *
   * @param folder The folder of `licet.json` or `appsettings.json`; by default that of the program.
   * @throws ConfigurationError The file or an option is invalid; the message names it.
   */
  static async fromSettings(
    options: ClientOptions = {},
    folder: string = applicationFolder(),
  ): Promise<LicenseClient> {
    const place = resolve(folder);
    return new LicenseClient(options, await loadSettings(place), place);
  }

  override async validate(): Promise<LicenseResult> {
    const result = await super.validate();
    if (result.source === "server") await this.core.reportReturn();
    return result;
  }

  override async seat(options: SessionOptions = {}): Promise<Seat> {
    const { activation, session } = await super.seat(options);
    return new Seat({ activation, session });
  }

  /** The seat that this machine has borrowed; `null` without one that can be used now. */
  async borrowedSeat(): Promise<BorrowedSeat | null> {
    const { core } = this;
    return core.withKey("look", async () => {
      await core.reportReturn();
      const lease = await core.borrowed();
      return lease && new (await import("./borrowing.js")).BorrowedSeat(core, lease);
    });
  }

  /**
   * Charges the license's wallet for using a feature, exactly once, or the reserved credits of this
   * machine: without the server, as long as they suffice. See `reserve()`.
   *
   * If the response of the server is lost or it is busy, the request is retried with the same
   * idempotency key. Errors carry the key; pass it to another call to find out whether the charge was
   * made.
   *
   * @throws RangeError An argument is out of range; nothing was charged.
   * @throws InsufficientBalanceError Neither the reserved credits nor the balance cover the cost;
   *   nothing was charged. `balance` is what remains of the reserved credits if the server could not
   *   be asked.
   * @throws NetworkError The server did not respond; the charge may have been made.
   * @throws LicenseFileError The charge cannot be written to disk, and the server cannot be asked.
   */
  override async consume(
    feature: string,
    quantity = 1,
    options: ConsumeOptions = {},
  ): Promise<Consumption> {
    return (await import("./spending.js")).charge(this.core, feature, quantity, options);
  }

  /**
   * Sets credits of the license's wallet aside, which this machine may spend for some days without the
   * server: `consume()` takes them first. What is not spent is returned by `return()`.
   *
   * @param credits As a number or an exact decimal, such as `"12.5"`.
   * @throws RangeError The amount or the days are out of range; nothing was sent.
   * @throws LeaseRefusedError Credits of the license are not reserved, not so many or not for so long,
   *   or this machine has reserved some.
   * @throws InsufficientBalanceError The balance does not cover them.
   * @throws NetworkError The server did not respond. The next call asks for the same again.
   */
  async reserve(credits: number | string, options: ReserveOptions = {}): Promise<ReservedCredits> {
    return (await import("./reserving.js")).reserve(this.core, credits, options);
  }

  /** The credits that this machine has reserved; `null` without any that can be spent now. */
  async reservedCredits(): Promise<ReservedCredits | null> {
    const { core } = this;
    return core.withKey("look", async () => {
      await checkFile(core);
      await core.reportReturn();
      const { reservation } = core;
      return reservation && new (await import("./reserving.js")).ReservedCredits(core, reservation);
    });
  }

  /**
   * What this machine, which has no connection, asks for: that the license is activated on it, or that
   * the file of an earlier request is renewed. It needs no server. Someone takes it to the offline desk,
   * and brings the answer to `applyOfflineAnswer()`.
   *
   * @param options With `renew`, a new request takes the place of one that has no answer yet.
   * @throws LicenseRefusedError What is set cannot be a license key.
   * @throws ConfigurationError No license key is set, or the machine has an enrollment key.
   * @throws LicenseFileError The request cannot be stored, or the key of this device cannot be used.
   */
  async offlineRequest(options: { readonly renew?: boolean } = {}): Promise<OfflineRequest> {
    return (await import("./offline.js")).request(this.core, options.renew === true);
  }

  /**
   * Installs the answer to the last offline request, and returns what it says of the license.
   *
   * @param answer The content of license.bin, or the code that was typed.
   * @throws OfflineCodeError A group of the code was mistyped; `group` says which.
   * @throws LicenseFileError It is not the answer to this request, or cannot be stored; nothing changed.
   */
  async applyOfflineAnswer(answer: Uint8Array | string): Promise<LicenseResult> {
    return (await import("./offline.js")).apply(this.core, answer);
  }

  /**
   * Stops using the license that was activated offline, and returns the proof for the offline desk, which
   * frees the seat. Called again, it returns the same one.
   *
   * @throws LicenseFileError There is none, or the release cannot be stored; the license is still used.
   */
  async releaseOffline(): Promise<OfflineRelease> {
    return (await import("./offline.js")).release(this.core);
  }

  /**
   * The devices that hold a seat, if the user may free one of them.
   *
   * They have no hardware IDs. Only a device may ask that holds a seat, or was refused one in the last
   * 10 minutes.
   *
   * @throws RequestRefusedError The vendor does not let applications release devices, or this device
   *   may not ask; the message says why.
   */
  async devices(): Promise<Devices> {
    const { listDevices } = await load(import("../core/devices.js"));
    return listDevices(this.core, await this.#askingKey());
  }

  /**
   * Releases the seat of another device for this one, and returns it: `seatFreeAt` says when the seat
   * is free, `null` if it is now. Then call `open()` again.
   *
   * @throws RequestRefusedError It may not be released, or no more devices may be at present; the
   *   message says why.
   */
  async releaseDevice(device: Pick<Device, "id">): Promise<Device> {
    const { releaseDevice } = await load(import("../core/devices.js"));
    return releaseDevice(this.core, await this.#askingKey(), device);
  }

  /** The license key; a machine that was refused a token has its enrollment key alone. */
  #askingKey(): Promise<string> {
    const { core } = this;
    return core.withKey("look", async () => core.askingKey ?? requiredKey(core));
  }

  /**
   * Downloads a file of an update, verifies its SHA-256, and returns its path.
   *
   * It is received into a hidden file next to `path`, which is renamed after it is complete and
   * verified. After an error or a crash, the next call resumes the download.
   *
   * @param path The file to write, or an existing folder to write the file to under its own name.
   * @throws DamagedDownloadError The SHA-256 does not match; the download was deleted.
   * @throws DownloadWithdrawnError The file is no longer offered.
   * @throws NetworkError The server did not respond; the bytes received so far are kept.
   */
  async download(file: UpdateFile, path: string, progress?: Progress): Promise<string> {
    const { download } = await load(import("./download.js"));
    return download(this.core, file, path, progress);
  }
}
