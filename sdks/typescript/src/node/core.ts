/** The core of a client in Node, whose machine may have borrowed a seat. */

import { LicenseCore } from "../core/core.js";
import { checkFile } from "../core/fileCheck.js";
import type { LicenseResult } from "../core/result.js";
import { LeaseFile } from "./leaseFile.js";
import { judgeLease, readLease, type SeatLease } from "./leaseToken.js";

export class NodeCore extends LicenseCore {
  /** The borrowed seat that was usable when it was last looked at. */
  lease: SeatLease | null = null;
  #changing: Promise<unknown> = Promise.resolve();

  /**
   * Changes the borrowed seat after earlier changes, those of other processes included: two renewals
   * at once look like a copied folder.
   */
  change<T>(work: () => Promise<T>): Promise<T> {
    const locked = async () => {
      const [{ path }, { whileLocked }] = await Promise.all([
        this.leaseFile(),
        import("./locks.js"),
      ]);
      return whileLocked(path, work);
    };
    const done = this.#changing.then(locked);
    this.#changing = done.catch(() => undefined);
    return done;
  }

  /** Where a borrowed seat is kept. */
  async leaseFile(): Promise<LeaseFile> {
    const { path } = await this.store();
    return new LeaseFile(this.platform.files, path.replace(/\.state$/, ".lease"));
  }

  /** The borrowed seat that can be used now, without asking the server. */
  async borrowed(): Promise<SeatLease | null> {
    await checkFile(this);
    return this.lease;
  }

  /** Tells the server of a seat that was returned without a network, if there is one. */
  async reportReturn(): Promise<void> {
    const { returning } = await (await this.leaseFile()).read();
    if (returning !== undefined) await (await import("./borrowing.js")).reportQuietly(this);
  }

  /** Whether this machine still has a lease that has not ended. */
  holds(leaseId: string): boolean {
    return this.lease?.id === leaseId && this.read().now < this.lease.endsAt;
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

  /** What a borrowed seat says of the license; `null` without one. */
  async #judge(): Promise<LicenseResult | null> {
    const lease = await readLease(this, await (await this.leaseFile()).read());
    const result = lease && (await judgeLease(this, lease));
    this.lease = result?.valid === true ? lease : null;
    return result;
  }
}
