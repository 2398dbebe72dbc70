/** The core of a client in Node, whose machine may have borrowed a seat or reserved credits. */

import { decodeBase64Url, fromUtf8 } from "../core/bytes.js";
import type { LicenseFile } from "../core/claims.js";
import { LicenseCore } from "../core/core.js";
import { checkFile } from "../core/fileCheck.js";
import { claimedHeader } from "../core/jose.js";
import { type Json, parseObject } from "../core/json.js";
import type { LicenseResult } from "../core/result.js";
import type { FileContext } from "../core/rules.js";
import type { State } from "../core/state.js";
import { JournalFile } from "./journalFile.js";
import { LeaseFile } from "./leaseFile.js";
import { judgeLease, readLease, type SeatLease } from "./leaseToken.js";
import { OfflineFile } from "./offlineState.js";
import type { Components } from "./components.js";
import { type Machine, THIS_MACHINE } from "./machine.js";
import { isRecognized, type MachineFile, readMatch } from "./recognition.js";
import type { Reservation } from "./reservation.js";
import { Turns } from "./turns.js";

/** The type of a base file, which versions without offline requests refuse. */
export const BASE_TYP = "license-base+jwt";

/** Whether this claims to be a base file. Verifies nothing. */
export function isBaseFile(text: string): boolean {
  return claimedHeader(text, 3)?.["typ"] === BASE_TYP;
}

/** What a token claims; `null` if it is damaged. Verifies nothing. */
export function claimsOf(token: string): Json | null {
  const claims = decodeBase64Url(token.split(".")[1] ?? "");
  return claims && parseObject(claims);
}

export class NodeCore extends LicenseCore {
  /** The borrowed seat that was usable when it was last looked at. */
  lease: SeatLease | null = null;
  /** The reserved credits that were usable when they were last looked at. */
  reservation: Reservation | null = null;
  /** Whether reserved credits had ended then that are still to be returned. */
  hasEndedReservation = false;
  /** Replaces this machine in tests. */
  machine: Machine = THIS_MACHINE;
  #components: Promise<Components> | null = null;
  readonly #seatTurns = new Turns();
  readonly #creditTurns = new Turns();
  readonly #journalTurns = new Turns();
  readonly #journals = new Map<string, JournalFile>();
  readonly #told = new Set<string>();

  /** The names of the components of this machine. */
  async componentNames(): Promise<string[]> {
    return Object.keys(await this.#found());
  }

  override components = async (): Promise<Components | null> => {
    const found = await this.#found();
    return Object.keys(found).length > 0 ? found : null;
  };

  /** None if the application gives the hardware ID: it may be that of one of many users. */
  #found(): Promise<Components> {
    const { hardwareId, productId } = this.config;
    if (hardwareId !== null) return Promise.resolve({});
    const find = async (): Promise<Components> =>
      (await import("./components.js")).findComponents(productId, this.machine);
    return (this.#components ??= find());
  }

  /** A machine that is recognized by its components counts as the one that the file names. */
  async #recognized(context: FileContext, file: LicenseFile): Promise<FileContext> {
    const named = file.hardwareIds[0];
    if (named === undefined || file.hardwareIds.includes(context.hardwareId)) return context;
    const { match } = file as MachineFile;
    if (!match || !isRecognized(match, await this.#found())) return context;
    return { ...context, hardwareId: named };
  }

  /**
   * Changes the borrowed seat after earlier changes, those of other processes included: two renewals
   * at once look like a copied folder.
   */
  async change<T>(work: () => Promise<T>): Promise<T> {
    return this.#seatTurns.take((await this.leaseFile()).path, work);
  }

  /** Reserves, reports, renews or returns credits, as `change()`. Charges need not wait for that. */
  async changeCredits<T>(work: () => Promise<T>): Promise<T> {
    return this.#creditTurns.take((await this.creditsFile()).path, work);
  }

  /** Writes to the journal, or ends that, after other processes have. */
  async charging<T>(work: () => Promise<T>): Promise<T> {
    return this.#journalTurns.take((await this.journal()).path, work);
  }

  /** Where a borrowed seat is kept. */
  async leaseFile(): Promise<LeaseFile> {
    return new LeaseFile(this.platform.files, await this.#beside("lease"));
  }

  /** Where reserved credits are kept. */
  async creditsFile(): Promise<LeaseFile> {
    return new LeaseFile(this.platform.files, await this.#beside("credits"));
  }

  /** Where the charges of reserved credits are. */
  async journal(): Promise<JournalFile> {
    const path = await this.#beside("journal");
    const file = this.#journals.get(path) ?? new JournalFile(path);
    this.#journals.set(path, file);
    return file;
  }

  /** Where offline requests are kept. */
  async offlineFile(): Promise<OfflineFile> {
    return new OfflineFile(this.platform.files, await this.#beside("offline"));
  }

  /** The newest text of a license.bin that suits, wherever one may be; `null` if none can be read. */
  async findLicense(
    limit: number,
    suits: (text: string) => Promise<boolean>,
  ): Promise<string | null> {
    const fits = async (content: Parameters<typeof fromUtf8>[0]) => suits(fromUtf8(content) ?? "");
    const { config, platform } = this;
    const found = await platform
      .readLicense(config, await this.ownFile(), limit, fits)
      .catch(() => null);
    return found?.content ? fromUtf8(found.content) : null;
  }

  override async readFile(): Promise<string | null> {
    const text = await super.readFile();
    if (text === null || !isBaseFile(text)) return text;
    return (await import("./offlineFiles.js")).findBeside(this, text);
  }

  override async openFile(text: string, normalKey: string | null): Promise<LicenseFile> {
    if (isBaseFile(text)) return (await import("./offlineFiles.js")).openBaseFile(this, text);
    const match = await readMatch(text, normalKey);
    const file: MachineFile = { ...(await super.openFile(text, normalKey)), match };
    const claims = file.protected ? null : claimsOf(text);
    if (claims?.["request"] == null) return file;
    return (await import("./offlineFiles.js")).withRequest(file, claims);
  }

  override async fileContext(state: State, file: LicenseFile): Promise<FileContext> {
    const context = await this.#recognized(await super.fileContext(state, file), file);
    if (!("marks" in file)) return context;
    const { isUnusable, marksOf, withoutSeat } = await import("./offlineFiles.js");
    const marks = marksOf(file);
    const kept = await (await this.offlineFile()).read();
    return marks && isUnusable(marks, kept) ? withoutSeat(context, file) : context;
  }

  async #beside(ending: string): Promise<string> {
    const { path } = await this.store();
    return path.replace(/\.state$/, `.${ending}`);
  }

  /** The borrowed seat that can be used now, without asking the server. */
  async borrowed(): Promise<SeatLease | null> {
    await checkFile(this);
    return this.lease;
  }

  /** Tells the server of what was returned without a network, if there is anything. */
  async reportReturn(): Promise<void> {
    const [seat, credits] = await Promise.all([this.leaseFile(), this.creditsFile()]);
    if ((await seat.read()).returning !== undefined) {
      await (await import("./borrowing.js")).reportQuietly(this);
    }
    if (this.hasEndedReservation || (await credits.read()).returning !== undefined) {
      await (await import("./reserving.js")).reportQuietly(this);
    }
  }

  /** Whether this machine still has a lease that has not ended. */
  holds(leaseId: string): boolean {
    return this.lease?.id === leaseId && this.read().now < this.lease.endsAt;
  }

  /** Tells the vendor's log of a problem. */
  tellOnce(problem: string): void {
    if (!this.#told.has(problem)) this.platform.report(problem);
    this.#told.add(problem);
  }

  override async decide(result: LicenseResult): Promise<LicenseResult> {
    const lease = await this.#judge();
    const wins = lease !== null && result.status !== "Valid";
    if (wins && (lease.valid || result.source === "none")) return super.withWarnings(lease);
    return this.#withEnd(await super.withWarnings(result), lease);
  }

  override async withWarnings(result: LicenseResult): Promise<LicenseResult> {
    const found = await super.withWarnings(result);
    return found.valid ? this.#withEnd(found, await this.#judge()) : found;
  }

  #withEnd(result: LicenseResult, lease: LicenseResult | null): LicenseResult {
    const leaseEndsAt = lease?.leaseEndsAt ?? null;
    return result.valid && leaseEndsAt !== null ? result.with({ leaseEndsAt }) : result;
  }

  /** What a borrowed seat or reserved credits say of the license; `null` without them. */
  async #judge(): Promise<LicenseResult | null> {
    const lease = await readLease(this, await (await this.leaseFile()).read());
    const result = lease && (await judgeLease(this, lease, "a seat is borrowed"));
    this.lease = result?.valid === true ? lease : null;
    return result ?? this.#judgeCredits();
  }

  async #judgeCredits(): Promise<LicenseResult | null> {
    const kept = await (await this.creditsFile()).read();
    if (kept.token === undefined) {
      this.reservation = null;
      this.hasEndedReservation = false;
      return null;
    }
    const { judgeReservation, readReservation } = await import("./reservation.js");
    return judgeReservation(this, await readReservation(this, kept));
  }
}
